import { afterAll, beforeAll, expect, test } from 'vitest';
import { FixedProductTax } from '../../../../db/platform/catalog/fixed-product-tax.entity.ts';
import { money } from '../../../../domain/money/amount.ts';
import { testApi, type TestApi } from '../../../support/api.ts';
import { ownAttributes } from '../../../support/attribute-token.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { eightAtOnce } from '../../../support/rivals.ts';

let api: TestApi;
let lamps: string;

beforeAll(async () => {
  api = await testApi();
  const em = api.orm.em.fork();
  const { mug } = await aShop(em);
  em.create(FixedProductTax, {
    productId: mug.entityId,
    attributeCode: 'eco_fee',
    countryId: 'US',
    value: money('2.50'),
  });
  await em.flush();
  await ownAttributes(api, { barcode: 'text', eco_fee: 'weee' });
  const category = { name: 'Lamps', is_active: true };
  const { body } = await api.call('POST', '/V1/categories', { token: api.tokens.admin, body: { category } });
  lamps = String(body.id);
});
afterAll(() => api.close());

const get = (path: string) => api.call('GET', path, { token: api.tokens.register });
const post = (path: string, body: unknown) => api.call('POST', path, { token: api.tokens.register, body });
const put = (path: string, body: unknown) => api.call('PUT', path, { token: api.tokens.register, body });

test('a product is read with its stock item and its fixed taxes', async () => {
  const { status, body } = await get('/V1/products/MUG');

  expect(status).toBe(200);
  expect(body).toMatchObject({ sku: 'MUG', name: 'Mug', price: 50, status: 1, visibility: 4, type_id: 'simple' });
  expect(body.created_at).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  expect(body).not.toHaveProperty('weight');
  expect(body.extension_attributes).toMatchObject({
    website_ids: [1],
    stock_item: { item_id: body.id, qty: 100, is_in_stock: true, manage_stock: true, backorders: 0 },
  });
  expect(body.custom_attributes).toEqual([
    { attribute_code: 'tax_class_id', value: '2' },
    {
      attribute_code: 'eco_fee',
      value: [{ website_id: '0', country: 'US', state: '0', value: '2.5000', website_value: 2.5 }],
    },
  ]);
  expect(body).toMatchObject({ product_links: [], options: [], tier_prices: [], media_gallery_entries: [] });
});

test('an unknown product is not found', async () => {
  expect(await get('/V1/products/NONE')).toMatchObject({
    status: 404,
    body: { message: "The product that was requested doesn't exist. Verify the product and try again." },
  });
});

test('a sku with a slash and a blank is found by its encoded path', async () => {
  await post('/V1/products', { product: { sku: 'A/B C', name: 'Odd', price: 1 } });

  expect(await get('/V1/products/A%2FB%20C')).toMatchObject({ status: 200, body: { sku: 'A/B C' } });
});

test('a new product keeps what is posted, in either spelling, and is sold on the website of the call', async () => {
  const { status, body } = await post('/V1/products', {
    product: {
      sku: 'LAMP',
      name: 'Lamp',
      price: '19.9000',
      typeId: 'simple',
      attribute_set_id: 4,
      weight: 1.5,
      tier_prices: [
        { customer_group_id: 32000, qty: 5, value: 18.5 },
        { customerGroupId: 2, qty: 1, extensionAttributes: { percentageValue: 10, websiteId: 1 } },
      ],
      extension_attributes: {
        category_links: [{ position: 0, category_id: lamps }],
        stock_item: { qty: 12, is_in_stock: true },
      },
      custom_attributes: [
        { attribute_code: 'barcode', value: '4006381333931' },
        { attribute_code: 'tax_class_id', value: '0' },
        { attribute_code: 'eco_fee', value: [{ website_id: 0, country: 'DE', state: 0, value: 0.15 }] },
      ],
    },
  });

  expect(status).toBe(200);
  expect(body).toMatchObject({ sku: 'LAMP', price: 19.9, weight: 1.5 });
  expect(body.extension_attributes).toMatchObject({
    website_ids: [1],
    category_links: [{ position: 0, category_id: lamps }],
    stock_item: { qty: 12, is_in_stock: true },
  });
  expect(body.tier_prices).toEqual([
    { customer_group_id: 32000, qty: 5, value: 18.5, extension_attributes: { website_id: 0 } },
    {
      customer_group_id: 2,
      qty: 1,
      value: 17.91,
      extension_attributes: { website_id: 1, percentage_value: 10 },
    },
  ]);
  expect(body.custom_attributes).toEqual(
    expect.arrayContaining([
      { attribute_code: 'tax_class_id', value: '0' },
      { attribute_code: 'barcode', value: '4006381333931' },
      { attribute_code: 'category_ids', value: [lamps] },
      {
        attribute_code: 'eco_fee',
        value: [{ website_id: '0', country: 'DE', state: '0', value: '0.1500', website_value: 0.15 }],
      },
    ]),
  );
});

test('a change keeps absent fields, and the path names the product', async () => {
  await post('/V1/products', {
    product: {
      sku: 'VASE',
      name: 'Vase',
      price: 30,
      custom_attributes: [
        { attribute_code: 'barcode', value: '1' },
        { attribute_code: 'color', value: '4' },
      ],
    },
  });

  const change = {
    product: { sku: 'OTHER', price: 31, custom_attributes: [{ attribute_code: 'color', value: null }] },
  };
  const { body } = await put('/V1/products/VASE', change);
  const again = await put('/V1/products/VASE', change);

  expect(body).toMatchObject({ sku: 'VASE', name: 'Vase', price: 31 });
  expect(body.custom_attributes).toEqual([
    { attribute_code: 'tax_class_id', value: '2' },
    { attribute_code: 'barcode', value: '1' },
  ]);
  expect({ ...again.body, updated_at: '' }).toEqual({ ...body, updated_at: '' });
  expect(await get('/V1/products/OTHER')).toMatchObject({ status: 404 });
});

test('what was read can be sent back and changes nothing', async () => {
  const { body: before } = await get('/V1/products/LAMP');

  const { status, body: after } = await put('/V1/products/LAMP', { product: before });

  expect(status).toBe(200);
  expect({ ...after, updated_at: '' }).toEqual({ ...before, updated_at: '' });
});

test('eight registers that create one product at once make one', async () => {
  const answers = await eightAtOnce(() => post('/V1/products', { product: { sku: 'ONCE', name: 'Once', price: 1 } }));

  expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
});

test.each([
  [{ name: 'No sku', price: 1 }, '"%fieldName" is required. Enter and try again.', { fieldName: 'sku' }],
  [{ sku: 'X1', price: 1 }, 'The "%1" attribute value is empty. Set the attribute and try again.', ['Product Name']],
  [{ sku: 'X1', name: 'X' }, 'The "%1" attribute value is empty. Set the attribute and try again.', ['Price']],
  [
    { sku: 'X1', name: 'X', price: -1 },
    'Invalid value of "%value" provided for the %fieldName field.',
    { fieldName: 'price', value: '-1' },
  ],
  [
    { sku: 'X1', name: 'X', price: 1, extension_attributes: { website_ids: [99] } },
    'Invalid value of "%value" provided for the %fieldName field.',
    { fieldName: 'websiteIds', value: '99' },
  ],
])('a product %j is refused', async (product, message, parameters) => {
  expect(await post('/V1/products', { product })).toMatchObject({ status: 400, body: { message, parameters } });
});

test.each(['99', 'abc', '0', '99999999999'])(
  'a category %s that is not there is refused, and nothing changes',
  async (id) => {
    const before = (await get('/V1/products/MUG')).body;
    const links = [lamps, id].map((category_id) => ({ position: 1, category_id }));
    const attribute = { attribute_code: 'category_ids', value: [lamps, id] };
    for (const [fieldName, more] of [
      ['category_links', { extension_attributes: { category_links: links } }],
      ['category_ids', { custom_attributes: [attribute] }],
    ] as const)
      expect(await put('/V1/products/MUG', { product: more })).toMatchObject({
        status: 400,
        body: { parameters: { fieldName, value: id } },
      });
    expect((await get('/V1/products/MUG')).body).toEqual(before);
  },
);

test('a price that is not a number is refused in the platform’s words', async () => {
  const { status, body } = await post('/V1/products', { product: { sku: 'X1', name: 'X', price: 'cheap' } });

  expect(status).toBe(400);
  expect(body.message).toBe(
    'Error occurred during "price" processing. The "cheap" value\'s type is invalid. The "float" type was expected. Verify and try again.',
  );
});

test('a stock item is read and set by the sku', async () => {
  const { body } = await get('/V1/stockItems/PLATE');
  expect(body).toMatchObject({
    product_id: body.item_id,
    stock_id: 1,
    qty: 100,
    is_in_stock: true,
    manage_stock: true,
  });

  const change = { stockItem: { qty: 7.5, is_in_stock: true, min_qty: 2, backorders: 1 } };
  expect(await put(`/V1/products/PLATE/stockItems/${body.item_id}`, change)).toMatchObject({ body: body.item_id });

  expect((await get('/V1/stockItems/PLATE')).body).toMatchObject({ qty: 7.5, min_qty: 2, backorders: 1 });
});

test('the stock of an unknown product is not found, and nothing may lie below zero', async () => {
  expect(await get('/V1/stockItems/NONE')).toMatchObject({
    status: 404,
    body: { message: `The Product with the "%1" SKU doesn't exist.`, parameters: ['NONE'] },
  });
  for (const qty of [-0.5, '-0.5'])
    expect(await put('/V1/products/PLATE/stockItems/1', { stockItem: { qty } })).toMatchObject({
      status: 400,
      body: { parameters: { fieldName: 'qty', value: -0.5 } },
    });
});

test('a caller without the resource is refused', async () => {
  expect(await api.call('GET', '/V1/products/MUG', { token: api.tokens.nothing })).toMatchObject({
    status: 401,
    body: { parameters: { resources: 'Platform_Catalog::products' } },
  });
});
