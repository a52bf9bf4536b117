import { expect, test } from 'vitest';
import { createGuessLimit, mostFailures } from '../../../api/http/guess-limit.ts';

/** A limit whose clock stands until it is moved. */
function aLimit() {
  let now = 0;
  const limit = createGuessLimit(() => now);
  const count = (address: string) => limit.count(address);
  const forget = (address: string) => limit.forget(address);
  const fail = (address: string, times = 1) => {
    for (let time = 0; time < times; time++) limit.count(address);
  };
  return { count, forget, fail, later: (ms: number) => (now += ms) };
}
const tooMany = expect.objectContaining({ status: 503 });

test('so many failures of one address are let through, then one each second; others are left alone', () => {
  const { fail, later } = aLimit();
  fail('10.0.0.1', mostFailures);
  expect(() => fail('10.0.0.1')).toThrow(tooMany);
  fail('10.0.0.2');
  later(1_000);
  fail('10.0.0.1');
  expect(() => fail('10.0.0.1')).toThrow(tooMany);
});

test('a shop full of people behind one address signs in as often as it likes', () => {
  const { count, forget } = aLimit();
  for (let person = 0; person < 10 * mostFailures; person++) {
    count('192.0.2.7');
    forget('192.0.2.7');
  }
  expect(() => count('192.0.2.7')).not.toThrow();
});

test('who has a whole network of IPv6 is one caller', () => {
  const { fail } = aLimit();
  for (let host = 0; host < mostFailures; host++) fail(`2001:db8:0:1::${host.toString(16)}`);
  expect(() => fail('2001:db8:0:1:aaaa:bbbb:cccc:dddd')).toThrow(tooMany);
  expect(() => fail('2001:db8:0:2::1')).not.toThrow();
});

test('of more addresses than it remembers it forgets the one that was quiet for longest', () => {
  const { fail } = aLimit();
  fail('old', mostFailures);
  for (let at = 0; at < 10_000; at++) fail(`later ${at}`);
  expect(() => fail('old')).not.toThrow();
});
