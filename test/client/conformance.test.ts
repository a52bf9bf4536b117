import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { playDay, type RegisterUnderTest } from '../../client/conformance/day.ts';
import { judge, type Check, type Finding } from '../../client/conformance/judge.ts';
import { junitOf, pageOf, summaryOf, type Verdict } from '../../client/conformance/report.ts';
import { createClient } from '../../client/client.ts';
import { createOutbox, memoryStore } from '../../client/outbox.ts';
import { createRegister, type Made } from '../../client/register.ts';
import { cash, type Place, type Sold } from '../../client/sale.ts';
import { aCounter, type Counter } from './a-counter.ts';
import { naiveRegister, type Mistake } from './naive-register.ts';

let counter: Counter;
beforeAll(async () => {
  counter = await aCounter();
});
afterAll(() => counter.close());

let runs = 0;
async function dayOf(register: RegisterUnderTest): Promise<Verdict> {
  const before = counter.line.exchanges.length;
  const { sku, name, productId } = counter.mug;
  const run = `run${++runs}`;
  const day = await playDay({ line: counter.line, register, goods: { sku, name, productId: productId! }, run });
  const books = createClient({ url: `${counter.api.url}/rest`, token: counter.api.tokens.admin });
  const findings = await judge(
    { tasks: day.tasks, exchanges: day.exchanges.map((one) => (one.at < before ? { ...one, method: 'GET' } : one)) },
    { books, money: { currency: 'USD' } },
  );
  return { register: 'a register', day, findings };
}

/** A register on our client, in a dozen lines. */
function ourRegister(place: Place): RegisterUnderTest {
  const client = createClient({ url: counter.line.url, token: counter.api.tokens.register });
  const outbox = createOutbox({ client, store: memoryStore() });
  const register = createRegister({ client, outbox, place, patienceMs: 4_000 });
  const sold = new Map<string, Sold>();
  const note = (email: string, made: Made<Sold>) => void (made.kind === 'done' && sold.set(email, made.value));
  return async ({ do: what, email, lines, deposit = 0, of = '' }) => {
    const sale = { lines, payment: cash, buyer: { email } };
    if (what === 'sell') note(email, await register.sell(sale));
    if (what === 'lay_away') note(email, await register.layaway({ ...sale, deposit }));
    if (what === 'catch_up') await outbox.send();
    if (what === 'take_back') {
      const { orderId, itemIds } = sold.get(of)!;
      await register.takeBack({ orderId, method: 'cash', lines: itemIds.map((itemId) => ({ itemId, qty: 1 })) });
    }
    if (what === 'read_settings') {
      const path = { terminalId: place.terminalId };
      const body = { deviceIdentifier: counter.deviceIdentifier };
      const beat = await client.post('/V1/pos/terminals/{terminalId}/heartbeat', { path, body });
      if (beat.kind === 'done') await client.get('/V1/pos/terminals/{terminalId}/config', { path });
    }
  };
}

const brokenBy = (findings: readonly Finding[]) => [...new Set(findings.map(({ check }) => check))];

test('a register on our client keeps every rule through a disturbed day', async () => {
  const { findings } = await dayOf(ourRegister(counter.place));
  expect(findings).toEqual([]);
  await counter.books.booksHold();
});

describe('a register that was written by hand', () => {
  const naive = (mistake?: Mistake) => {
    const { line, api, place, deviceIdentifier } = counter;
    return dayOf(naiveRegister({ url: line.url, token: api.tokens.register, place, deviceIdentifier }, mistake));
  };

  test('without a mistake keeps every rule, too: the kit finds nothing that is not there', async () => {
    expect((await naive()).findings).toEqual([]);
  });

  const caught: readonly [Mistake, Check][] = [
    ['gives_up', 'lost_sale'],
    ['new_sale_id', 'double_sale'],
    ['new_key', 'forbidden_new_id'],
    ['sums_by_floats', 'wrong_sum'],
    ['takes_busy_for_no', 'not_handed_over'],
    ['no_receipt', 'no_receipt'],
    ['newest_first', 'out_of_order'],
    ['pays_again', 'double_payment'],
    ['forgets_the_doubt', 'unanswered_doubt'],
    ['keeps_old_settings', 'stale_settings'],
    ['writes_the_time', 'changed_content'],
    ['asks_at_once', 'too_soon'],
  ];
  test.each(caught)('with the mistake %s is caught by the rule %s', async (mistake, check) => {
    const verdict = await naive(mistake);
    expect(brokenBy(verdict.findings)).toContain(check);
    expect(junitOf(verdict)).toContain(`type="${check}"`);
    expect(pageOf(verdict)).toContain('It breaks rules');
    expect(summaryOf(verdict)).toContain('NO ');
  });
});

test('a report of a good day says so, and takes no words of the register for its own', () => {
  const verdict: Verdict = { register: '<till> & "co"', day: { tasks: [], exchanges: [] }, findings: [] };
  expect(junitOf(verdict)).toContain('failures="0"');
  expect(pageOf(verdict)).toContain('It keeps the rules.');
  expect(pageOf(verdict)).toContain('Conformance of &lt;till&gt; &amp; &quot;co&quot;');
  expect(summaryOf(verdict)).toContain('The register keeps the rules.');
});
