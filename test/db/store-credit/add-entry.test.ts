import { describe, expect, test } from '@jest/globals';
import { findBalance } from '../../../db/store-credit/read-balance.ts';
import { money, zero } from '../../../domain/money.ts';
import { aCustomer, anEntry, moveAccount } from '../../support/builders/wallet.ts';
import { booksOf } from '../../support/books.ts';
import { opensWallets, orm, euWebsiteId, add, balanceOf, historyOf, aWalletOf } from './wallets.ts';

opensWallets();

const { fork, walletsOf, change } = booksOf(() => orm);

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
  ['an unknown customer', { customerId: 999_999 }, 404, { fieldName: 'customerId', fieldValue: 999_999 }],
  ['a website there is not', { websiteId: 99 }, 404, { fieldName: 'websiteId', fieldValue: 99 }],
  ['a website of other accounts', { websiteId: 2 }, 400, [expect.any(Number), 1, 2]],
  ['the admin scope', { websiteId: 0 }, 404, { fieldName: 'websiteId', fieldValue: 0 }],
  ['a debit of an empty wallet', { operation: 'debit' as const }, 400, ['0', '-10']],
  ['no reason', { reason: ' ' }, 400, undefined],
])('refused for %s, nothing is left behind, not even a wallet', async (_case, wanted, status, parameters) => {
  const customerId = await aCustomer(fork());

  await expect(add({ ...anEntry(customerId), ...wanted })).rejects.toMatchObject({ status, parameters });

  expect(await walletsOf(customerId)).toEqual([]);
});

test('when the website changed its currency the stored balance stays untouched in its own', async () => {
  const customerId = await aCustomer(fork(), { websiteId: euWebsiteId, storeId: 3 });
  const first = await add(anEntry(customerId, { websiteId: euWebsiteId, idempotencyKey: 'k' }));
  const setCurrency = (code: string) => change('website', { website_id: euWebsiteId }, { base_currency_code: code });
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
