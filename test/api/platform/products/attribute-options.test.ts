import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeAttributes } from '../../../../db/platform/catalog/note-attributes.ts';
import { testApi, type TestApi } from '../../../support/api.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { booksOf } from '../../../support/books.ts';
import { eightAtOnce } from '../../../support/rivals.ts';

let api: TestApi;
let token: string;
beforeAll(async () => {
  api = await testApi();
  await aShop(fork());
  token = await api.tokenFor('Magento_Catalog::attributes_attributes', 'Magento_Catalog::products');
});
afterAll(() => api.close());

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
  expect(await save('ODD', 'color', '999999')).toMatchObject({
    ...refused('Attribute "%1" has invalid value.'),
    body: { parameters: ['color'] },
  });
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
  expect(await save('ROPE', 'use', [garden, '999999'])).toMatchObject(refused('Attribute "%1" has invalid value.'));
  await call('DELETE', `attributes/use/options/${garden}`);
  expect(await valueOf('ROPE', 'use')).toBe(car);
});

test('a value that is older than the options stays, and is sent back', async () => {
  await makeAttributes(fork(), ['grade']);
  expect((await save('OLD', 'grade', 'first')).status).toBe(200);
  const attribute = { frontend_input: 'select', options: [{ label: 'Second' }] };
  expect((await call('PUT', 'attributes/grade', { attribute })).status).toBe(200);
  expect((await save('OLD', 'grade', 'first')).status).toBe(200);
  expect(await save('OLD', 'grade', 'third')).toMatchObject(refused('Attribute "%1" has invalid value.'));
  const list = await call(
    'GET',
    '?searchCriteria[filter_groups][0][filters][0][field]=grade&searchCriteria[filter_groups][0][filters][0][value]=first',
  );
  expect(list.body.items.map(({ sku }: { sku: string }) => sku)).toEqual(['OLD']);
});

test('a list may be filtered and sorted by an attribute that no product has', async () => {
  await create('unused', 'text', []);
  const { status, body } = await call(
    'GET',
    '?searchCriteria[filter_groups][0][filters][0][field]=unused&searchCriteria[filter_groups][0][filters][0][value]=x&searchCriteria[sortOrders][0][field]=unused',
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
