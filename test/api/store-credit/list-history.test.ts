import { afterAll, beforeAll, expect, test } from 'vitest';
import { addEntry } from '../../../db/store-credit/add-entry.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { aShop } from '../../support/builders/shop.ts';
import { aCustomer, aSecondWebsite, anEntry, moveAccount } from '../../support/builders/wallet.ts';
import { booksOf } from '../../support/books.ts';

let api: TestApi;
let viewer: string;
let customerId: number;

beforeAll(async () => {
  api = await testApi();
  await aShop(fork());
  await aSecondWebsite(fork());
  viewer = await api.tokenFor('Vendor_StoreCredit::balance_view');
  const stranger = await aCustomer(fork());
  customerId = await aCustomer(fork());
  await addEntry(fork(), anEntry(stranger));
  for (const amount of ['10', '20', '30'])
    await addEntry(fork(), anEntry(customerId, { amount, idempotencyKey: `key ${amount}`, source: 'till' }));
  await moveAccount(fork(), customerId, 2);
  await addEntry(fork(), anEntry(customerId, { websiteId: 2, amount: '5' }));
  await addEntry(
    fork(),
    anEntry(customerId, { operation: 'debit', amount: '60', actor: { apiUser: { type: 'integration', id: 9 } } }),
  );
});
afterAll(() => api.close());

const { fork } = booksOf(() => api.orm);
const history = (criteria = '', id: number | string = customerId, token = viewer) =>
  api.call('GET', `/V1/vendor-store-credit/history/${id}${criteria}`, { token });
const deltas = async (criteria: string) =>
  (await history(criteria)).body.items.map(({ delta }: { delta: number }) => delta);

test('the whole ledger of a customer, newest first, on every website, with who did it', async () => {
  const { status, body } = await history();

  expect(status).toBe(200);
  expect(body).toMatchObject({ search_criteria: { filter_groups: [] }, total_count: 5 });
  expect(Object.keys(body.items[0])).toEqual([
    'entry_id',
    'customer_id',
    'website_id',
    'event_type',
    'delta',
    'balance_after',
    'base_currency_code',
    'reason',
    'source',
    'idempotency_key',
    'admin_user_id',
    'api_user',
    'created_at',
  ]);
  expect(body.items).toMatchObject([
    { delta: -60, balance_after: 0, admin_user_id: null, api_user: { user_type: 'integration', user_id: 9 } },
    { delta: 5, balance_after: 5, website_id: 2, base_currency_code: 'EUR' },
    { delta: 30, balance_after: 60, admin_user_id: 1, api_user: null },
    { delta: 20, balance_after: 30 },
    { delta: 10, balance_after: 10, customer_id: customerId, source: 'till', idempotency_key: 'key 10' },
  ]);
});

test('pages go on where the one before ended, and the count is of all', async () => {
  const page = (at: number) => `?searchCriteria[pageSize]=2&searchCriteria[currentPage]=${at}`;
  expect([await deltas(page(1)), await deltas(page(2)), await deltas(page(3)), await deltas(page(4))]).toEqual([
    [-60, 5],
    [30, 20],
    [10],
    [],
  ]);
  expect((await history(page(4))).body).toMatchObject({
    total_count: 5,
    search_criteria: { page_size: 2, current_page: 4 },
  });
});

test.each([
  ['a website', 'website_id', '2', 'eq', [5]],
  ['a kind', 'event_type', '2', 'eq', [-60]],
  ['an amount', 'delta', '20', 'gteq', [30, 20]],
  ['a key', 'idempotency_key', 'key 10', 'eq', [10]],
  ['an administrator', 'admin_user_id', '1', 'eq', [5, 30, 20, 10]],
  ['a source, whatever its case', 'source', 'TILL', 'eq', [30, 20, 10]],
  ['a moment to come', 'created_at', '2099-01-01 00:00:00', 'gt', []],
])('entries are found by %s', async (_case, field, value, condition, expected) => {
  const filter = 'searchCriteria[filter_groups][0][filters][0]';
  expect(
    await deltas(`?${filter}[field]=${field}&${filter}[value]=${value}&${filter}[condition_type]=${condition}`),
  ).toEqual(expected);
});

test('no filter reaches another customer’s ledger', async () => {
  const filter = 'searchCriteria[filter_groups][0][filters][0]';
  expect((await history(`?${filter}[field]=customer_id&${filter}[value]=1`)).status).toBe(400);
  expect((await history(`?customerId=1&customer_id=1`)).body.total_count).toBe(5);
});

test('oldest first for who asks', async () => {
  const sort = 'searchCriteria[sortOrders][0]';
  expect(await deltas(`?${sort}[field]=entry_id&${sort}[direction]=ASC`)).toEqual([10, 20, 30, 5, -60]);
});

test('a customer without credit has an empty history, and an unknown one gets 404', async () => {
  expect(await history('', await aCustomer(fork()))).toMatchObject({
    status: 200,
    body: { items: [], total_count: 0 },
  });
  expect(await history('', 999_999)).toMatchObject({
    status: 404,
    body: { parameters: { fieldName: 'customerId', fieldValue: 999_999 } },
  });
});

test('customers and registers do not read it', async () => {
  for (const token of [api.tokens.register, await api.customerToken(customerId)])
    expect((await history('', customerId, token)).status).toBe(401);
});
