import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApi, type TestApi } from '../../../support/api.ts';
import { aCartShop, aShopperWithMugs } from '../../../support/builders/cart.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
  await aCartShop(api.orm.em.fork());
});
afterAll(() => api.close());

const call = (method: string, path: string, body?: object) =>
  api.call(method, `/V1/${path}`, { token: api.tokens.admin, ...(body ? { body } : {}) });
const newRule = async (more: object = {}): Promise<number> => {
  const rule = {
    ...{ name: 'Coupons', website_ids: [1], customer_group_ids: [0, 1, 2, 3], coupon_type: 'SPECIFIC_COUPON' },
    ...{ simple_action: 'by_percent', discount_amount: 10 },
    ...more,
  };
  const { status, body } = await call('POST', 'salesRules', { rule });
  expect({ status, body }).toMatchObject({ status: 200 });
  return body.rule_id;
};
let counter = 0;
const aCode = () => `CODE${++counter}`;
const create = (coupon: object) => call('POST', 'coupons', { coupon });

test('a coupon is answered as it is read, can be posted back, and opens its promotion in a cart', async () => {
  const rule_id = await newRule({ uses_per_coupon: 3, uses_per_customer: 2, to_date: '2030-12-31' });
  const { body: coupon } = await create({ rule_id, code: aCode(), is_primary: true });
  expect(coupon).toMatchObject({
    usage_limit: 3,
    usage_per_customer: 2,
    expiration_date: '2030-12-31 00:00:00',
    type: 0,
  });
  expect((await call('GET', `coupons/${coupon.coupon_id}`)).body).toEqual(coupon);
  expect((await call('PUT', `coupons/${coupon.coupon_id}`, { coupon })).body).toEqual(coupon);

  const shopper = await aShopperWithMugs(api);
  expect((await shopper.totals()).discount_amount).toBe(0);
  expect(await shopper.call('PUT', `/coupons/${coupon.code.toLowerCase()}`)).toMatchObject({ body: true });
  expect(await shopper.totals()).toMatchObject({ discount_amount: -10, coupon_code: coupon.code });
  const renamed = aCode();
  await call('PUT', `coupons/${coupon.coupon_id}`, { coupon: { code: renamed } });
  expect((await shopper.totals()).discount_amount).toBe(0);
  expect(await shopper.place()).toMatchObject({ status: 404 });
});

test.each([
  [{}, { code: '' }, '"%fieldName" is required. Enter and try again.', { fieldName: 'code' }],
  [{}, { code: 'x', rule_id: undefined }, '"%fieldName" is required. Enter and try again.', { fieldName: 'rule_id' }],
  [{}, { code: 'x', rule_id: 9999 }, 'Error occurred when saving coupon: %1', ['No such entity with rule_id = 9999']],
  [
    { coupon_type: 'NO_COUPON', is_active: false },
    { code: 'x' },
    'Error occurred when saving coupon: %1',
    ['Specified rule does not allow coupons'],
  ],
  [
    { use_auto_generation: true },
    { code: 'x' },
    'Error occurred when saving coupon: %1',
    ['Specified rule only allows auto generated coupons'],
  ],
  [
    {},
    { code: 'x', type: 1 },
    'Error occurred when saving coupon: %1',
    ['Specified rule does not allow auto generated coupons'],
  ],
  [{}, { code: 'tenoff' }, '%1 already exists.', ['Coupon with the same code']],
])('for a promotion %j a coupon %j is refused', async (rule, coupon, message, parameters) => {
  const rule_id = await newRule(rule);
  expect(await create({ rule_id, ...coupon })).toMatchObject({ status: 400, body: { message, parameters } });
});

test('a code is there once, however many ask for it at once', async () => {
  const [rule_id, code] = [await newRule(), aCode()];
  const answers = await Promise.all(Array.from({ length: 8 }, () => create({ rule_id, code })));
  expect(answers.map(({ status }) => status).filter((status) => status === 200)).toEqual([200]);
});

test('coupons are drawn in the form that is asked for, and can be used', async () => {
  const rule_id = await newRule({ use_auto_generation: true });
  const spec = { rule_id, quantity: 5, length: 8, format: 'num', prefix: 'P-', suffix: '-S', delimiter_at_every: 4 };
  const draw = (more: object = {}) => call('POST', 'coupons/generate', { couponSpec: { ...spec, ...more } });
  const { body: codes } = await draw();
  expect(codes).toHaveLength(5);
  for (const code of codes) expect(code).toMatch(/^P-\d{4}-\d{4}-S$/);

  const shopper = await aShopperWithMugs(api);
  await shopper.call('PUT', `/coupons/${codes[0]}`);
  expect((await shopper.totals()).discount_amount).toBe(-10);
  const { body: easy } = await draw({ length: 1, quantity: 40, prefix: 'E', suffix: '', delimiter_at_every: 0 });
  for (const code of easy) expect(code).toMatch(/^E\d{3}$/);
  const many = await Promise.all(Array.from({ length: 8 }, () => draw({ length: 3, quantity: 20, prefix: 'Q' })));
  const all = many.flatMap(({ body }) => body);
  expect(new Set(all).size).toBe(160);
});

test('no codes are drawn once all of a form are there, and of a refused call none is kept', async () => {
  const rule_id = await newRule({ use_auto_generation: true });
  const couponSpec = { rule_id, quantity: 2, length: 1, format: 'num', prefix: 'FEW' };
  const codes: string[] = [];
  let answer = await call('POST', 'coupons/generate', { couponSpec });
  for (; answer.status === 200; answer = await call('POST', 'coupons/generate', { couponSpec }))
    codes.push(...answer.body);
  expect(answer).toMatchObject({ status: 400, body: { message: 'Error occurred when generating coupons: %1' } });

  expect(codes.length).toBeLessThanOrEqual(10);
  const { missing_items } = (await call('POST', 'coupons/deleteByCodes', { codes: digits.map((one) => `FEW${one}`) }))
    .body;
  expect(missing_items).toHaveLength(10 - codes.length);
});

const digits = Array.from({ length: 10 }, (_, one) => one);

test.each([
  [{ quantity: 0 }, 'One or more input exceptions have occurred.'],
  [{ rule_id: undefined }, 'One or more input exceptions have occurred.'],
  [{ length: 0 }, 'One or more input exceptions have occurred.'],
  [{ quantity: 10_001 }, 'Maximum items of type "%type" is %max'],
  [{ length: 65 }, 'Invalid value of "%value" provided for the %fieldName field.'],
  [{ format: 'runes' }, 'Invalid value of "%value" provided for the %fieldName field.'],
  [{}, 'Error occurred when generating coupons: %1'],
])('coupons with %j are not drawn', async (more, message) => {
  const couponSpec = { rule_id: await newRule(), quantity: 1, length: 8, format: 'alpha', ...more };
  expect(await call('POST', 'coupons/generate', { couponSpec })).toMatchObject({ status: 400, body: { message } });
});

test('coupons are deleted by id and by code, all or none', async () => {
  const rule_id = await newRule();
  const coupons = await Promise.all([1, 2, 3].map(async () => (await create({ rule_id, code: aCode() })).body));
  const ids = coupons.map(({ coupon_id }) => coupon_id);

  expect(await call('POST', 'coupons/deleteByIds', { ids: [...ids, 99_999], ignoreInvalidIds: false })).toMatchObject({
    status: 400,
    body: { message: 'Some coupons are invalid.' },
  });
  expect((await call('GET', `coupons/${ids[0]}`)).status).toBe(200);
  expect((await call('POST', 'coupons/deleteByIds', { ids: [ids[0], 99_999] })).body).toEqual({
    failed_items: [],
    missing_items: ['99999'],
  });
  const codes = [coupons[1].code.toLowerCase()];
  const deleteCodes = () => call('POST', 'coupons/deleteByCodes', { codes });
  expect((await deleteCodes()).body).toEqual({ failed_items: [], missing_items: [] });
  expect((await deleteCodes()).body).toEqual({ failed_items: [], missing_items: codes });
  expect((await call('DELETE', `coupons/${ids[2]}`)).body).toBe(true);
  expect((await call('DELETE', `coupons/${ids[2]}`)).status).toBe(404);
});

test('a last use is one, however many order at once, and a coupon goes with its promotion', async () => {
  const rule_id = await newRule({ uses_per_coupon: 1 });
  const { body: coupon } = await create({ rule_id, code: aCode() });
  const shoppers = [];
  for (let i = 0; i < 4; i++) shoppers.push(await aShopperWithMugs(api));
  for (const shopper of shoppers) await shopper.call('PUT', `/coupons/${coupon.code}`);
  const answers = await Promise.all(shoppers.map((shopper) => shopper.place()));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404, 404, 404]);
  await call('DELETE', `salesRules/${rule_id}`);
  expect((await call('GET', `coupons/${coupon.coupon_id}`)).status).toBe(404);
});
