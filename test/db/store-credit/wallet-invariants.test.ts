import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { addEntry, type NewEntry } from '../../../db/store-credit/add-entry.ts';
import { verify } from '../../../books/verify/verify.ts';
import { aCustomer, anEntry } from '../../support/builders/wallet.ts';
import { booksOf } from '../../support/books.ts';
import { rivalsOf, carriedOut } from '../../support/rivals.ts';
import { seed } from '../../support/seed.ts';
import { opensWallets, orm, other, add, balanceOf, historyOf, aWalletOf } from './wallets.ts';

opensWallets();

const { fork, rows } = booksOf(() => orm);

const rivals = rivalsOf(() => [orm, other]);
const atOnce = (count: number, entry: (at: number) => NewEntry) =>
  rivals(count, (em, at) => addEntry(em.fork(), entry(at)));

const walletsHold = async () =>
  expect((await verify(fork(), { lookAgainAfterMs: 1 })).filter(({ id }) => /^I-2[234]/.test(id))).toEqual([]);

describe.each([2, 8, 50])('%i at once', (count) => {
  test('that take the whole balance: one does, the others are told what is left', async () => {
    const customerId = await aWalletOf('10');

    const answers = await atOnce(count, () => anEntry(customerId, { operation: 'debit', amount: '10' }));

    expect(carriedOut(answers)).toHaveLength(1);
    expect(new Set(answers.filter((answer) => typeof answer === 'string'))).toEqual(
      new Set(['The balance cannot go below zero: it is %1 and would change by %2.']),
    );
    expect(await balanceOf(customerId)).toBe('0.0000');
    await walletsHold();
  });

  test('with the same key: one entry, answered to all, the first one of a wallet included', async () => {
    const customerId = await aCustomer(fork());

    const answers = await atOnce(count, (at) =>
      anEntry(customerId, { idempotencyKey: 'same', amount: String(at + 1) }),
    );

    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(await historyOf(customerId)).toHaveLength(1);
    await walletsHold();
  });

  test('each with a key of its own and its repeat: each is booked once', async () => {
    const customerId = await aCustomer(fork());

    const answers = await atOnce(count * 2, (at) => anEntry(customerId, { idempotencyKey: `key ${at % count}` }));

    expect(new Set(carriedOut(answers).map(({ entryId }) => entryId)).size).toBe(count);
    expect(await balanceOf(customerId)).toBe(`${count * 10}.0000`);
    await walletsHold();
  });

  test('credits, debits and adjustments: every one counts, and the history runs on without a gap', async () => {
    const customerId = await aWalletOf('1000');
    const operations = ['credit', 'debit', 'adjustment'] as const;

    await atOnce(count, (at) =>
      anEntry(customerId, { operation: operations[at % 3] ?? 'credit', amount: at % 3 === 2 ? '-0.01' : '1' }),
    );

    const history = (await historyOf(customerId)).toReversed();
    let running = 0;
    for (const { delta, balanceAfter } of history) {
      running += delta;
      expect(balanceAfter).toBe(running);
    }
    expect(history).toHaveLength(count + 1);
    expect(history.map(({ createdAt }) => createdAt.getTime())).toEqual(
      history.map(({ createdAt }) => createdAt.getTime()).toSorted((one, two) => one - two),
    );
    await walletsHold();
  });
});

test('on the hot wallet an entry is three statements at most', async () => {
  const customerId = await aWalletOf('10');
  const pool = await orm.em.getConnection().getNativeClient();
  const connection = await pool.connect();
  const send = connection.query.bind(connection);
  const sent: string[] = [];
  Object.assign(connection, {
    query: (...given: unknown[]): unknown => {
      sent.push(textOf(given[0]));
      return Reflect.apply(send, connection, given);
    },
  });
  connection.release();
  await add(anEntry(customerId, { operation: 'debit', amount: '1', idempotencyKey: 'counted' }));
  Object.assign(connection, { query: send });

  expect(sent.filter((text) => !/^(?:begin|commit)/i.test(text))).toHaveLength(3);
});

const textOf = (statement: unknown) =>
  typeof statement === 'string' ? statement : String(Reflect.get(Object(statement), 'text'));

describe('the database refuses', () => {
  test.each([
    ['an entry changed', `update store_credit_entry set reason = 'another'`, /only ever added to/],
    ['an entry deleted', 'delete from store_credit_entry', /only ever added to/],
    ['all entries gone', 'truncate store_credit_entry', /only ever added to/],
    ['a wallet deleted', 'delete from store_credit_wallet', /foreign key/],
    ['a customer deleted', 'delete from customer where id in (select customer_id from store_credit_wallet)', /foreign/],
    ['a balance without an entry', 'update store_credit_wallet set amount = amount + 1', /add up to/],
    ['a balance below zero', 'update store_credit_wallet set amount = -1', /not_negative/],
    ['a balance that is no number', `update store_credit_wallet set amount = 'NaN'`, /not_negative/],
    ['another currency', `update store_credit_wallet set base_currency_code = 'XXX'`, /keeps its/],
    [
      'a wallet without an entry',
      `insert into store_credit_wallet (customer_id, website_id, base_currency_code)
       select max(id) + 0, 1, 'USD' from customer where id not in (select customer_id from store_credit_wallet)`,
      /add up to/,
    ],
    [
      'an entry without its balance',
      `insert into store_credit_entry (wallet_id, event_type, delta, balance_after, reason)
       select wallet_id, 1, 1, amount + 1, 'why' from store_credit_wallet limit 1`,
      /add up to/,
    ],
    [
      'an entry that does not add up',
      `with w as (update store_credit_wallet set amount = amount + 2 returning *)
       insert into store_credit_entry (wallet_id, event_type, delta, balance_after, reason)
       select wallet_id, 1, 1, amount, 'why' from w`,
      /does not add up/,
    ],
    [
      'a debit that gives',
      `insert into store_credit_entry (wallet_id, event_type, delta, balance_after, reason)
       select wallet_id, 2, 1, amount + 1, 'why' from store_credit_wallet limit 1`,
      /moves_its_way/,
    ],
  ])('%s', async (_case, sql, why) => {
    await aWalletOf('10');
    await aCustomer(fork());
    await expect(rows(sql)).rejects.toThrow(why);
    await walletsHold();
  });
});

test('any sequence keeps ledger sum, balance and running balance the same, and a key to one entry', async () => {
  const step = fc.record({
    operation: fc.constantFrom('credit', 'debit', 'adjustment'),
    websiteId: fc.constantFrom(1, 2),
    units: fc.integer({ min: -60_000, max: 60_000 }),
    key: fc.constantFrom(null, null, 'a', 'b'),
  });
  const groups = fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { maxLength: 8 });

  await fc.assert(
    fc.asyncProperty(groups, async (atATime) => {
      const customerId = await aCustomer(fork());
      const answered = new Map<string, Set<string>>();
      for (const steps of atATime) {
        const wanted = steps.map(({ operation, websiteId, units, key }) =>
          anEntry(customerId, {
            operation,
            websiteId,
            amount: (units / 10_000).toFixed(4),
            idempotencyKey: operation === 'adjustment' ? null : key,
          }),
        );
        const answers = await atOnce(wanted.length, (at) => wanted[at]!);
        for (const [at, answer] of answers.entries()) {
          const { idempotencyKey, operation, websiteId } = wanted[at]!;
          if (idempotencyKey === null || typeof answer === 'string') continue;
          const scope = `${operation} ${websiteId} ${idempotencyKey}`;
          answered.set(scope, (answered.get(scope) ?? new Set()).add(JSON.stringify(answer)));
        }
      }
      for (const same of answered.values()) expect(same.size).toBe(1);
      await walletsHold();
    }),
    { seed, numRuns: 30 },
  );
});
