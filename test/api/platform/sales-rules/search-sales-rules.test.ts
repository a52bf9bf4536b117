import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApi, type TestApi } from '../../../support/api.ts';
import { aCartShop } from '../../../support/builders/cart.ts';
import { aPostedSale } from '../../../support/builders/posted-sale.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
  await aCartShop(api.orm.em.fork());
});
afterAll(() => api.close());

const token = () => ({ token: api.tokens.register });
const found = async (path: string, field: string, value: string) => {
  const filter = `searchCriteria[filter_groups][0][filters][0]`;
  const { body } = await api.call('GET', `${path}?${filter}[field]=${field}&${filter}[value]=${value}`, token());
  return body.items;
};

test('a register learns the promotions there are', async () => {
  const [rule, ...others] = await found('/V1/salesRules/search', 'name', 'OVER');

  expect(others).toEqual([]);
  const anyGoods = { conditions: [], aggregator_type: 'all', operator: null, value: '1' };
  expect(rule).toEqual({
    rule_id: expect.any(Number),
    name: 'OVER',
    store_labels: [],
    description: '',
    condition: { ...anyGoods, condition_type: 'Magento\\SalesRule\\Model\\Rule\\Condition\\Combine' },
    action_condition: { ...anyGoods, condition_type: 'Magento\\SalesRule\\Model\\Rule\\Condition\\Product\\Combine' },
    is_advanced: true,
    sort_order: 0,
    discount_qty: 0,
    is_rss: false,
    use_auto_generation: false,
    website_ids: expect.arrayContaining([1]),
    customer_group_ids: expect.arrayContaining([0, 1, 2, 3]),
    to_date: '2020-01-01',
    uses_per_customer: 0,
    uses_per_coupon: 0,
    is_active: true,
    stop_rules_processing: false,
    simple_action: 'by_percent',
    discount_amount: 10,
    discount_step: 0,
    apply_to_shipping: false,
    times_used: 0,
    coupon_type: 'SPECIFIC_COUPON',
    simple_free_shipping: '0',
  });
  expect(await found('/V1/salesRules/search', 'website_ids', '1')).toHaveLength(4);
});

test('promotions of the news feed are found among the others', async () => {
  const put = (rule: object) =>
    api.call('PUT', `/V1/salesRules/${once.rule_id}`, { token: api.tokens.admin, body: { rule } });
  const [once] = await found('/V1/salesRules/search', 'name', 'ONCE');
  expect((await put({ is_rss: true, is_advanced: false, discount_qty: 3, discount_step: 2 })).status).toBe(200);
  for (const [field, value] of [
    ['is_rss', '1'],
    ['is_advanced', '0'],
    ['discount_qty', '3'],
    ['discount_step', '2'],
  ] as const)
    expect(await found('/V1/salesRules/search', field, value)).toMatchObject([{ name: 'ONCE' }]);
  expect(await found('/V1/salesRules/search', 'is_rss', '0')).toHaveLength(3);
  expect(await found('/V1/salesRules/search', 'simple_free_shipping', '0')).toHaveLength(4);
});

test('a coupon counts its uses however it was typed at the till', async () => {
  const [coupon] = await found('/V1/coupons/search', 'code', 'once');
  expect(coupon).toEqual({
    coupon_id: expect.any(Number),
    rule_id: expect.any(Number),
    code: 'ONCE',
    usage_limit: 1,
    usage_per_customer: 0,
    times_used: 0,
    is_primary: true,
    created_at: expect.stringMatching(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/),
    type: 0,
  });

  const entity = aPostedSale({ coupon_code: 'once', applied_rule_ids: String(coupon.rule_id) });
  const { body: order } = await api.call('POST', '/V1/orders', { ...token(), body: { entity } });
  expect(order.coupon_code).toBe('once');
  expect(await found('/V1/coupons/search', 'code', 'ONCE')).toMatchObject([{ times_used: 1 }]);
  expect(await found('/V1/salesRules/search', 'name', 'ONCE')).toMatchObject([{ times_used: 1 }]);

  await api.call('POST', `/V1/orders/${order.entity_id}/cancel`, token());
  expect(await found('/V1/coupons/search', 'code', 'ONCE')).toMatchObject([{ times_used: 0 }]);
});

test('a promotion and its coupon are read by themselves as in the list', async () => {
  const [rule] = await found('/V1/salesRules/search', 'name', 'OVER');
  const [coupon] = await found('/V1/coupons/search', 'rule_id', String(rule.rule_id));

  expect((await api.call('GET', `/V1/salesRules/${rule.rule_id}`, token())).body).toEqual(rule);
  expect((await api.call('GET', `/V1/coupons/${coupon.coupon_id}`, token())).body).toEqual(coupon);
});

test('coupons are found by the day they were made', async () => {
  const filter = 'searchCriteria[filter_groups][0][filters][0]';
  const after = (day: string) =>
    api.call(
      'GET',
      `/V1/coupons/search?${filter}[field]=created_at&${filter}[value]=${day}&${filter}[condition_type]=gt`,
      {
        ...token(),
      },
    );
  expect((await after('2000-01-01')).body.total_count).toBe(4);
  expect((await after('2100-01-01')).body.total_count).toBe(0);
});

test.each(['/V1/salesRules/999999', '/V1/coupons/999999', '/V1/salesRules/0', '/V1/coupons/-1'])(
  '%s is not there, and the answer names no field',
  async (path) => {
    const { status, body } = await api.call('GET', path, token());
    expect({ status, body }).toEqual({ status: 404, body: { message: 'No such entity.' } });
  },
);

test.each(['/V1/salesRules/one', '/V1/coupons/ONCE'])('%s is no number', async (path) => {
  expect((await api.call('GET', path, token())).status).toBe(400);
});
