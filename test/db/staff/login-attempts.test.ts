import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { createOrm } from '../../../db/orm.ts';
import { findSession, openSession } from '../../../db/staff/sessions.ts';
import { clearLoginFailures, releaseLoginAttempt, reserveLoginAttempt } from '../../../db/staff/login-attempts.ts';
import { lockoutLadder } from '../../../domain/staff.ts';
import { countAttempt, forgetAttempt } from '../../../db/support/rate-limit.ts';
import { aRole, aStaffMember } from '../../support/builders/counter.ts';
import { booksOf } from '../../support/books.ts';
import { testDatabase, testDatabaseUrl } from '../../support/database.ts';
import { atOnce } from '../../support/rivals.ts';
import { moveClock, stopClock } from '../../support/stopped-clock.ts';

let orm: MikroORM;
/** Where no time passes but what a test lets pass. */
let still: MikroORM;
beforeAll(async () => {
  orm = await testDatabase();
  const url = await testDatabaseUrl();
  await stopClock(url);
  still = await createOrm(url);
});
afterAll(() => Promise.all([orm.close(), still.close()]));

const { fork, findOne, change, remove } = booksOf(() => orm);
const stillBooks = booksOf(() => still);
const forkStill = () => still.em.fork();
const guess = (key: string) => reserveLoginAttempt(forkStill(), key);
const storm = async (key: string, guesses = 200) => {
  const waits = await atOnce(guesses, () => guess(key));
  return { lookups: waits.filter((wait) => wait === 0).length, waits: waits.filter((wait) => wait > 0) };
};
const wait = (seconds: number) => forkStill().execute(moveClock, [seconds]);

test('200 guesses at once are looked at no more often than the ladder allows', async () => {
  const { lookups, waits } = await storm('storm@shop.test');
  expect(lookups).toBe(3);
  expect(Math.max(...waits)).toBe(15);
});

test('each rung lets one guess through after its wait, and none before', async () => {
  const key = 'ladder@shop.test';
  const seen: number[] = [];
  expect((await storm(key)).lookups).toBe(3);
  for (let failures = 3; failures < 14; failures++) {
    const seconds = lockoutLadder.findLast((rung) => failures >= rung.failures)?.cooldownSeconds ?? 0;
    await wait(seconds - 1);
    expect(await guess(key)).toBe(1);
    await wait(1);
    seen.push((await storm(key, 20)).lookups);
  }
  expect(seen).toEqual(Array.from({ length: 11 }, () => 1));
});

test('the count begins anew a day after the first failure, cooldown or not', async () => {
  const key = 'day@shop.test';
  await storm(key);
  await wait(86_399);
  await guess(key);
  expect(await guess(key)).toBeGreaterThan(0);
  await wait(1);
  expect((await storm(key)).lookups).toBe(3);
});

test('success, or a manager’s unlock, resets the count', async () => {
  const key = 'reset@shop.test';
  await storm(key);
  await clearLoginFailures(forkStill(), key);
  expect((await storm(key)).lookups).toBe(3);
});

test('a guess that could not be checked is given back', async () => {
  const key = 'busy@shop.test';
  expect([await guess(key), await guess(key), await guess(key)]).toEqual([0, 0, 0]);
  await releaseLoginAttempt(forkStill(), key);
  expect((await storm(key)).lookups).toBe(1);
});

test('one person’s failures do not count for another', async () => {
  await storm('a@shop.test');
  expect(await guess('b@shop.test')).toBe(0);
});

test('a session is kept as a digest and runs for 30 days', async () => {
  const { staffId, email } = await aStaffMember(fork());
  const token = await openSession(fork(), { staffId, emailKey: email, terminalId: undefined });
  const session = await findOne('pos_staff_session', { staff_id: staffId });
  const { expires_at: end, created_at: start } = session;

  expect(token).toMatch(/^[0-9a-f]{64}$/);
  expect(JSON.stringify(session)).not.toContain(token);
  expect(await findSession(fork(), token)).toMatchObject({ staff: { staffId } });
  expect(await findSession(fork(), token)).not.toHaveProperty('staff.passcodeHash');
  expect((Date.parse(end) - Date.parse(start)) / 86_400_000).toBe(30);
});

test.each([
  ['Invalid session token.', () => Promise.resolve()],
  [
    'Session has expired.',
    (staffId: number) => change('pos_staff_session', { staff_id: staffId }, { expires_at: new Date() }),
  ],
  ['Staff member not found.', (staffId: number) => change('pos_staff', { staff_id: staffId }, { is_active: false })],
  ['Staff member not found.', (staffId: number) => remove('pos_staff', { staff_id: staffId })],
])('a session that does not hold says so: %s', async (message, spoil) => {
  const { staffId, email } = await aStaffMember(fork());
  const token = await openSession(fork(), { staffId, emailKey: email, terminalId: undefined });
  await spoil(staffId);
  const asked = message === 'Invalid session token.' ? token.toUpperCase() : token;
  await expect(findSession(fork(), asked)).rejects.toMatchObject({ status: 401, message });
});

test('staff get a code of five characters, and an e-mail has one owner', async () => {
  const { staffCode } = await aStaffMember(fork(), { email: 'one@shop.test' });
  expect(staffCode).toMatch(/^[A-Z2-9]{5}$/);
  await expect(aStaffMember(fork(), { email: ' ONE@shop.test' })).rejects.toMatchObject({
    status: 400,
    parameters: ['somebody has this e-mail'],
  });
});

test('a role takes permissions as JSON text of known keys', async () => {
  expect(await aRole(fork(), { name: 'Manager', permissions: '{"void_orders":true}' })).toBeGreaterThan(0);
  await expect(aRole(fork(), { name: 'Manager', permissions: '{"fly":true}' })).rejects.toMatchObject({
    status: 400,
  });
});

test('a limit lets exactly so many through, and an attempt that one bucket refuses counts in none', async () => {
  const wide = { name: 'address', limit: 50, windowSeconds: 60 };
  const narrow = { name: 'device', limit: 10, windowSeconds: 60 };
  const answers = await atOnce(40, () => countAttempt(forkStill(), [wide, narrow]));
  expect(answers.filter(Boolean)).toHaveLength(10);

  const others = await atOnce(60, () => countAttempt(forkStill(), [wide]));
  expect(others.filter(Boolean)).toHaveLength(40);

  await forgetAttempt(forkStill(), [wide, narrow]);
  expect(await countAttempt(forkStill(), [wide, narrow])).toBe(true);
  expect(await countAttempt(forkStill(), [wide, narrow])).toBe(false);
  await wait(60);
  expect(await countAttempt(forkStill(), [wide, narrow])).toBe(true);
});

test('attempts counted and given back in any order never wait in a circle', async () => {
  await stillBooks.forgetTries();
  const [one, other] = ['one', 'other'].map((name) => ({ name, limit: 1_000, windowSeconds: 60 }));
  const rounds = Array.from({ length: 60 }, async (_, at) => {
    const buckets = at % 2 ? [one!, other!] : [other!, one!];
    await countAttempt(forkStill(), buckets);
    await forgetAttempt(forkStill(), buckets);
  });
  await Promise.all(rounds);
  const left = await stillBooks.find('rate_limit', {}, 'attempts');
  expect(new Set(left.map(({ attempts }) => attempts))).toEqual(new Set([0]));
});
