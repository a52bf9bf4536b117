import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApi, type TestApi } from '../../../support/api.ts';
import { attributeToken, ownAttributes } from '../../../support/attribute-token.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { booksOf } from '../../../support/books.ts';
import { eightAtOnce } from '../../../support/rivals.ts';

let api: TestApi;
let token: string;
beforeAll(async () => {
  api = await testApi();
  await aShop(fork());
  token = await attributeToken(api);
  await ownAttributes(api, { barcode: 'text', eco_fee: 'weee' });
  const custom_attributes = [
    { attribute_code: 'barcode', value: '1' },
    { attribute_code: 'eco_fee', value: [{ country: 'US', value: 1 }] },
    { attribute_code: 'No Code', value: 'x' },
    { attribute_code: 'pirce', value: '2' },
  ];
  const product = { sku: 'TOY', name: 'Toy', price: 1, attribute_set_id: 4, custom_attributes };
  await Promise.all([1, 2].map(() => api.call('POST', '/V1/products', { token, body: { product } })));
});
afterAll(() => api.close());

const { fork, insert, find } = booksOf(() => api.orm);

const get = async (path: string) => (await api.call('GET', `/V1/products/${path}`, { token })).body;
const where = (field: string, value: string) =>
  `searchCriteria[filter_groups][0][filters][0][field]=${field}&searchCriteria[filter_groups][0][filters][0][value]=${value}`;
const codes = (body: { items: { attribute_code: string }[] }) => body.items.map((item) => item.attribute_code);

test('an attribute shows its name, its input and its scope', async () => {
  expect(await get('attributes/name')).toMatchObject({
    attribute_code: 'name',
    default_frontend_label: 'Product Name',
    frontend_input: 'text',
    backend_type: 'varchar',
    scope: 'store',
    is_required: true,
    is_user_defined: false,
    entity_type_id: '4',
    options: [],
  });
  const { attribute_id: id } = await get('attributes/status');
  expect(await get(`attributes/${id}`)).toMatchObject({ attribute_code: 'status', scope: 'website' });
});

test('attributes of the shop stand beside those that the platform made as a shop would, and products make none', async () => {
  expect(codes(await get(`attributes?${where('is_user_defined', '1')}`)).toSorted()).toEqual([
    ...['barcode', 'color', 'cost', 'eco_fee', 'manufacturer'],
  ]);
  expect((await get('attributes/cost')).is_user_defined).toBe(true);
  expect(await get('attributes/eco_fee')).toMatchObject({ frontend_input: 'weee', scope: 'global' });
  expect(codes(await get(`attributes?${where('attribute_code', 'BARCODE')}`))).toEqual(['barcode']);
  expect((await get('attributes?searchCriteria')).total_count).toBe(34);
});

test('attributes are found by what all of them have alike, and sorted by it', async () => {
  const count = async (field: string, value: string) => (await get(`attributes?${where(field, value)}`)).total_count;
  expect([await count('position', '0'), await count('is_visible', '1'), await count('entity_type_id', '4')]).toEqual([
    34, 34, 34,
  ]);
  expect([await count('is_filterable', '1'), await count('is_comparable', 'true')]).toEqual([0, 0]);
  const sorted = await get(
    'attributes?searchCriteria[sort_orders][0][field]=Attribute_Code&searchCriteria[page_size]=1',
  );
  expect(codes(sorted)).toEqual(['weight']);
});

test('what can be chosen is listed', async () => {
  expect(await get('attributes/status/options')).toEqual([
    { label: 'Enabled', value: '1' },
    { label: 'Disabled', value: '2' },
  ]);
  expect(await get('attributes/tax_class_id/options')).toEqual([
    { label: 'None', value: '0' },
    { label: 'Taxable Goods', value: '2' },
  ]);
  expect(await get('attributes/barcode/options')).toEqual([]);
});

test.each(['attributes/nothing', 'attributes/nothing/options'])('%s is not found', async (path) => {
  expect(await api.call('GET', `/V1/products/${path}`, { token })).toMatchObject({
    status: 404,
    body: {
      message: 'The attribute with a "%1" attributeCode doesn\'t exist. Verify the attribute and try again.',
      parameters: ['nothing'],
    },
  });
});

test('an attribute of the shop is in its set, with those of the platform', async () => {
  expect(codes({ items: await get('attribute-sets/4/attributes') })).toContain('barcode');
  for (const path of ['attribute-sets/5000', 'attribute-sets/5000/attributes'])
    expect(await api.call('GET', `/V1/products/${path}`, { token })).toMatchObject({
      status: 404,
      body: { parameters: { fieldName: 'id', fieldValue: 5_000 } },
    });
});

test('types are listed', async () => {
  expect(await get('types')).toContainEqual({ name: 'virtual', label: 'Virtual Product' });
});

describe('who deletes a product', () => {
  const remove = (sku: string) => api.call('DELETE', `/V1/products/${sku}`, { token });
  const promise = (quantity: number) =>
    insert('inventory_reservation', { stock_id: 1, sku: 'MUG', quantity, event_type: 'order_placed', order_id: 1 });

  test('takes its stock along; a repeat is not found', async () => {
    const product = { sku: 'GONE', name: 'Gone', price: 1, extension_attributes: { stock_item: { qty: 3 } } };
    await api.call('POST', '/V1/products', { token, body: { product } });
    expect(await remove('GONE')).toMatchObject({ status: 200, body: true });
    expect(await remove('GONE')).toMatchObject({
      status: 404,
      body: { message: "The product that was requested doesn't exist. Verify the product and try again." },
    });
    const found = await find('inventory_source_item', { sku: 'GONE' }, 'sku');
    expect(found).toEqual([]);
  });

  test('is refused as long as an order waits for it', async () => {
    await promise(-2);
    expect(await remove('MUG')).toMatchObject({
      status: 400,
      body: { message: `The "%1" product couldn't be removed.`, parameters: ['MUG'] },
    });
    expect((await api.call('GET', '/V1/products/MUG', { token })).body.extension_attributes.stock_item.qty).toBe(100);
    await promise(2);
    expect((await remove('MUG')).status).toBe(200);
  });

  test('eight times at once has deleted it once', async () => {
    const answers = await eightAtOnce(() => remove('PLATE'));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(7);
  });

  test('does not delete by the name of another address', async () => {
    for (const path of ['attributes', 'types', 'attribute-sets'])
      expect(await remove(path)).toMatchObject({
        status: 404,
        body: { message: 'Request does not match any route.' },
      });
  });
});
