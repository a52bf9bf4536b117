import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApi, type TestApi } from '../../../support/api.ts';
import { aShop } from '../../../support/builders/shop.ts';

/** What belongs to a customer group or a website that is not there is refused; the same one twice counts once. */
let api: TestApi;
beforeAll(async () => {
  api = await testApi();
  await aShop(api.orm.em.fork());
});
afterAll(() => api.close());

const send = (method: string, path: string, body?: object) =>
  api.call(method, `/V1/${path}`, { token: api.tokens.admin, ...(body ? { body } : {}) });
const tiers = (customer_group_id: number) => ({
  product: { tier_prices: [{ customer_group_id, qty: 2, value: 40 }] },
});
const invalid = (fieldName: string, value: number) => ({
  status: 400,
  body: {
    message: 'Invalid value of "%value" provided for the %fieldName field.',
    parameters: { fieldName, value },
  },
});

test('a tier price is of a group that is there, or of all', async () => {
  expect(await send('PUT', 'products/MUG', tiers(2))).toMatchObject({ status: 200 });
  expect(await send('PUT', 'products/MUG', tiers(99))).toMatchObject(invalid('customer_group_id', 99));
  expect((await send('GET', 'products/MUG')).body.tier_prices).toMatchObject([{ customer_group_id: 2 }]);
  expect(await send('PUT', 'products/MUG', tiers(32_000))).toMatchObject({ status: 200 });
});

test.each([
  [{ website_ids: [1, 77] }, 'website_ids', 77],
  [{ website_ids: [0] }, 'website_ids', 0],
  [{ customer_group_ids: [1, 99] }, 'customer_group_ids', 99],
  [{ customer_group_ids: [1, 32_000] }, 'customer_group_ids', 32_000],
])('a promotion with %j is refused, new or changed', async (over, fieldName, value) => {
  const rule = { name: 'Spring', website_ids: [1], customer_group_ids: [1], discount_amount: 5 };
  expect(await send('POST', 'salesRules', { rule: { ...rule, ...over } })).toMatchObject(invalid(fieldName, value));
  const { body } = await send('POST', 'salesRules', { rule });
  expect(await send('PUT', `salesRules/${body.rule_id}`, { rule: over })).toMatchObject(invalid(fieldName, value));
  const { body: kept } = await send('GET', `salesRules/${body.rule_id}`);
  expect(kept).toMatchObject({ website_ids: [1], customer_group_ids: [1] });
});

test('a promotion keeps a website and a group once, however often they are named', async () => {
  const rule = { name: 'Spring', website_ids: [1, 1], customer_group_ids: [1, 2, 1], discount_amount: 5 };
  const { status, body } = await send('POST', 'salesRules', { rule });
  expect({ status, body }).toMatchObject({ status: 200, body: { website_ids: [1], customer_group_ids: [1, 2] } });
  const changed = await send('PUT', `salesRules/${body.rule_id}`, { rule: { customer_group_ids: [2, 2] } });
  expect(changed.body).toMatchObject({ website_ids: [1], customer_group_ids: [2] });
});

test('a group is kept from websites that are there', async () => {
  const group = (...exclude_website_ids: number[]) => ({
    group: { code: 'Club', extension_attributes: { exclude_website_ids } },
  });
  expect(await send('POST', 'customerGroups', group(77))).toMatchObject(invalid('exclude_website_ids', 77));
  const { status, body } = await send('POST', 'customerGroups', group(1));
  expect(status).toBe(200);
  expect(await send('PUT', `customerGroups/${body.id}`, group(1, 77))).toMatchObject(
    invalid('exclude_website_ids', 77),
  );
  const twice = await send('PUT', `customerGroups/${body.id}`, group(1, 1));
  expect(twice.body.extension_attributes).toMatchObject({ exclude_website_ids: [1] });
});
