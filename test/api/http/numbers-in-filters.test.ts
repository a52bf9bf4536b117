import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApi, type TestApi } from '../../support/api.ts';
import { anOrder } from '../../support/builders/order.ts';
import { aShop } from '../../support/builders/shop.ts';

/** Numbers in a filter are compared as numbers, also with a column of whole ones: in every list alike. */
let api: TestApi;
beforeAll(async () => {
  api = await testApi();
  await aShop(api.orm.em.fork());
  for (let sale = 0; sale < 2; sale++) await anOrder(api.orm.em.fork());
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  await api.close();
});

const lists = [
  ['orders', 'entity_id'],
  ['orders', 'store_id'],
  ['orders/items', 'item_id'],
  ['invoices', 'entity_id'],
  ['invoices', 'state'],
  ['creditmemos', 'entity_id'],
  ['shipments', 'entity_id'],
  ['transactions', 'transaction_id'],
  ['products', 'entity_id'],
  ['products', 'status'],
  ['customers/search', 'entity_id'],
  ['customerGroups/search', 'id'],
  ['carts/search', 'entity_id'],
  ['salesRules/search', 'rule_id'],
  ['coupons/search', 'coupon_id'],
  ['taxRates/search', 'id'],
  ['taxRules/search', 'id'],
  ['taxClasses/search', 'class_id'],
  ['inventory/source-items', 'status'],
  ['inventory/stocks', 'stock_id'],
  ['categories/list', 'entity_id'],
  ['cmsPage/search', 'page_id'],
  ['cmsBlock/search', 'block_id'],
  ['pos/terminals', 'location_id'],
  ['pos/locations', 'location_id'],
  ['pos/receipts', 'terminal_id'],
] as const;

const filtered = async (path: string, filters: readonly (readonly [field: string, value: string, type: string])[]) => {
  const query = filters.flatMap(([field, value, condition_type], at) =>
    Object.entries({ field, value, condition_type }).map(
      ([key, text]) => `searchCriteria[filter_groups][0][filters][${at}][${key}]=${encodeURIComponent(text)}`,
    ),
  );
  const { status, body } = await api.call('GET', `/V1/${path}?${query.join('&')}`, { token: api.tokens.admin });
  return status === 200 ? Number(body.total_count ?? body.length) : { status, ...body };
};

test.each(lists)('%s by %s', async (path, field) => {
  const count = (value: string, type: string) => filtered(path, [[field, value, type]]);
  const all = await count('-1e3', 'gt');
  expect(all).toEqual(expect.any(Number));
  const ones = await count('1', 'eq');
  expect([await count('1e0', 'eq'), await count('10E-1', 'in'), await count(' 1.00', 'eq')]).toEqual([
    ones,
    ones,
    ones,
  ]);
  expect([await count('1.5', 'eq'), await count('1.5,.25', 'in')]).toEqual([0, 0]);
  expect([await count('1.5', 'neq'), await count('1.5,0.25', 'nin'), await count('1e200', 'lt')]).toEqual([
    all,
    all,
    all,
  ]);
  expect(await count('1.5,1e0', 'in')).toBe(ones);
  expect(await count('1.5', 'gt')).toBe(await count('2', 'gteq'));
  expect(await count('1.5', 'lteq')).toBe(await count('1', 'lteq'));
  expect(
    await filtered(path, [
      [field, '0.5', 'from'],
      [field, '1.5', 'to'],
    ]),
  ).toBe(ones);
});
