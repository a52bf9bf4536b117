import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { makeAttributes } from '../../../../db/platform/catalog/search-product-attributes.ts';
import { Customer } from '../../../../db/platform/customers/customer.entity.ts';
import { StoreView, Website } from '../../../../db/platform/stores/store.entity.ts';
import { TaxClass } from '../../../../db/platform/tax/tax.entity.ts';
import { testApi, type TestApi } from '../../../support/api.ts';
import { ownAttributes } from '../../../support/attribute-token.ts';
import { booksOf } from '../../../support/books.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { expectRefused } from '../../../support/expect-refused.ts';
import { useApi } from '../../../support/fixtures.ts';
import { eightAtOnce } from '../../../support/rivals.ts';

describe('attribute options', () => {
  const api = useApi();
  let token: string;
  beforeAll(async () => {
    await aShop(fork());
    token = await api.tokenFor('Magento_Catalog::attributes_attributes', 'Magento_Catalog::products');
  });

  const { fork } = booksOf(() => api.orm);

  const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) =>
    api.call(method, `/V1/products/${path}`, { token, ...(body ? { body } : {}) });
  const add = (code: string, option: object) => call('POST', `attributes/${code}/options`, { option });
  const optionsOf = async (code: string) => (await call('GET', `attributes/${code}/options`)).body;
  const create = (code: string, input: string, labels: string[], scope = 'global') =>
    call('POST', 'attributes', {
      attribute: {
        ...{ attribute_code: code, frontend_input: input, default_frontend_label: code, scope },
        options: labels.map((label) => ({ label })),
      },
    });
  const save = (sku: string, attribute_code: string, value: unknown) =>
    call('POST', '', {
      product: { sku, name: sku, price: 1, custom_attributes: [{ attribute_code, value }] },
    });
  const valueOf = async (sku: string, code: string) => {
    const { body } = await call('GET', sku);
    return body.custom_attributes.find((one: { attribute_code: string }) => one.attribute_code === code)?.value;
  };
  const refused = (message: string) => ({ status: 400, body: { message } });

  test('the colour of the platform gets options, and products have their ids', async () => {
    const { status, body: red } = await add('color', {
      ...{ label: ' Red ', sort_order: 5, is_default: true },
      store_labels: [{ store_id: 1, label: 'Rot' }],
    });
    const { body: blue } = await add('color', { label: 'Blue', sort_order: 1 });
    expect([status, typeof red]).toEqual([200, 'string']);
    expect(await optionsOf('color')).toEqual([
      { label: ' ', value: '' },
      { label: 'Blue', value: blue },
      { label: 'Rot', value: red },
    ]);
    expect((await call('GET', 'attributes/color')).body).toMatchObject({ default_value: red, is_user_defined: true });
    expect((await save('RED', 'color', red)).status).toBe(200);
    const odd = await save('ODD', 'color', '999999');
    expect(odd).toMatchObject(refused('Attribute "color" has invalid value.'));
    expect(odd.body).not.toHaveProperty('parameters');
    const path = `attributes/color/options/${red}`;
    const option = { label: 'Crimson', store_labels: [{ store_id: 1, label: 'Karmin' }] };
    expect((await eightAtOnce(() => call('PUT', path, { option }))).map(({ body }) => body)).toEqual(
      Array.from({ length: 8 }, () => true),
    );
    expect((await optionsOf('color')).at(-1)).toEqual({ label: 'Karmin', value: red });
    const answers = await eightAtOnce(() => call('DELETE', path));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.find(({ status }) => status === 404)?.body).toEqual({
      ...{ message: 'The "%1" attribute doesn\'t include an option with "%2" ID.', parameters: ['color', Number(red)] },
    });
    expect(await valueOf('RED', 'color')).toBeUndefined();
    expect((await call('GET', 'attributes/color')).body.default_value).toBeUndefined();
  });

  test('of eight equal options at once, one is added', async () => {
    await create('gauge', 'select', ['Thin']);
    const answers = await eightAtOnce(() => add('gauge', { label: 'Thick' }));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.find(({ status }) => status === 400)).toMatchObject(
      refused('Admin store attribute option label "%1" already exists.'),
    );
    const [, thin] = await optionsOf('gauge');
    expect(await call('PUT', `attributes/gauge/options/${thin.value}`, { option: { label: 'THICK' } })).toMatchObject(
      refused('Admin store attribute option label "%1" already exists.'),
    );
  });

  test.each([
    ['gauge', { label: ' ' }, 'The attribute option label is empty. Enter the value and try again.'],
    [
      'gauge',
      { label: 'x', store_labels: [{ store_id: 99, label: 'y' }] },
      'Invalid value of "%value" provided for the %fieldName field.',
    ],
    ['name', { label: 'x' }, 'The "%1" attribute doesn\'t work with options.'],
    ['status', { label: 'x' }, 'The "%1" attribute doesn\'t work with options.'],
  ])('an option of %s that is %j is refused, when it is new and when it changes', async (code, option, message) => {
    await create('gauge', 'select', ['Thin']);
    const id = (await optionsOf('gauge'))[1].value;
    expect(await add(code, option)).toMatchObject(refused(message));
    expect(await call('PUT', `attributes/${code}/options/${id}`, { option })).toMatchObject(refused(message));
  });

  test('options that are not there are not found', async () => {
    await create('gauge', 'select', ['Thin']);
    expect(await call('PUT', 'attributes/gauge/options/999999', { option: { label: 'x' } })).toMatchObject(
      refused("The '%1' attribute doesn't include an option id '%2'."),
    );
    expect(await call('DELETE', 'attributes/name/options/1')).toMatchObject(
      refused('The "%1" attribute doesn\'t work with options.'),
    );
    const unknown = 'attributes/nothing/options';
    const statuses = [
      await add('nothing', { label: 'x' }),
      await call('PUT', `${unknown}/1`, { option: { label: 'x' } }),
      await call('DELETE', `${unknown}/1`),
    ].map(({ status }) => status);
    expect(statuses).toEqual([404, 404, 404]);
  });

  test('several choices are one text with commas, and lose what is deleted', async () => {
    const { body } = await create('use', 'multiselect', ['Home', 'Garden', 'Car']);
    const [home, garden, car] = body.options.slice(1).map(({ value }: { value: string }) => value);
    expect((await save('ROPE', 'use', [home, car, home])).status).toBe(200);
    expect(await valueOf('ROPE', 'use')).toBe(`${home},${car}`);
    expect((await save('ROPE', 'use', `${garden}, ${car}`)).status).toBe(200);
    expect(await valueOf('ROPE', 'use')).toBe(`${garden},${car}`);
    expect(await save('ROPE', 'use', [garden, '999999'])).toMatchObject(refused('Attribute "use" has invalid value.'));
    await call('DELETE', `attributes/use/options/${garden}`);
    expect(await valueOf('ROPE', 'use')).toBe(car);
  });

  test('a value that is older than the options stays, and is sent back', async () => {
    await makeAttributes(fork(), ['grade']);
    expect((await save('OLD', 'grade', 'first')).status).toBe(200);
    const attribute = { frontend_input: 'select', options: [{ label: 'Second' }] };
    expect((await call('PUT', 'attributes/grade', { attribute })).status).toBe(200);
    expect((await save('OLD', 'grade', 'first')).status).toBe(200);
    expect(await save('OLD', 'grade', 'third')).toMatchObject(refused('Attribute "grade" has invalid value.'));
    const list = await call(
      'GET',
      '?searchCriteria[filter_groups][0][filters][0][field]=grade' +
        '&searchCriteria[filter_groups][0][filters][0][value]=first',
    );
    expect(list.body.items.map(({ sku }: { sku: string }) => sku)).toEqual(['OLD']);
  });

  test('a list may be filtered and sorted by an attribute that no product has', async () => {
    await create('unused', 'text', []);
    const { status, body } = await call(
      'GET',
      '?searchCriteria[filter_groups][0][filters][0][field]=unused' +
        '&searchCriteria[filter_groups][0][filters][0][value]=x&searchCriteria[sortOrders][0][field]=unused',
    );
    expect([status, body.total_count]).toEqual([200, 0]);
  });

  test('a value holds where the scope of its attribute says, until the attribute is gone', async () => {
    await create('care', 'select', ['Wash', 'Iron'], 'store');
    const [, wash, iron] = await optionsOf('care');
    await save('SHEET', 'care', wash.value);
    const inView = (method: 'GET' | 'PUT', path: string, body?: object) =>
      api.call(method, `/rest/ca/V1/products${path}`, { token, ...(body ? { body } : {}) });
    const codesIn = (body: { custom_attributes: { attribute_code: string; value: unknown }[] }) =>
      body.custom_attributes.filter((one) => one.attribute_code === 'care');
    const product = { custom_attributes: [{ attribute_code: 'care', value: iron.value }] };
    expect((await inView('PUT', '/SHEET', { product })).status).toBe(200);
    expect(await valueOf('SHEET', 'care')).toBe(wash.value);
    expect(codesIn((await inView('GET', '/SHEET')).body)).toEqual([{ attribute_code: 'care', value: iron.value }]);
    const where = `?searchCriteria[filter_groups][0][filters][0][field]=care&searchCriteria[filter_groups][0][filters][0][value]=${iron.value}`;
    expect((await inView('GET', where)).body.total_count).toBe(1);
    expect((await call('GET', where)).body.total_count).toBe(0);
    await call('DELETE', `attributes/care/options/${iron.value}`);
    expect(codesIn((await inView('GET', '/SHEET')).body)).toEqual([{ attribute_code: 'care', value: wash.value }]);
    await call('DELETE', 'attributes/care');
    expect(codesIn((await inView('GET', '/SHEET')).body)).toEqual([]);
  });
});

describe('custom options', () => {
  let api: TestApi;
  let sku: string;
  beforeAll(async () => {
    api = await testApi();
    await aShop(booksOf(() => api.orm).fork());
  });
  let made = 0;
  beforeEach(async () => {
    sku = `CARD-${++made}`;
    await call('POST', '', { product: { sku, name: 'Card', price: 4 } });
  });
  afterAll(async () => {
    expect(api.faults).toEqual([]);
    await api.close();
  });

  const call = (method: string, path: string, body?: object) =>
    api.call(method, `/V1/products${path}`, { token: api.tokens.admin, ...(body ? { body } : {}) });
  const add = (option: object) => call('POST', '/options', { option: { product_sku: sku, ...option } });
  const saved = async () => (await call('GET', `/${sku}`)).body;

  const text = { title: 'Text', type: 'field', sort_order: 1, is_require: true, price: -10, price_type: 'fixed' };
  const written = { ...text, sku: 'TXT', max_characters: 10 };
  const choice = {
    ...{ title: 'Paper', type: 'drop_down', sort_order: 4, is_require: true },
    values: [
      { title: 'Thin', sort_order: 1, price: 10, price_type: 'fixed', sku: 'THIN' },
      { title: 'Thick', sort_order: 2, price: 20, price_type: 'percent', sku: 'THICK' },
    ],
  };
  const file = {
    ...{ title: 'Picture', type: 'file', sort_order: 3, is_require: false, price: 30, price_type: 'percent' },
    ...{ sku: 'PIC', file_extension: 'jpg, png', image_size_x: 10, image_size_y: 20 },
  };
  const day = {
    title: 'Day',
    type: 'date',
    is_require: false,
    sort_order: 8,
    price: 80,
    price_type: 'fixed',
    sku: 'DAY',
  };
  const ids = { product_sku: expect.any(String), option_id: expect.any(Number) };

  test('the types are told by their groups', async () => {
    const { status, body } = await call('GET', '/options/types');
    expect([status, body.length]).toEqual([200, 10]);
    expect(body).toContainEqual({ label: 'Drop-down', code: 'drop_down', group: 'Select' });
  });

  test.each([written, choice, file, day])('an option of the type $type comes back as it was sent', async (option) => {
    const { status, body } = await add(option);
    expect(status).toBe(200);
    const values =
      'values' in option ? option.values.map((one) => ({ ...one, option_type_id: expect.any(Number) })) : [];
    const whole = { ...option, ...ids, product_sku: sku, ...(values.length > 0 ? { values } : {}) };
    expect(body).toEqual(whole);
    expect(await call('GET', `/${sku}/options`)).toMatchObject({ status: 200, body: [body] });
    expect(await call('GET', `/${sku}/options/${body.option_id}`)).toMatchObject({ status: 200, body });
    expect((await saved()).options).toEqual([body]);
  });

  test('what is sent of an option changes, what is not stays; values that are not sent go', async () => {
    const { option_id: id, values } = (await add(choice)).body;
    const change = (option: object) => call('PUT', `/options/${id}`, { option: { product_sku: sku, ...option } });
    expect((await change({ title: 'Leaf' })).body).toMatchObject({ title: 'Leaf', values });
    for (const _time of [1, 2]) {
      expect((await change({ title: 'Sheet', is_require: false })).body).toMatchObject({ title: 'Sheet' });
      const { body } = await change({
        values: [{ option_type_id: values[1].option_type_id, price: 25 }, { title: 'Silk' }],
      });
      expect(body).toMatchObject({ option_id: id, title: 'Sheet', is_require: false, sort_order: 4 });
      expect(body.values).toEqual([
        { title: 'Silk', sort_order: 0, price: 0, price_type: 'fixed', option_type_id: expect.any(Number) },
        { ...values[1], price: 25 },
      ]);
    }
    // Of another kind it starts anew.
    expect((await change({ type: 'area', price: 1, price_type: 'fixed' })).body).toEqual({
      ...{ product_sku: sku, option_id: id, title: 'Sheet', type: 'area', sort_order: 4, is_require: false },
      ...{ price: 1, price_type: 'fixed', max_characters: 0 },
    });
  });

  test('a product is saved with its options; those that are not sent go, and none are sent keeps all', async () => {
    const save = (product: object) => call('PUT', `/${sku}`, { product });
    const { body } = await save({ options: [choice, written] });
    expect(body.options).toMatchObject([written, { title: 'Paper', values: choice.values }]);
    expect(body.custom_attributes).toContainEqual({ attribute_code: 'has_options', value: '1' });
    expect(body.custom_attributes).toContainEqual({ attribute_code: 'required_options', value: '1' });
    expect((await save({ name: 'Other card' })).body.options).toEqual(body.options);
    // A repeat keeps the ids, with them or without.
    expect((await save({ options: [choice, written] })).body.options).toEqual(body.options);
    expect((await save(body)).body.options).toEqual(body.options);

    const [first] = body.options;
    const left = await save({ options: [{ option_id: first.option_id, is_require: false }] });
    expect(left.body.options).toEqual([{ ...first, is_require: false }]);
    expect(left.body.custom_attributes).toContainEqual({ attribute_code: 'required_options', value: '0' });
    const filters = '[filter_groups][0][filters][0]';
    const query = `?searchCriteria${filters}[field]=has_options&searchCriteria${filters}[value]=1`;
    const skus = (await call('GET', query)).body.items.map((one: { sku: string }) => one.sku);
    expect(skus).toContain(sku);
    expect((await save({ options: [] })).body).toMatchObject({ options: [] });
    expect((await saved()).custom_attributes).toContainEqual({ attribute_code: 'has_options', value: '0' });
  });

  test('an option is deleted once, and with its product', async () => {
    const { option_id: id } = (await add(written)).body;
    const gone = { status: 404, said: 'No such entity with %fieldName = %fieldValue' };
    expect(await call('DELETE', `/${sku}/options/${id}`)).toMatchObject({ status: 200, body: true });
    await expectRefused({ send: () => call('DELETE', `/${sku}/options/${id}`), ...gone });
    await expectRefused({ send: () => call('GET', `/${sku}/options/${id}`), ...gone });
    await add(written);
    await call('DELETE', `/${sku}`);
    expect(await call('GET', `/${sku}/options`)).toMatchObject({ status: 404 });
  });

  test('eight at once add eight options, each with an id of its own', async () => {
    await eightAtOnce(() => add(choice));
    const { body } = await call('GET', `/${sku}/options`);
    const all = body.flatMap((one: { option_id: number; values: { option_type_id: number }[] }) => [
      one.option_id,
      ...one.values.map(({ option_type_id: id }) => id),
    ]);
    expect([body.length, new Set(all).size]).toEqual([8, 24]);
  });

  const missing = 'Missed values for option required fields';
  const badValue = 'Invalid option value';
  const bad: [what: string, option: object, said: string][] = [
    ['without a title', { ...written, title: null }, missing],
    ['without a type', { ...written, type: '' }, `${missing}\nInvalid option type`],
    ['of an unknown type', { ...written, type: 'several' }, 'Invalid option type'],
    ['of an unknown price type', { ...written, price_type: 'fixed_one' }, badValue],
    ['without a price type', { ...written, price_type: null }, badValue],
    ['dearer than can be counted', { ...written, price: 100_000_000 }, badValue],
    ['for a picture of no size', { ...file, image_size_x: -10 }, badValue],
    ['for a text of no length', { ...written, max_characters: -1 }, badValue],
    ['without values', { ...choice, values: [] }, badValue],
    ['with a value without a title', { ...choice, values: [{ price: 1, price_type: 'fixed' }] }, badValue],
    [
      'with a value of an unknown price type',
      { ...choice, values: [{ title: 'A', price: 1, price_type: 'x' }] },
      badValue,
    ],
    [
      'of more values than the known',
      { ...choice, values: [{ title: 'A', option_type_id: 999_999 }] },
      'No such entity.',
    ],
  ];

  describe.each(bad)('an option %s is refused', (_what, option, said) => {
    const status = said === 'No such entity.' ? 404 : 400;
    test('alone and with its product, and nothing is saved', async () => {
      await expectRefused({ send: () => add(option), status, said });
      const { body: known } = await add({ ...written, title: 'Known' });
      const change = { option: { product_sku: sku, title: '', type: '', ...option } };
      if (status === 400 && 'values' in option)
        await expectRefused({ send: () => call('PUT', `/options/${known.option_id}`, change), status, said });
      const product = { name: 'Worse', options: [option] };
      await expectRefused({ send: () => call('PUT', `/${sku}`, { product }), status, said });
      const anew = { sku: `${sku}-2`, name: 'New', price: 1, options: [option] };
      await expectRefused({ send: () => call('POST', '', { product: anew }), status, said });
      expect(await saved()).toMatchObject({ name: 'Card', options: [known] });
      expect(await call('GET', `/${sku}-2`)).toMatchObject({ status: 404 });
    });
  });

  test('an option needs its product, and a change an option of it', async () => {
    const { option_id: id } = (await add(written)).body;
    const put = (option: object, known = id) => call('PUT', `/options/${known}`, { option });
    const noSku = 'The ProductSku is empty. Set the ProductSku and try again.';
    const noProduct = "The product that was requested doesn't exist. Verify the product and try again.";
    await expectRefused({ send: () => put(written), status: 400, said: noSku });
    await expectRefused({ send: () => put({ ...written, product_sku: 'NONE' }), status: 404, said: noProduct });
    await expectRefused({ send: () => put({ product_sku: 'MUG', title: 'x' }), status: 404, said: 'No such entity.' });
    await expectRefused({ send: () => add({ ...written, product_sku: '' }), status: 400, said: noSku });
    await expectRefused({ send: () => add({ ...written, product_sku: 'NONE' }), status: 404, said: noProduct });
    await expectRefused({ send: () => add({ ...written, option_id: 999_999 }), status: 404, said: 'No such entity.' });
    for (const [field, value, said] of [
      ['type', 'several', 'Invalid option type'],
      ['type', 'drop_down', badValue],
      ['price_type', 'x', badValue],
    ] as const)
      await expectRefused({ send: () => put({ product_sku: sku, [field]: value }), status: 400, said });
    await expectRefused({ send: () => put({ product_sku: sku, title: '' }), status: 400, said: missing });
  });

  test('a product has two hundred options at most', async () => {
    const options = Array.from({ length: 200 }, (_, at) => ({ ...written, title: `Text ${at}` }));
    const said = 'Maximum items of type "%type" is %max';
    const save = (list: object[]) => call('PUT', `/${sku}`, { product: { options: list } });
    expect((await save(options)).body.options).toHaveLength(200);
    await expectRefused({ send: () => add(written), status: 400, said });
    await expectRefused({ send: () => save([...options, written]), status: 400, said });
    const anew = { sku: `${sku}-2`, name: 'New', price: 1, options: [...options, written] };
    await expectRefused({ send: () => call('POST', '', { product: anew }), status: 400, said });
  });
});

describe('product scopes', () => {
  const api = useApi();
  let customerId: number;
  beforeAll(async () => {
    const em = api.orm.em.fork();
    await aShop(em);
    em.create(Website, { websiteId: 2, code: 'b2b', name: 'Trade', baseCurrencyCode: 'USD' });
    em.create(StoreView, { storeId: 3, websiteId: 2, code: 'trade', name: 'Trade', currencyCode: 'USD' });
    const ann = em.create(Customer, {
      ...{ websiteId: 1, storeId: 2, groupId: 1, email: 'ann@example.com', firstname: 'Ann', lastname: 'Lee' },
    });
    await em.flush();
    customerId = ann.id ?? 0;
    await ownAttributes(api, { barcode: 'text', shelf: 'text', is_returnable: 'boolean', sizes: 'multiselect' });
    em.create(TaxClass, { classId: 5, className: 'Books', classType: 'PRODUCT' });
    await em.flush();
  });

  let sku: string;
  let made = 0;
  beforeEach(async () => {
    sku = `CUP-${++made}`;
    const custom_attributes = [{ attribute_code: 'url_key', value: `cup-${made}` }];
    const extension_attributes = { website_ids: [1, 2], stock_item: { qty: 9, is_in_stock: true } };
    await send('POST', 'default', '', { sku, name: 'Cup', price: 10, custom_attributes, extension_attributes });
  });

  const send = (method: string, view: string, path: string, product: object) =>
    api.call(method, `/rest/${view}/V1/products${path}`, { token: api.tokens.register, body: { product } });
  const save = (view: string, product: object) => send('PUT', view, `/${sku}`, product);
  const read = async (view: string) =>
    (await api.call('GET', `/rest/${view}/V1/products/${sku}`, { token: api.tokens.register })).body;
  const attributeOf = (body: { custom_attributes: { attribute_code: string; value: unknown }[] }, code: string) =>
    body.custom_attributes.find(({ attribute_code }) => attribute_code === code)?.value;
  const found = async (view: string, field: string, value: string) => {
    const filter = `searchCriteria[filter_groups][0][filters][0][field]=${field}&searchCriteria[filter_groups][0][filters][0][value]=${value}`;
    const { body } = await api.call('GET', `/rest/${view}/V1/products?${filter}`, { token: api.tokens.register });
    return body.items.map((item: { sku: string; name: string }) => [item.sku, item.name]);
  };
  const views = ['default', 'ca', 'trade', 'all'];
  const namesIn = async () => Promise.all(views.map(async (view) => (await read(view)).name));

  test('a new product has its words in every view', async () => {
    expect(await namesIn()).toEqual(['Cup', 'Cup', 'Cup', 'Cup']);
  });

  test('a name saved in one view is that view’s own, wherever it is read', async () => {
    const { body } = await save('ca', { name: `Tasse ${sku}` });
    expect(body.name).toBe(`Tasse ${sku}`);
    expect(await namesIn()).toEqual(['Cup', `Tasse ${sku}`, 'Cup', 'Cup']);

    await save('all', { name: 'Mug' });
    expect(await namesIn()).toEqual(['Mug', `Tasse ${sku}`, 'Mug', 'Mug']);

    expect(await found('ca', 'name', `Tasse ${sku}`)).toEqual([[sku, `Tasse ${sku}`]]);
    expect(await found('default', 'name', `Tasse ${sku}`)).toEqual([]);
    expect(await found('ca', 'sku', sku)).toEqual([[sku, `Tasse ${sku}`]]);
  });

  test('without a store code it is the default view’s own', async () => {
    await api.call('PUT', `/V1/products/${sku}`, { token: api.tokens.register, body: { product: { name: 'Beaker' } } });
    expect(await namesIn()).toEqual(['Beaker', 'Cup', 'Cup', 'Cup']);
  });

  test('a special price of all websites that is sent as null ends where it is said, until there is a new one', async () => {
    const special = (value: unknown) => ({ custom_attributes: [{ attribute_code: 'special_price', value }] });
    const specials = async () =>
      (await Promise.all(views.map(read))).map((product) => attributeOf(product, 'special_price'));
    await save('all', special(5));
    for (const nothing of [null, '', null]) {
      expect((await save('default', special(nothing))).status).toBe(200);
      expect(await specials()).toEqual([undefined, undefined, '5', '5']);
    }
    await save('trade', special('4'));
    await save('trade', special(null));
    expect(await specials()).toEqual([undefined, undefined, undefined, '5']);
    await save('all', special(6));
    expect(await specials()).toEqual(['6', '6', '6', '6']);
    await save('all', special(''));
    expect(await specials()).toEqual([undefined, undefined, undefined, undefined]);
  });

  test('a website’s value applies in all of its views and in no other', async () => {
    await save('default', { status: 2, custom_attributes: [{ attribute_code: 'special_price', value: 7.5 }] });
    const products = await Promise.all(views.map(read));
    expect(products.map(({ status }) => status)).toEqual([2, 2, 1, 1]);
    expect(products.map((product) => attributeOf(product, 'special_price'))).toEqual([
      '7.5',
      '7.5',
      undefined,
      undefined,
    ]);
    expect(await found('ca', 'special_price', '7.5')).toEqual([[sku, 'Cup']]);
    expect(await found('trade', 'special_price', '7.5')).toEqual([]);
  });

  test('a price and a shop’s own attributes hold everywhere, whichever view they are saved in', async () => {
    await save('ca', { price: 12, custom_attributes: [{ attribute_code: 'barcode', value: '4006381333931' }] });
    const products = await Promise.all(views.map(read));
    expect(products.map(({ price }) => price)).toEqual([12, 12, 12, 12]);
    expect(products.map((product) => attributeOf(product, 'barcode'))).toEqual(Array(4).fill('4006381333931'));
  });

  test('null takes a view’s own word away, and everybody’s comes back', async () => {
    const set = (value: string | null) => save('ca', { custom_attributes: [{ attribute_code: 'url_key', value }] });
    await set('tasse');
    expect(attributeOf(await read('ca'), 'url_key')).toBe('tasse');
    expect(await found('ca', 'url_key', 'tasse')).toEqual([[sku, 'Cup']]);
    await set(null);
    expect(attributeOf(await read('ca'), 'url_key')).toBe(sku.toLowerCase());
  });

  test('null takes a view’s own name, visibility, status and tax class away too', async () => {
    const own = { name: 'Tasse', visibility: 1, status: 2 };
    const taxClass = (value: string | null) => ({ custom_attributes: [{ attribute_code: 'tax_class_id', value }] });
    await save('ca', { ...own, ...taxClass('5') });
    expect(await read('ca')).toMatchObject(own);
    expect(attributeOf(await read('ca'), 'tax_class_id')).toBe('5');

    await save('ca', { name: null, visibility: null, status: null, ...taxClass(null) });
    expect(await read('ca')).toMatchObject({ name: 'Cup', visibility: 4, status: 1 });
    expect(attributeOf(await read('ca'), 'tax_class_id')).toBe('2');
    await save('all', { name: 'Mug' });
    expect(await namesIn()).toEqual(['Mug', 'Mug', 'Mug', 'Mug']);
  });

  test('a product that is sent once more says nothing of its own in the view', async () => {
    const { sku: _sku, ...body } = await read('default');
    for (let time = 0; time < 2; time++)
      await send('POST', 'default', '', { sku, ...body, extension_attributes: { website_ids: [1, 2] } });
    await save('all', { name: 'Mug', status: 2, custom_attributes: [{ attribute_code: 'url_key', value: 'mug' }] });
    expect(await read('default')).toMatchObject({ name: 'Mug', status: 2 });
    expect(attributeOf(await read('default'), 'url_key')).toBe('mug');
  });

  test.each(['99999999999', '2147483648', '-1', '1.5', 'none', true, ['2']])(
    'a tax class %j is refused in every view',
    async (value) => {
      const custom_attributes = [{ attribute_code: 'tax_class_id', value }];
      for (const view of ['ca', 'all']) {
        const { status, body } = await save(view, { custom_attributes });
        expect([status, body.parameters?.fieldName]).toEqual([400, 'tax_class_id']);
      }
      expect(attributeOf(await read('ca'), 'tax_class_id')).toBe('2');
    },
  );

  test.each([
    ['all', null],
    ['all', ' '],
    ['ca', ''],
  ])('the name of a product in %s cannot become %j', async (view, name) => {
    expect((await save(view, { name })).body).toMatchObject({ parameters: ['Product Name'] });
    expect(await namesIn()).toEqual(['Cup', 'Cup', 'Cup', 'Cup']);
  });

  test('views saved at once keep their own words', async () => {
    await Promise.all(
      ['default', 'ca', 'trade'].flatMap((view) => [1, 2].map(() => save(view, { name: `Cup of ${view}` }))),
    );
    expect(await namesIn()).toEqual(['Cup of default', 'Cup of ca', 'Cup of trade', 'Cup']);
  });

  test('a cart has the words of its view, and nothing that its website does not sell', async () => {
    const token = await api.customerToken(customerId);
    await save('ca', { name: 'Tasse' });
    await api.call('POST', '/rest/ca/V1/carts/mine', { token });
    const item = { cartItem: { sku, qty: 1 } };
    const { body } = await api.call('POST', '/rest/ca/V1/carts/mine/items', { token, body: item });
    expect(body).toMatchObject({ sku, name: 'Tasse' });

    await save('ca', { status: 2 });
    const again = await api.call('POST', '/rest/ca/V1/carts/mine/items', { token, body: item });
    expect(again.status).toBe(400);
  });

  test('an attribute that only a view speaks of can be searched', async () => {
    await save('ca', { custom_attributes: [{ attribute_code: 'meta_title', value: `T${made}` }] });
    expect(await found('ca', 'meta_title', `T${made}`)).toEqual([[sku, 'Cup']]);
    expect(await found('default', 'meta_title', `T${made}`)).toEqual([]);
  });

  test('values are texts, however they were sent; several choices are one text', async () => {
    const added = await Promise.all(
      ['S', 'L'].map((label) =>
        api.call('POST', '/V1/products/attributes/sizes/options', {
          token: api.tokens.admin,
          body: { option: { label } },
        }),
      ),
    );
    const ids = added.map(({ body }) => Number(body));
    const values = { is_returnable: false, shelf: 12, sizes: ids };
    const custom_attributes = Object.entries(values).map(([attribute_code, value]) => ({ attribute_code, value }));
    const { body } = await save('all', { custom_attributes });
    expect(Object.keys(values).map((code) => attributeOf(body, code))).toEqual(['0', '12', ids.join(',')]);
  });

  test('a website’s special price keeps the first day that the website said', async () => {
    const valueAt = async () => attributeOf(await read('default'), 'special_from_date');
    const special = (...given: [string, unknown][]) =>
      save('default', { custom_attributes: given.map(([attribute_code, value]) => ({ attribute_code, value })) });
    await special(['special_price', 7], ['special_from_date', '2026-12-01 00:00:00']);
    await special(['special_price', 6]);
    expect(await valueAt()).toBe('2026-12-01 00:00:00');
  });
});
