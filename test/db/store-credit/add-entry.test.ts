import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import fc from 'fast-check';
import { addEntry, type NewEntry } from '../../../db/store-credit/add-entry.ts';
import { findBalance, searchHistory, type Entry } from '../../../db/store-credit/wallet.repository.ts';
import { verify } from '../../../books/verify/verify.ts';
import { PosError } from '../../../domain/errors.ts';
import { formatAmount, money, zero } from '../../../domain/money/amount.ts';
import { everything } from '../../../api/wire/search-criteria.ts';
import { aSecondWebsite, aCustomer, anEntry, moveAccount } from '../../support/builders/wallet.ts';
import { aShop } from '../../support/builders/shop.ts';
import { createOrm } from '../../../db/orm.ts';
import { testDatabaseUrl } from '../../support/database.ts';
import { seed } from '../../support/seed.ts';

let orm: MikroORM;
/** A second process of the service. */
let other: MikroORM;
let euWebsiteId: number;

beforeAll(async () => {
  const url = await testDatabaseUrl();
  [orm, other] = await Promise.all([createOrm(url), createOrm(url)]);
  await aShop(fork());
  euWebsiteId = await aSecondWebsite(fork());
});
afterAll(() => Promise.all([orm.close(), other.close()]));

const fork = () => orm.em.fork();
const add = (entry: NewEntry, em = fork()) => addEntry(em, entry);
const balanceOf = async (customerId: number, websiteId = 1) =>
  formatAmount((await findBalance(fork(), customerId, websiteId)).amount);
const historyOf = async (customerId: number) => (await searchHistory(fork(), customerId, everything)).rows;
const aWalletOf = async (amount: string) => {
  const customerId = await aCustomer(fork());
  await add(anEntry(customerId, { amount }));
  return customerId;
};

/** At once, in turn from two processes; a refusal is an answer like any other. */
const atOnce = (count: number, entry: (at: number) => NewEntry): Promise<(Entry | string)[]> =>
  Promise.all(
    Array.from({ length: count }, async (_, at) => {
      try {
        return await addEntry((at % 2 === 0 ? orm : other).em.fork(), entry(at));
      } catch (error) {
        if (error instanceof PosError) return error.message;
        throw error;
      }
    }),
  );
const entriesIn = (answers: readonly (Entry | string)[]) => answers.filter((answer) => typeof answer !== 'string');

const walletsHold = async () =>
  expect((await verify(fork(), { lookAgainAfterMs: 1 })).filter(({ id }) => /^I-2[234]/.test(id))).toEqual([]);

test('the first entry makes the wallet, in the currency of the website', async () => {
  const customerId = await aCustomer(fork());

  const entry = await add(anEntry(customerId, { source: 'counter', idempotencyKey: 'k-1' }));

  expect(entry).toMatchObject({
    customerId,
    websiteId: 1,
    eventType: 1,
    delta: money('10'),
    balanceAfter: money('10'),
    baseCurrencyCode: 'USD',
    reason: 'goodwill',
    source: 'counter',
    idempotencyKey: 'k-1',
    adminUserId: 1,
    apiUserType: null,
    apiUserId: null,
  });
  expect(await findBalance(fork(), customerId, 1)).toEqual({
    customerId,
    websiteId: 1,
    amount: money('10'),
    baseCurrencyCode: 'USD',
    updatedAt: entry.createdAt,
  });
  const european = await aCustomer(fork(), { websiteId: euWebsiteId, storeId: 3 });
  expect(await findBalance(fork(), european, euWebsiteId)).toMatchObject({
    amount: zero,
    baseCurrencyCode: 'EUR',
    updatedAt: null,
  });
});

test('an order’s credit comes back on the website of the order, whatever website the account belongs to', async () => {
  const customerId = await aCustomer(fork());
  await add(anEntry(customerId, { websiteId: euWebsiteId, bookingKey: 'credit 1 back' }));
  await add(anEntry(customerId, { websiteId: euWebsiteId, operation: 'debit', amount: '4' }));
  expect(await balanceOf(customerId, euWebsiteId)).toBe('6.0000');
});

test('each website has a wallet of its own, and no other customer’s', async () => {
  const [one, two] = [await aWalletOf('10'), await aWalletOf('20')];
  await moveAccount(fork(), one, euWebsiteId);
  await add(anEntry(one, { websiteId: euWebsiteId, amount: '5' }));
  await add(anEntry(two, { operation: 'debit', amount: '20' }));

  expect([await balanceOf(one), await balanceOf(one, euWebsiteId), await balanceOf(two)]).toEqual([
    '10.0000',
    '5.0000',
    '0.0000',
  ]);
});

test.each([
  ['a customer nobody knows', { customerId: 999_999 }, 404, { fieldName: 'customerId', fieldValue: 999_999 }],
  ['a website there is not', { websiteId: 99 }, 404, { fieldName: 'websiteId', fieldValue: 99 }],
  ['a website of other accounts', { websiteId: 2 }, 400, [expect.any(Number), 1, 2]],
  ['the admin scope', { websiteId: 0 }, 404, { fieldName: 'websiteId', fieldValue: 0 }],
  ['a debit of an empty wallet', { operation: 'debit' as const }, 400, ['0', '-10']],
  ['no reason', { reason: ' ' }, 400, undefined],
])('refused for %s, nothing is left behind, not even a wallet', async (_case, wanted, status, parameters) => {
  const customerId = await aCustomer(fork());

  await expect(add({ ...anEntry(customerId), ...wanted })).rejects.toMatchObject({ status, parameters });

  expect(await fork().execute('select 1 from store_credit_wallet where customer_id = ?', [customerId])).toEqual([]);
});

test('when the website changed its currency the stored balance stays untouched in its own', async () => {
  const customerId = await aCustomer(fork(), { websiteId: euWebsiteId, storeId: 3 });
  const first = await add(anEntry(customerId, { websiteId: euWebsiteId, idempotencyKey: 'k' }));
  const setCurrency = (code: string) =>
    fork().execute('update website set base_currency_code = ? where website_id = ?', [code, euWebsiteId]);
  await setCurrency('CHF');
  try {
    await expect(add(anEntry(customerId, { websiteId: euWebsiteId, operation: 'debit' }))).rejects.toMatchObject({
      message: 'Currency mismatch: the stored balance is in %1 and not in %2.',
      parameters: ['EUR', 'CHF'],
    });
    expect(await add(anEntry(customerId, { websiteId: euWebsiteId, idempotencyKey: 'k' }))).toEqual(first);
    expect(await findBalance(fork(), customerId, euWebsiteId)).toMatchObject({
      amount: money('10'),
      baseCurrencyCode: 'EUR',
    });
  } finally {
    await setCurrency('EUR');
  }
});

describe('a key', () => {
  test('answers its first entry for ever, whatever was booked since and whatever the repeat asks for', async () => {
    const customerId = await aCustomer(fork());
    const first = await add(anEntry(customerId, { idempotencyKey: 'once' }));
    await add(anEntry(customerId, { operation: 'debit', amount: '10' }));

    const repeats = [
      await add(anEntry(customerId, { idempotencyKey: 'once' })),
      await add(anEntry(customerId, { idempotencyKey: 'once', amount: '99', reason: 'more', source: 'elsewhere' })),
      await add(anEntry(customerId, { idempotencyKey: 'once', actor: { apiUser: { type: 'integration', id: 7 } } })),
    ];

    expect(repeats.map((entry) => JSON.stringify(entry))).toEqual(repeats.map(() => JSON.stringify(first)));
    expect(await historyOf(customerId)).toHaveLength(2);
    expect(await balanceOf(customerId)).toBe('0.0000');
  });

  test('is one customer’s on one website for one operation', async () => {
    const [one, two] = [await aCustomer(fork()), await aCustomer(fork())];
    const first = await add(anEntry(one, { idempotencyKey: 'k' }));
    await moveAccount(fork(), one, euWebsiteId);
    const entries = [
      first,
      await add(anEntry(one, { idempotencyKey: 'k', operation: 'debit', amount: '1' })),
      await add(anEntry(one, { idempotencyKey: 'k', websiteId: euWebsiteId })),
      await add(anEntry(two, { idempotencyKey: 'k' })),
      await add(anEntry(one, { idempotencyKey: 'K' })),
      await add(anEntry(one, { idempotencyKey: 'k ' })),
    ];

    expect(new Set(entries.map(({ entryId }) => entryId)).size).toBe(entries.length);
  });

  test('of a refused entry is not used up', async () => {
    const customerId = await aWalletOf('10');
    const debit = anEntry(customerId, { operation: 'debit', amount: '15', idempotencyKey: 'later' });
    await expect(add(debit)).rejects.toMatchObject({ status: 400 });

    await add(anEntry(customerId));

    expect(await add(debit)).toMatchObject({ delta: money('-15'), balanceAfter: money('5') });
  });
});

describe.each([2, 8, 50])('%i at once', (count) => {
  test('that take the whole balance: one does, the others are told what is left', async () => {
    const customerId = await aWalletOf('10');

    const answers = await atOnce(count, () => anEntry(customerId, { operation: 'debit', amount: '10' }));

    expect(entriesIn(answers)).toHaveLength(1);
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

    expect(new Set(entriesIn(answers).map(({ entryId }) => entryId)).size).toBe(count);
    expect(await balanceOf(customerId)).toBe(`${count * 10}.0000`);
    await walletsHold();
  });

  test('credits, debits and adjustments: every one counts, and the history runs on without a gap', async () => {
    const customerId = await aWalletOf('1000');
    const operations = ['credit', 'debit', 'adjustment'] as const;

    await atOnce(count, (at) =>
      anEntry(customerId, { operation: operations[at % 3] ?? 'credit', amount: at % 3 === 2 ? '-0.0001' : '1' }),
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
    await expect(fork().execute(sql)).rejects.toThrow(why);
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
