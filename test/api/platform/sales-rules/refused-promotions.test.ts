import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApi, type TestApi } from '../../../support/api.ts';
import { aCoupon } from '../../../support/builders/cart.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { expectRefused } from '../../../support/expect-refused.ts';

let api: TestApi;
let ruleId: number;
let couponId: number;
beforeAll(async () => {
  api = await testApi();
  const em = api.orm.em.fork();
  await aShop(em);
  await aCoupon(em, 'FIRST');
  ({ ruleId } = await aCoupon(em, 'SECOND'));
  couponId = (await call('POST', 'coupons', { coupon: { rule_id: ruleId, code: 'THIRD' } })).body.coupon_id;
});
afterAll(() => api.close());

const call = (method: string, path: string, body?: object) =>
  api.call(method, `/V1/${path}`, { token: api.tokens.admin, ...(body ? { body } : {}) });

test.each([
  [{ discount_amount: -1 }, 'Invalid discount amount.'],
  [{ from_date: 'soon' }, 'Invalid value of "%value" provided for the %fieldName field.'],
  [{ website_ids: [], customer_group_ids: [] }, 'Websites must be specified.; Customer Groups must be specified.; '],
])('a change of a promotion to %j is refused', async (rule, said) => {
  await expectRefused({ send: () => call('PUT', `salesRules/${ruleId}`, { rule }), status: 400, said });
});

test.each([
  [{ code: '' }, '"%fieldName" is required. Enter and try again.'],
  [{ code: 'first' }, '%1 already exists.'],
  [{ rule_id: 9999 }, 'Error occurred when saving coupon: %1'],
])('a change of a coupon to %j is refused', async (coupon, said) => {
  expect(couponId).toBeGreaterThan(0);
  await expectRefused({ send: () => call('PUT', `coupons/${couponId}`, { coupon }), status: 400, said });
});

test.each([
  ['POST', 'salesRules', { rule: { rule_id: 9999, name: 'None' } }],
  ['POST', 'coupons', { coupon: { coupon_id: 9999, code: 'NONE' } }],
  ['PUT', 'coupons/9999', { coupon: { code: 'NONE' } }],
])('%s %s changes only what is there', async (method, path, body) => {
  await expectRefused({ send: () => call(method, path, body), status: 404, said: 'No such entity.' });
});

test('an unknown code stops a deletion, unless it is to be ignored', async () => {
  const body = { codes: ['THIRD', 'NONE'], ignoreInvalidCodes: false };
  const send = () => call('POST', 'coupons/deleteByCodes', body);
  await expectRefused({ send, status: 400, said: 'Some coupons are invalid.' });
  expect((await call('GET', `coupons/${couponId}`)).status).toBe(200);
});
