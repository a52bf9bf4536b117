import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { testApi, type TestApi } from '../../../support/api.ts';
import { aCartShop, aShopper, aShopperWithMugs } from '../../../support/builders/cart.ts';
import { aSecondWebsite } from '../../../support/builders/wallet.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
  await aCartShop(api.orm.em.fork());
  await aSecondWebsite(api.orm.em.fork());
});
afterAll(() => api.close());

const made: number[] = [];
afterEach(async () => {
  for (const id of made.splice(0)) await call('DELETE', `salesRules/${id}`);
});

const call = (method: string, path: string, body?: object) =>
  api.call(method, `/V1/${path}`, { token: api.tokens.admin, ...(body ? { body } : {}) });

const family = 'Magento\\SalesRule\\Model\\Rule\\Condition\\';
const every = (kind: string, ...conditions: object[]) => ({
  ...{ condition_type: `${family}${kind}`, aggregator_type: 'all', value: '1', conditions },
});
const asks = (kind: string, attribute_name: string, operator: string, value: string) => ({
  ...{ condition_type: `${family}${kind}`, attribute_name, operator, value },
});
const aRule = (more: object = {}) => ({
  ...{ name: 'Spring', website_ids: [1], customer_group_ids: [0, 1, 2, 3], is_active: true },
  ...{ simple_action: 'by_percent', discount_amount: 10, coupon_type: 'NO_COUPON' },
  ...more,
});
const newRule = async (more: object = {}) => {
  const { status, body } = await call('POST', 'salesRules', { rule: aRule(more) });
  expect({ status, body }).toMatchObject({ status: 200 });
  made.push(body.rule_id);
  return body;
};

test('a promotion is answered as it is read, and can be posted back', async () => {
  const rule = await newRule({
    ...{ description: 'For spring', store_labels: [{ store_id: 0, store_label: 'Spring sale' }] },
    ...{ from_date: '2026-01-01', to_date: '2030-12-31', sort_order: 3, discount_qty: 5, discount_step: 1 },
    condition: every('Combine', asks('Address', 'base_subtotal', '>=', '50'), {
      ...every('Product\\Found', asks('Product', 'sku', '()', 'MUG, PLATE')),
    }),
    action_condition: every('Product\\Combine', asks('Product', 'category_ids', '==', '7')),
  });

  expect(rule).toMatchObject({ name: 'Spring', sort_order: 3, coupon_type: 'NO_COUPON', to_date: '2030-12-31' });
  expect(rule.condition.conditions[0]).toEqual(asks('Address', 'base_subtotal', '>=', '50'));
  expect((await call('GET', `salesRules/${rule.rule_id}`)).body).toEqual(rule);
  expect((await call('PUT', `salesRules/${rule.rule_id}`, { rule })).body).toEqual(rule);
  expect((await call('POST', 'salesRules', { rule })).body).toEqual(rule);
  const renamed = await call('PUT', `salesRules/${rule.rule_id}`, { rule: { name: 'Summer' } });
  expect(renamed.body).toEqual({ ...rule, name: 'Summer' });
});

test('conditions that were sent without a value are kept so, and hold where none of them does', async () => {
  const condition = { ...every('Combine', asks('Address', 'base_subtotal', '>', '800')), operator: null, value: null };
  const action_condition = { ...every('Product\\Combine'), operator: null, value: null };
  const rule = await newRule({ condition, action_condition });
  expect(rule).toMatchObject({ condition, action_condition });
  expect((await call('PUT', `salesRules/${rule.rule_id}`, { rule })).body).toEqual(rule);
  const shopper = await aShopperWithMugs(api);
  expect(await shopper.totals()).toMatchObject({ discount_amount: -10 });
});

const deep = (levels: number): object => every('Combine', ...(levels > 1 ? [deep(levels - 1)] : []));
const wrongValue = 'Invalid value of "%value" provided for the %fieldName field.';

test.each([
  [{ website_ids: [] }, 'Websites must be specified.; '],
  [
    { customer_group_ids: undefined, website_ids: undefined },
    'Websites must be specified.; Customer Groups must be specified.; ',
  ],
  [{ from_date: '2026-02-01', to_date: '2026-01-01' }, 'End Date must follow Start Date.; '],
  [{ discount_amount: -1 }, 'Invalid discount amount.'],
  [{ simple_action: 'give_away' }, wrongValue],
  [{ uses_per_customer: -1 }, wrongValue],
  [{ from_date: '2026-02-31' }, wrongValue],
  [{ condition: every('Combine', asks('Customer', 'age', '>', '3')) }, wrongValue],
  [{ condition: every('Combine', asks('Product', 'sku', '==', 'MUG')) }, wrongValue],
  [{ condition: every('Combine', asks('Address', 'shoe_size', '==', '9')) }, wrongValue],
  [{ action_condition: every('Combine') }, wrongValue],
  [{ condition: every('Combine', asks('Address', 'total_qty', '~', '9')) }, wrongValue],
])('a promotion with %j is refused', async (more, message) => {
  const { status, body } = await call('POST', 'salesRules', { rule: aRule(more) });
  expect({ status, message: body.message }).toEqual({ status: 400, message });
});

test('conditions have an end', async () => {
  expect((await call('POST', 'salesRules', { rule: aRule({ condition: deep(30) }) })).status).toBe(400);
  const many = every('Combine', ...Array.from({ length: 200 }, () => asks('Address', 'total_qty', '>', '0')));
  expect((await call('POST', 'salesRules', { rule: aRule({ condition: many }) })).status).toBe(400);
});

test('what is not there is refused without its id', async () => {
  for (const method of ['PUT', 'DELETE'])
    expect(await call(method, 'salesRules/99999', method === 'PUT' ? { rule: aRule() } : undefined)).toMatchObject({
      status: 404,
      body: { message: 'No such entity.' },
    });
});

test.each([
  ['without conditions', {}, 10],
  ['for another website', { website_ids: [2] }, 0],
  ['for guests', { customer_group_ids: [0] }, 0],
  ['that is switched off', { is_active: false }, 0],
  ['that is over', { to_date: '2020-01-01' }, 0],
  ['from 100 on', { condition: every('Combine', asks('Address', 'base_subtotal', '>=', '100')) }, 10],
  ['from 101 on', { condition: every('Combine', asks('Address', 'base_subtotal', '>=', '101')) }, 0],
  ['for New York', { condition: every('Combine', asks('Address', 'region_id', '==', '43')) }, 10],
  [
    'for carts with a rug',
    { condition: every('Combine', every('Product\\Found', asks('Product', 'sku', '==', 'RUG'))) },
    0,
  ],
  ['for mugs', { action_condition: every('Product\\Combine', asks('Product', 'sku', '==', 'mug')) }, 10],
  ['for other goods', { action_condition: every('Product\\Combine', asks('Product', 'sku', '!=', 'MUG')) }, 0],
  ['of five a piece', { simple_action: 'by_fixed', discount_amount: 5 }, 10],
  ['of one free with one', { simple_action: 'buy_x_get_y', discount_amount: 1, discount_step: 1 }, 50],
  [
    'with two mugs or more',
    {
      condition: every('Combine', {
        ...every('Product\\Subselect', asks('Product', 'sku', '==', 'MUG')),
        ...{ attribute_name: 'qty', operator: '>=', value: '2' },
      }),
    },
    10,
  ],
])('a promotion %s', async (_case, more, off) => {
  const shopper = await aShopperWithMugs(api);
  await newRule(more);
  expect((await shopper.totals()).discount_amount).toBe(0 - off);
});

test('promotions follow each other in their order, until one stops the rest', async () => {
  const shopper = await aShopperWithMugs(api);
  const second = await newRule({ sort_order: 2 });
  const first = await newRule({ sort_order: 1, simple_action: 'by_fixed', discount_amount: 10 });
  expect((await shopper.totals()).discount_amount).toBe(-28);
  await call('PUT', `salesRules/${first.rule_id}`, { rule: { stop_rules_processing: true } });
  expect((await shopper.totals()).discount_amount).toBe(-20);

  const { body: orderId } = await shopper.place();
  const { body: order } = await call('GET', `orders/${orderId}`);
  expect(order).toMatchObject({ discount_amount: -20, applied_rule_ids: String(first.rule_id), grand_total: 96.4 });
  expect(order.items[0]).toMatchObject({ discount_amount: 20, applied_rule_ids: String(first.rule_id) });
  expect((await call('GET', `salesRules/${first.rule_id}`)).body.times_used).toBe(1);
  expect((await call('GET', `salesRules/${second.rule_id}`)).body.times_used).toBe(0);
});

test('a promotion that ships free, and one that discounts shipping', async () => {
  const shopper = await aShopper(api);
  await shopper.open();
  await shopper.put('MUG', 2);
  await shopper.put('RUG', 1);
  await shopper.ship();
  const mugs = every('Product\\Combine', asks('Product', 'sku', '==', 'MUG'));
  const rule = await newRule({ discount_amount: 0, simple_free_shipping: '1', action_condition: mugs });
  expect((await shopper.totals()).shipping_amount).toBe(5);
  await call('PUT', `salesRules/${rule.rule_id}`, { rule: { simple_free_shipping: '2' } });
  expect((await shopper.totals()).shipping_amount).toBe(0);

  const half = { simple_free_shipping: '0', discount_amount: 50, apply_to_shipping: true };
  await call('PUT', `salesRules/${rule.rule_id}`, { rule: half });
  expect(await shopper.totals()).toMatchObject({
    shipping_amount: 15,
    shipping_discount_amount: 7.5,
    discount_amount: -57.5,
  });
  const { body: orderId } = await shopper.place();
  expect((await call('GET', `orders/${orderId}`)).body).toMatchObject({
    shipping_discount_amount: 7.5,
    discount_amount: -57.5,
  });
});

test('a customer uses a promotion as often as it says, also in two orders at once', async () => {
  const rule = await newRule({ uses_per_customer: 1 });
  const shopper = await aShopperWithMugs(api);
  expect((await shopper.totals()).discount_amount).toBe(-10);
  await Promise.all([shopper.place(), shopper.place()]);
  await shopper.open();
  await shopper.put('MUG', 1);
  expect((await shopper.totals()).discount_amount).toBe(0);
  expect((await (await aShopperWithMugs(api)).totals()).discount_amount).toBe(-10);
  expect((await call('GET', `salesRules/${rule.rule_id}`)).body.times_used).toBe(1);
});
