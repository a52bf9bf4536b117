import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApi, type TestApi } from '../../../support/api.ts';
import { ownAttributes } from '../../../support/attribute-token.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { booksOf } from '../../../support/books.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
  await aShop(fork());
  await ownAttributes(api, {
    ...{ barcode: 'text', store_upc: 'text', plain: 'text', hook: 'boolean', best_before: 'date' },
    ...{ deposit: 'price', fee: 'weee', colours: 'select' },
  });
});
afterAll(() => api.close());

const { fork, findOne, find, change } = booksOf(() => api.orm);

let made = 0;
const save = (values: Readonly<Record<string, unknown>>, sku = `TYPED-${++made}`) =>
  api.call('POST', '/rest/all/V1/products', {
    token: api.tokens.admin,
    body: {
      product: {
        ...{ sku, name: sku, price: 10 },
        custom_attributes: Object.entries(values).map(([attribute_code, value]) => ({ attribute_code, value })),
      },
    },
  });
const valueOf = (body: { custom_attributes: { attribute_code: string; value: unknown }[] }, code: string) =>
  body.custom_attributes.find(({ attribute_code: name }) => name === code)?.value;
const refusedFor = (code: string) => ({
  status: 400,
  body: { message: 'Attribute "%1" has invalid value.', parameters: [code] },
});

describe('a value that its attribute cannot have is refused, and there is no product', () => {
  test.each<[string, unknown]>([
    ...[
      '31.12.2030',
      '12/31/2026',
      'not a date',
      '2030-02-30',
      '2030-13-01',
      '0000-01-01',
      '2030-01-01 25:00:00',
      7,
    ].map((day): [string, unknown] => ['special_from_date', day]),
    ...['12/31/2026', '2026-1-5', ['2030-01-01'], true].map((day): [string, unknown] => ['special_to_date', day]),
    ['news_from_date', 'soon'],
    ['best_before', '2027-02-29'],
    ['hook', 'perhaps'],
    ['hook', '2'],
    ['colours', 'blue'],
    ['color', 'blue'],
    ['country_of_manufacture', 'Germany'],
    ['country_of_manufacture', 'XX'],
    ['visibility', '9'],
    ['gift_message_available', 'x'],
    ['barcode', '1.23457E+12'],
    ['store_upc', '4,00638E+12'],
    ['plain', ['a', 'list']],
    ['fee', 'two'],
    ['fee', [{ amount: 1 }]],
  ])('%s %j', async (code, value) => {
    expect(await save({ special_price: '2', [code]: value }, 'REFUSED')).toMatchObject(refusedFor(code));
    expect(await find('product', { sku: 'REFUSED' })).toEqual([]);
  });

  test.each(['msrp', 'deposit', 'cost'])('%s that is no number', async (code) => {
    for (const value of ['12,50', '-1', 'cheap', '1e3', '9'.repeat(20)])
      expect(await save({ [code]: value }, 'REFUSED')).toMatchObject({
        status: 400,
        body: { message: 'Please enter a number 0 or greater in this field.' },
      });
    expect(await find('product', { sku: 'REFUSED' })).toEqual([]);
  });

  test('a tax class that goods do not have', async () => {
    const ofCustomers = await findOne('tax_class', { class_type: 'CUSTOMER', class_name: 'Retail Customer' });
    for (const taxClass of ['99', 99, ofCustomers['class_id']])
      expect(await save({ tax_class_id: taxClass }, 'REFUSED')).toMatchObject({
        status: 400,
        body: { message: 'Invalid value of "%value" provided for the %fieldName field.' },
      });
    expect((await save({ tax_class_id: '0' })).status).toBe(200);
  });

  test('a fixed tax of no country', async () => {
    expect(await save({ fee: [{ country: 'XX', value: 1 }] }, 'REFUSED')).toMatchObject({ status: 400 });
  });
});

test.each<[string, unknown, unknown]>([
  ['special_from_date', '2030-12-31', '2030-12-31 00:00:00'],
  ['special_to_date', '2030-12-31T18:30:00Z', '2030-12-31 18:30:00'],
  ['best_before', ' 2028-02-29 ', '2028-02-29 00:00:00'],
  ['hook', true, '1'],
  ['hook', 'No', '0'],
  ['country_of_manufacture', 'DE', 'DE'],
  ['color', '4', '4'],
  ['barcode', '2000000001326', '2000000001326'],
  ['deposit', '0.25', '0.25'],
  ['special_to_date', '', ''],
])('%s %j is kept as %j', async (code, value, kept) => {
  const { status, body } = await save({ [code]: value });
  expect([status, valueOf(body, code)]).toEqual([200, kept]);
});

test('a value from before it was checked is sent back with the product, and is not given to another', async () => {
  await save({}, 'OLD');
  const attributes = { special_price: '2', special_from_date: '31.12.2030' };
  await change('product', { sku: 'OLD' }, { custom_attributes: JSON.stringify(attributes) });
  expect((await save(attributes, 'OLD')).status).toBe(200);
  expect(await save(attributes, 'NEXT')).toMatchObject(refusedFor('special_from_date'));
});

test('a code that no attribute has is ignored, and makes no attribute', async () => {
  const { status, body } = await save({ pirce: '2', meta_title: 'Cup' });
  expect([status, valueOf(body, 'pirce'), valueOf(body, 'meta_title')]).toEqual([200, undefined, 'Cup']);
  expect(await find('product_attribute', { attribute_code: 'pirce' })).toEqual([]);
});

test('an attribute has no default that a product could not have', async () => {
  const attribute = { attribute_code: 'until', frontend_input: 'date', default_frontend_label: 'Until' };
  const create = (default_value: string) =>
    api.call('POST', '/V1/products/attributes', {
      token: api.tokens.admin,
      body: { attribute: { ...attribute, default_value } },
    });
  expect(await create('31.12.2030')).toMatchObject({
    status: 400,
    body: { parameters: { fieldName: 'default_value', value: '31.12.2030' } },
  });
  expect((await create('2030-12-31')).status).toBe(200);
});

test('a product that stands keeps what it had where a change of it is refused', async () => {
  const { body: product } = await save({ special_from_date: '2030-01-01' });
  const change = (value: unknown) =>
    api.call('PUT', `/rest/all/V1/products/${product.sku}`, {
      token: api.tokens.admin,
      body: { product: { custom_attributes: [{ attribute_code: 'special_from_date', value }] } },
    });
  expect(await change('31.12.2030')).toMatchObject(refusedFor('special_from_date'));
  const { body } = await api.call('GET', `/rest/all/V1/products/${product.sku}`, { token: api.tokens.admin });
  expect(valueOf(body, 'special_from_date')).toBe(valueOf(product, 'special_from_date'));
});
