import { beforeAll, describe, expect, test } from '@jest/globals';
import { taxGoods } from '../../../../db/platform/tax/tax-goods.ts';
import { booksOf } from '../../../support/books.ts';
import { aCartShop, aShopperWithMugs, troy } from '../../../support/builders/cart.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { expectRefused } from '../../../support/expect-refused.ts';
import { useApi } from '../../../support/fixtures.ts';
import { firstId } from '../../../support/first-id.ts';

describe('refused taxes', () => {
  const api = useApi();
  const ids = { rate: 0, rule: 0, class: 0 };
  const call = (method: string, path: string, body?: object) =>
    api.call(method, `/V1/${path}`, { token: api.tokens.admin, ...(body ? { body } : {}) });

  const rate = { code: 'One', tax_country_id: 'US', tax_region_id: 43, tax_postcode: '*', rate: 4 };
  const rule = { code: 'One', position: 0, priority: 0, customer_tax_class_ids: [3], product_tax_class_ids: [2] };
  beforeAll(async () => {
    await aShop(api.orm.em.fork());
    await call('POST', 'taxRates', { taxRate: rate });
    ids.rate = (await call('POST', 'taxRates', { taxRate: { ...rate, code: 'Two' } })).body.id;
    const more = { tax_rate_ids: [ids.rate] };
    await call('POST', 'taxRules', { rule: { ...rule, ...more } });
    ids.rule = (await call('POST', 'taxRules', { rule: { ...rule, ...more, code: 'Two' } })).body.id;
    for (const class_name of ['One', 'Two'])
      ids.class = Number((await call('POST', 'taxClasses', { taxClass: { class_name, class_type: 'PRODUCT' } })).body);
  });

  const unknown = 'No such entity with %fieldName = %fieldValue';
  const required = '"%fieldName" is required. Enter and try again.';
  const wrong = 'Invalid value of "%value" provided for the %fieldName field.';
  const taken = '%1 already exists.';

  describe('a change of a rate', () => {
    const range = { tax_postcode: undefined, zip_is_range: 1, zip_from: 9, zip_to: 8 };
    test.each([
      [{ id: 9999 }, 404, unknown],
      [{ code: '' }, 400, required],
      [{ code: 'one' }, 400, taken],
      [{ tax_region_id: 9999 }, 400, wrong],
      [range, 400, 'Range To should be equal or greater than Range From.'],
    ])('to %j is refused', async (more, status, said) => {
      const taxRate = { ...rate, code: 'Two', id: ids.rate, ...more };
      await expectRefused({ send: () => call('PUT', 'taxRates', { taxRate }), status, said });
    });

    test('that is posted needs one that is there', async () => {
      const send = () => call('POST', 'taxRates', { taxRate: { ...rate, id: 9999 } });
      await expectRefused({ send, status: 404, said: unknown });
    });
  });

  describe('a change of a rule', () => {
    const negative = 'The priority value of "-1" must be greater than or equal to 0.';
    const rows = [
      [{ id: 9999 }, 404, unknown],
      [{ code: '' }, 400, '"code" is required. Enter and try again.'],
      [{ code: 'one' }, 400, taken],
      [{ product_tax_class_ids: [77] }, 400, 'No such entity with class_id = 77'],
      [{ priority: -1 }, 400, negative],
    ] as const;
    test.each(rows.flatMap((row) => [['PUT', ...row] as const, ['POST', ...row] as const]))(
      'by %s to %j is refused',
      async (method, more, status, said) => {
        const sent = { ...rule, code: 'Two', tax_rate_ids: [ids.rate], id: ids.rule, ...more };
        await expectRefused({ send: () => call(method, 'taxRules', { rule: sent }), status, said });
      },
    );

    test('needs one that is there, as its deletion does', async () => {
      await expectRefused({ send: () => call('DELETE', 'taxRules/9999'), status: 404, said: unknown });
    });
  });

  describe('a change of a class', () => {
    test.each([
      [{ class_name: '' }, 400, required],
      [{ class_type: 'CUSTOMER' }, 400, 'Updating classType is not allowed.'],
      [{ class_name: 'one' }, 400, 'A class with the same name already exists for ClassType %1.'],
    ])('to %j is refused', async (more, status, said) => {
      const taxClass = { class_name: 'Two', class_type: 'PRODUCT', ...more };
      await expectRefused({ send: () => call('PUT', `taxClasses/${ids.class}`, { taxClass }), status, said });
    });

    test.each([
      ['PUT', 'taxClasses/9999', {}],
      ['POST', 'taxClasses', { class_id: 9999 }],
    ])('by %s %s needs one that is there', async (method, path, more) => {
      const taxClass = { class_name: 'Three', class_type: 'PRODUCT', ...more };
      await expectRefused({ send: () => call(method, path, { taxClass }), status: 404, said: unknown });
    });
  });
});

describe('save tax', () => {
  const { change } = booksOf(() => api.orm);

  const api = useApi();
  beforeAll(() => aCartShop(api.orm.em.fork()));

  const call = (method: string, path: string, body?: object) =>
    api.call(method, `/V1/${path}`, { token: api.tokens.admin, ...(body ? { body } : {}) });
  const made = async (answer: ReturnType<typeof call>) => {
    const { status, body } = await answer;
    expect({ status, body }).toMatchObject({ status: 200 });
    return body;
  };

  let counter = 0;
  const aRate = (more: object = {}) => ({
    ...{ code: `Rate ${++counter}`, tax_country_id: 'US', tax_region_id: 43, tax_postcode: '*', rate: 4.25 },
    ...more,
  });
  const createRate = (more: object = {}) => call('POST', 'taxRates', { taxRate: aRate(more) });
  const newRate = (more: object = {}) => made(createRate(more));
  const aRule = (rateIds: number[], more: object = {}) => ({
    ...{ code: `Rule ${++counter}`, position: 0, priority: 0, calculate_subtotal: false },
    ...{ customer_tax_class_ids: [3], product_tax_class_ids: [2], tax_rate_ids: rateIds },
    ...more,
  });
  const newClass = async (class_type: string) =>
    Number(await made(call('POST', 'taxClasses', { taxClass: { class_name: `Class of ${++counter}`, class_type } })));

  test('a rate is answered as it is read, and can be posted back', async () => {
    const rate = await newRate({ titles: [{ store_id: '1', value: 'State tax' }] });

    expect(rate).toEqual({
      ...{
        id: expect.any(Number),
        code: expect.any(String),
        tax_country_id: 'US',
        tax_region_id: 43,
        region_name: 'NY',
      },
      ...{ tax_postcode: '*', rate: 4.25, titles: [{ store_id: '1', value: 'State tax' }] },
    });
    expect(await made(call('GET', `taxRates/${rate.id}`))).toEqual(rate);
    for (const method of ['PUT', 'POST'])
      expect(await made(call(method, 'taxRates', { tax_rate: rate }))).toEqual(rate);
  });

  test('a range of postcodes is kept as one', async () => {
    const rate = await newRate({ tax_postcode: undefined, zip_is_range: 1, zip_from: 17, zip_to: 25 });

    expect(rate).toMatchObject({ tax_postcode: '17-25', zip_is_range: 1, zip_from: 17, zip_to: 25 });
    const plain = await made(call('PUT', 'taxRates', { taxRate: { ...rate, zip_is_range: 0, tax_postcode: '12180' } }));
    expect(plain).not.toHaveProperty('zip_from');
  });

  const required = '"%fieldName" is required. Enter and try again.';
  const invalidValue = 'Invalid value of "%value" provided for the %fieldName field.';

  test.each([
    [{ tax_country_id: undefined }, required, { fieldName: 'country_id' }],
    [{ tax_country_id: 'XX', tax_region_id: 0 }, invalidValue, { fieldName: 'country_id', value: 'XX' }],
    [{ tax_region_id: 9999 }, invalidValue, { fieldName: 'region_id', value: 9999 }],
    [{ rate: undefined }, required, { fieldName: 'percentage_rate' }],
    [{ rate: -1 }, required, { fieldName: 'percentage_rate' }],
    [{ rate: 100.01 }, invalidValue, { fieldName: 'percentage_rate', value: 100.01 }],
    [{ code: ' ' }, required, { fieldName: 'code' }],
    [{ tax_postcode: '' }, required, { fieldName: 'postcode' }],
    [{ zip_is_range: 1, zip_from: -1, zip_to: 2 }, invalidValue, { fieldName: 'zip_from', value: -1 }],
    [{ zip_is_range: 1, zip_from: 2 ** 30, zip_to: 2 ** 30 }, 'One or more input exceptions have occurred.', undefined],
    [{ zip_is_range: 1, zip_from: 9, zip_to: 2 }, 'Range To should be equal or greater than Range From.', undefined],
    [{ titles: [{ store_id: '99', value: 'x' }] }, invalidValue, { fieldName: 'store_id', value: '99' }],
  ])('a rate with %j is refused, and nothing is kept', async (more, message, parameters) => {
    const count = async () => (await made(call('GET', 'taxRates/search?searchCriteria='))).total_count;
    const before = await count();
    const { status, body } = await createRate(more);
    expect({ status, message: body.message, parameters: body.parameters }).toEqual({
      status: 400,
      message,
      parameters,
    });
    expect(await count()).toBe(before);
  });

  test('several faults of a rate come together', async () => {
    const { body } = await createRate({ tax_country_id: '', code: '' });
    expect(body.errors.map((error: { parameters: object }) => error.parameters)).toEqual([
      { fieldName: 'country_id' },
      { fieldName: 'code' },
    ]);
  });

  test('a code is there once, however many ask for it at once', async () => {
    const code = `Only ${++counter}`;
    const answers = await Promise.all(Array.from({ length: 8 }, () => createRate({ code })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await createRate({ code: code.toUpperCase() })).toMatchObject({
      status: 400,
      body: { message: '%1 already exists.', parameters: ['Code'] },
    });
  });

  test('a rule can be posted back, and a rate or class that it names stays', async () => {
    const [rate, goods, buyers] = [await newRate(), await newClass('PRODUCT'), await newClass('CUSTOMER')];
    const classes = { customer_tax_class_ids: [3, buyers], product_tax_class_ids: [goods] };
    const rule = await made(call('POST', 'taxRules', { rule: aRule([rate.id], classes) }));

    expect(await made(call('GET', `taxRules/${rule.id}`))).toEqual(rule);
    expect(await made(call('PUT', 'taxRules', { rule }))).toEqual(rule);
    expect(await call('DELETE', `taxRates/${rate.id}`)).toMatchObject({
      status: 400,
      body: { message: 'The tax rate cannot be removed. It exists in a tax rule.' },
    });
    for (const id of [goods, buyers])
      expect(await call('DELETE', `taxClasses/${id}`)).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining('it is used in Tax Rules.') },
      });
    expect(await made(call('DELETE', `taxRules/${rule.id}`))).toBe(true);
    for (const path of [`taxRates/${rate.id}`, `taxClasses/${goods}`, `taxClasses/${buyers}`]) {
      expect(await made(call('DELETE', path))).toBe(true);
      expect(await call('DELETE', path)).toMatchObject({ status: 404 });
    }
  });

  test.each([
    [{ code: '' }, '"code" is required. Enter and try again.'],
    [{ priority: -1 }, 'The priority value of "-1" must be greater than or equal to 0.'],
    [{ position: null }, '"position" is required. Enter and try again.'],
    [{ customer_tax_class_ids: [2] }, 'No such entity with customer_tax_class_ids = %fieldValue'],
    [{ product_tax_class_ids: [3] }, 'No such entity with product_tax_class_ids = %fieldValue'],
    [{ product_tax_class_ids: [777] }, 'No such entity with class_id = 777'],
    [{ tax_rate_ids: [777] }, 'No such entity with tax_rate_ids = 777'],
    [
      { tax_rate_ids: [], code: '' },
      '"code" is required. Enter and try again.\n"tax_rate_ids" is required. Enter and try again.',
    ],
  ])('a rule with %j is refused', async (more, message) => {
    const { id } = await newRate();
    const { status, body } = await call('POST', 'taxRules', { rule: aRule([id], more) });
    expect({ status, message: body.message }).toEqual({ status: 400, message });
  });

  test('a rule and the deletion of its rate at once: one of them wins', async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = await newRate();
      const [saved, deleted] = await Promise.all([
        call('POST', 'taxRules', { rule: aRule([id], { product_tax_class_ids: [await newClass('PRODUCT')] }) }),
        call('DELETE', `taxRates/${id}`),
      ]);
      expect(saved.status + deleted.status).toBe(600);
    }
  });

  test.each([
    [{ class_name: '', class_type: 'PRODUCT' }, required, { fieldName: 'class_name' }],
    [{ class_name: 'x' }, required, { fieldName: 'class_type' }],
    [{ class_name: 'x', class_type: 'OTHER' }, invalidValue, { fieldName: 'class_type', value: 'OTHER' }],
    [
      { class_name: 'taxable GOODS', class_type: 'PRODUCT' },
      'A class with the same name already exists for ClassType %1.',
      ['PRODUCT'],
    ],
    [{ class_id: 2, class_name: 'x', class_type: 'CUSTOMER' }, 'Updating classType is not allowed.', undefined],
  ])('a class %j is refused', async (taxClass, message, parameters) => {
    const { status, body } = await call('POST', 'taxClasses', { taxClass });
    expect({ status, ...body }).toEqual({ status: 400, message, ...(parameters ? { parameters } : {}) });
  });

  test('a class is renamed, and stays while goods or customers have it', async () => {
    const id = await newClass('PRODUCT');
    const taxClass = { class_name: `Maps ${id}`, class_type: 'PRODUCT' };
    expect(await made(call('PUT', `taxClasses/${id}`, { taxClass }))).toBe(String(id));
    expect(await made(call('GET', `taxClasses/${id}`))).toEqual({ class_id: id, ...taxClass });

    const inUse = 'You cannot delete this tax class because it is used in existing %1(s).';
    await change('product', { sku: 'RUG' }, { tax_class_id: id });
    expect(await call('DELETE', `taxClasses/${id}`)).toMatchObject({
      body: { message: inUse, parameters: ['product'] },
    });
    const buyers = await newClass('CUSTOMER');
    await made(call('POST', 'customerGroups', { group: { code: `Club ${buyers}`, tax_class_id: buyers } }));
    expect(await call('DELETE', `taxClasses/${buyers}`)).toMatchObject({ body: { parameters: ['customer group'] } });
  });

  test('a cart bears what the rules say at its next reading', async () => {
    const shopper = await aShopperWithMugs(api);
    expect(await shopper.totals()).toMatchObject({ subtotal: 100, tax_amount: 8 });

    const city = await newRate({ tax_postcode: troy.postcode, rate: 2 });
    const rule = await made(call('POST', 'taxRules', { rule: aRule([city.id], { priority: 1 }) }));
    expect((await shopper.totals()).tax_amount).toBe(10.16);
    await made(call('PUT', 'taxRules', { rule: { ...rule, calculate_subtotal: true } }));
    expect((await shopper.totals()).tax_amount).toBe(10);
    await made(call('PUT', 'taxRates', { taxRate: { ...city, zip_is_range: true, zip_from: 12_000, zip_to: 12_179 } }));
    expect((await shopper.totals()).tax_amount).toBe(8);
    await made(call('PUT', 'taxRates', { taxRate: { ...city, zip_is_range: true, zip_from: 12_000, zip_to: 12_180 } }));
    expect((await shopper.totals()).tax_amount).toBe(10);
    await made(call('DELETE', `taxRules/${rule.id}`));
    expect((await shopper.totals()).tax_amount).toBe(8);
  });

  test('who belongs to a class of customers that no rule names pays no tax', async () => {
    const shopper = await aShopperWithMugs(api);
    const resellers = await newClass('CUSTOMER');
    const group = { code: `Resellers ${resellers}`, tax_class_id: resellers };
    const { id } = await made(call('POST', 'customerGroups', { group }));
    await change('customer', { id: shopper.customerId }, { group_id: id });
    expect(await shopper.totals()).toMatchObject({ tax_amount: 0, grand_total: 110 });
  });
});

describe('search tax', () => {
  const api = useApi();
  beforeAll(async () => {
    const em = fork();
    await aShop(em);
    await taxGoods(em, { code: 'US-NY', taxClassId: 2, countryId: 'US', regionId: 43, percent: '8' });
    await taxGoods(em, { code: 'DE', taxClassId: 2, countryId: 'DE', regionId: 0, percent: '19' });
    await taxGoods(em, { code: 'DE-books', taxClassId: 5, countryId: 'DE', regionId: 0, percent: '7.5' });
  });

  const { fork } = booksOf(() => api.orm);

  const get = (path: string) => api.call('GET', path, { token: api.tokens.register });
  const where = (field: string, value: string) =>
    `searchCriteria[filter_groups][0][filters][0][field]=${field}&searchCriteria[filter_groups][0][filters][0][value]=${value}`;

  test('a register learns what each place takes', async () => {
    const { status, body } = await get(`/V1/taxRates/search?${where('tax_country_id', 'us')}`);

    expect({ status, ...body }).toMatchObject({
      status: 200,
      items: [{ tax_country_id: 'US', tax_region_id: 43, tax_postcode: '*', rate: 8, code: 'US-NY', titles: [] }],
      total_count: 1,
    });
    expect((await get('/V1/taxRates/search?searchCriteria=')).body.total_count).toBe(3);
  });

  test('a rule says which rates hold for which class of goods', async () => {
    const { items: rates } = (await get('/V1/taxRates/search?searchCriteria=')).body;
    const { items } = (await get(`/V1/taxRules/search?${where('tax_rate_ids', String(rates[2].id))}`)).body;

    expect(items).toEqual([
      {
        id: expect.any(Number),
        code: 'Class 5',
        priority: 0,
        position: 0,
        customer_tax_class_ids: [3],
        product_tax_class_ids: [5],
        tax_rate_ids: [rates[2].id],
        calculate_subtotal: false,
      },
    ]);
  });

  test('the classes of goods and of customers are listed', async () => {
    expect((await get('/V1/taxClasses/search?searchCriteria=')).body.items).toEqual([
      { class_id: 2, class_name: 'Taxable Goods', class_type: 'PRODUCT' },
      { class_id: 3, class_name: 'Retail Customer', class_type: 'CUSTOMER' },
      { class_id: 5, class_name: 'Class 5', class_type: 'PRODUCT' },
    ]);
    expect((await get(`/V1/taxClasses/search?${where('class_type', 'CUSTOMER')}`)).body.total_count).toBe(1);
  });

  test('a rate of a region names it, one of a whole country does not', async () => {
    const { items } = (await get('/V1/taxRates/search?searchCriteria=')).body;
    expect(items.map((rate: object) => Reflect.get(rate, 'region_name'))).toEqual(['NY', undefined, undefined]);
  });

  test.each([
    ['customer_tax_class_ids', '3', 2],
    ['customer_tax_class_ids', '4', 0],
    ['product_tax_class_ids', '5', 1],
    ['tax_calculation_rate_id', String(firstId), 1],
  ])('rules are found by %s %s', async (field, value, count) => {
    const { body } = await get(`/V1/taxRules/search?${where(field, value)}&searchCriteria[sort_orders][priority]=ASC`);
    expect(body.items).toHaveLength(count);
    expect(body.search_criteria.sort_orders).toEqual([{ field: 'priority', direction: 'ASC' }]);
  });

  test.each([
    ['/V1/taxRates', 'id', 3],
    ['/V1/taxRules', 'id', 2],
    ['/V1/taxClasses', 'class_id', 3],
  ])('each of %s is read by itself as in the list', async (path, key, count) => {
    const { items } = (await get(`${path}/search?searchCriteria=`)).body;
    expect(items).toHaveLength(count);
    for (const item of items) expect((await get(`${path}/${item[key]}`)).body).toEqual(item);
  });

  test.each([
    ['/V1/taxRates', 'taxRateId'],
    ['/V1/taxRules', 'taxRuleId'],
    ['/V1/taxClasses', 'class_id'],
  ])('what is not in %s is refused in the words of the platform', async (path, fieldName) => {
    const message = 'No such entity with %fieldName = %fieldValue';
    for (const fieldValue of [0, 77])
      expect(await get(`${path}/${fieldValue}`)).toMatchObject({
        status: 404,
        body: { message, parameters: { fieldName, fieldValue } },
      });
    expect((await get(`${path}/x`)).status).toBe(400);
  });
});
