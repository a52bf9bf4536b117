import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { testApi, type TestApi } from '../../../support/api.ts';
import { booksOf } from '../../../support/books.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { expectRefused } from '../../../support/expect-refused.ts';
import { eightAtOnce } from '../../../support/rivals.ts';

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
  const values = 'values' in option ? option.values.map((one) => ({ ...one, option_type_id: expect.any(Number) })) : [];
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
