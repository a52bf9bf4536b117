import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { aCartShop, aCoupon, aShopper, aShopperWithMugs } from '../../../support/builders/cart.ts';
import { aPostedSale } from '../../../support/builders/posted-sale.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { aSecondWebsite } from '../../../support/builders/wallet.ts';
import { expectRefused } from '../../../support/expect-refused.ts';
import { useApi } from '../../../support/fixtures.ts';

describe('refused promotions', () => {
  const api = useApi();
  let ruleId: number;
  let couponId: number;
  beforeAll(async () => {
    const em = api.orm.em.fork();
    await aShop(em);
    await aCoupon(em, 'FIRST');
    ({ ruleId } = await aCoupon(em, 'SECOND'));
    couponId = (await call('POST', 'coupons', { coupon: { rule_id: ruleId, code: 'THIRD' } })).body.coupon_id;
  });

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
});

describe('save coupons', () => {
  const api = useApi();
  beforeAll(() => aCartShop(api.orm.em.fork()));

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

    expect(await call('POST', 'coupons/deleteByIds', { ids: [...ids, 99_999], ignoreInvalidIds: false })).toMatchObject(
      {
        status: 400,
        body: { message: 'Some coupons are invalid.' },
      },
    );
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
});

describe('save sales rules', () => {
  const api = useApi();
  beforeAll(async () => {
    await aCartShop(api.orm.em.fork());
    await aSecondWebsite(api.orm.em.fork());
  });

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
    const condition = {
      ...every('Combine', asks('Address', 'base_subtotal', '>', '800')),
      operator: null,
      value: null,
    };
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
});

describe('search sales rules', () => {
  const api = useApi();
  beforeAll(() => aCartShop(api.orm.em.fork()));

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
});
