import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Reservation } from '../../../../db/platform/inventory/reservation.entity.ts';
import { pieces } from '../../../../domain/money/quantity.ts';
import { testApi, type TestApi } from '../../../support/api.ts';
import { aShop } from '../../../support/builders/shop.ts';

let api: TestApi;
let stockId: number;

beforeAll(async () => {
  api = await testApi();
  ({ stockId } = await aShop(api.orm.em.fork()));
});
afterAll(() => api.close());

const get = (path: string) => api.call('GET', path, { token: api.tokens.admin });
const set = (sourceItems: unknown) =>
  api.call('POST', '/V1/inventory/source-items', { token: api.tokens.admin, body: { sourceItems } });

test('a source is read by its code', async () => {
  const { body } = await get('/V1/inventory/sources/floor');

  expect(body).toEqual({
    source_code: 'floor',
    name: 'Shop floor',
    enabled: true,
    country_id: 'US',
    use_default_carrier_config: true,
    carrier_links: [],
  });
  expect(await get('/V1/inventory/sources/attic')).toMatchObject({
    status: 404,
    body: { message: 'Source with code "%value" does not exist.', parameters: { value: 'attic' } },
  });
});

test('a stock is read by its id and found by its website', async () => {
  const shop = {
    stock_id: stockId,
    name: 'Shop',
    extension_attributes: { sales_channels: [{ type: 'website', code: 'base' }] },
  };

  expect((await get(`/V1/inventory/stocks/${stockId}`)).body).toEqual(shop);
  expect((await get('/V1/inventory/stock-resolver/website/base')).body).toEqual(shop);
  expect(await get('/V1/inventory/stocks/999')).toMatchObject({
    status: 404,
    body: { message: 'Stock with id "%value" does not exist.', parameters: { value: 999 } },
  });
  expect(await get('/V1/inventory/stock-resolver/website/moon')).toMatchObject({
    status: 404,
    body: { message: 'No linked stock found' },
  });
});

test('sources, stocks, their links and their quantities are searched', async () => {
  const criteria = (field: string, value: string) =>
    `searchCriteria[filter_groups][0][filters][0][field]=${field}&searchCriteria[filter_groups][0][filters][0][value]=${value}`;

  expect((await get('/V1/inventory/sources')).body).toMatchObject({ total_count: 2 });
  expect((await get(`/V1/inventory/sources?${criteria('source_code', 'damaged')}`)).body.items).toMatchObject([
    { name: 'Damaged goods' },
  ]);
  expect((await get('/V1/inventory/stocks')).body.items).toMatchObject([{ stock_id: stockId, name: 'Shop' }]);
  expect((await get(`/V1/inventory/stock-source-links?${criteria('stock_id', String(stockId))}`)).body.items).toEqual([
    { stock_id: stockId, source_code: 'floor', priority: 1 },
  ]);
  expect((await get(`/V1/inventory/source-items?${criteria('sku', 'MUG')}`)).body.items).toEqual([
    { sku: 'MUG', source_code: 'floor', quantity: 100, status: 1 },
  ]);
});

test('the salable quantity is the stock less the reservations', async () => {
  const em = api.orm.em.fork();
  em.create(Reservation, { stockId, sku: 'MUG', quantity: pieces(-3), eventType: 'order_placed', orderId: 1 });
  await em.flush();
  await set([{ sku: 'MUG', source_code: 'damaged', quantity: 5, status: 1 }]);

  expect((await get(`/V1/inventory/get-product-salable-quantity/MUG/${stockId}`)).body).toBe(97);
  expect((await get(`/V1/inventory/is-product-salable/MUG/${stockId}`)).body).toBe(true);
});

test('an unknown product has no salable quantity and is not for sale', async () => {
  expect(await get(`/V1/inventory/get-product-salable-quantity/NONE/${stockId}`)).toMatchObject({
    status: 404,
    body: { message: "The product that was requested doesn't exist. Verify the product and try again." },
  });
  expect((await get(`/V1/inventory/is-product-salable/NONE/${stockId}`)).body).toBe(false);
});

test('several products are asked about in one call', async () => {
  await set([{ sku: 'PLATE', source_code: 'floor', quantity: 0, status: 0 }]);

  const { body } = await get(
    `/V1/inventory/are-products-salable?skus[0]=PLATE&skus[1]=GIFTWRAP&skus[2]=NONE&stockId=${stockId}`,
  );

  expect(body).toEqual([
    { sku: 'PLATE', stock_id: stockId, salable: false },
    { sku: 'GIFTWRAP', stock_id: stockId, salable: true },
    { sku: 'NONE', stock_id: stockId, salable: false },
  ]);
});

test('quantities are set absolutely, so that setting them twice changes nothing', async () => {
  const count = [
    { sku: 'PLATE', sourceCode: 'floor', quantity: 40, status: 1 },
    { sku: 'PLATE', source_code: 'damaged', quantity: '2.5', status: 1 },
  ];

  const answers = [await set(count), await set(count)];

  expect(answers.map(({ status, body }) => ({ status, body }))).toEqual([
    { status: 200, body: [] },
    { status: 200, body: [] },
  ]);
  expect((await get(`/V1/inventory/get-product-salable-quantity/PLATE/${stockId}`)).body).toBe(40);
});

test('a quantity of a product is salable, or the reason is given', async () => {
  const ask = async (sku: string, qty: number | string) =>
    (await get(`/V1/inventory/is-product-salable-for-requested-qty/${sku}/${stockId}/${qty}`)).body;
  const because = (code: string) => ({ salable: false, errors: [expect.objectContaining({ code })] });

  expect(await ask('PLATE', 40)).toEqual({ salable: true, errors: [] });
  expect(await ask('PLATE', 41)).toEqual({
    salable: false,
    errors: [
      { code: 'back_order-disabled', message: 'Backorders are disabled' },
      { code: 'manage_stock-enabled', message: 'Manage stock is enabled' },
      { code: 'is_salable_with_reservations-not_enough_qty', message: 'Not enough items for sale' },
    ],
  });
  expect(await ask('PLATE', 1.5)).toEqual(because('is_correct_qty-is_qty_decimal'));
  expect(await ask('PLATE', 0)).toEqual(because('is_correct_qty-min_sale_qty'));
  expect(await ask('PLATE', 10_001)).toEqual(because('is_correct_qty-max_sale_qty'));
  expect(await ask('GIFTWRAP', 1)).toEqual({ salable: true, errors: [] });
  const enable = (isEnabled: boolean) =>
    api.orm.em.fork().execute('update inventory_source set is_enabled = ?', [isEnabled]);
  await enable(false);
  expect((await ask('PLATE', 1)).errors).toMatchObject([
    { code: 'back_order-disabled' },
    { code: 'manage_stock-enabled' },
    { code: 'is_salable_with_reservations-no_data', message: 'The requested sku is not assigned to given stock' },
  ]);
  await enable(true);
  expect(await ask('NONE', 1)).toEqual(because('requested-sku-is-not-assigned-to-given-stock'));
  expect(await ask('PLATE', 'x')).toMatchObject({ message: expect.stringContaining('"float" type') });
});

test('a basket is asked for line by line in one call', async () => {
  const path = '/V1/inventory/are-product-salable-for-requested-qty/';
  const lines = 'skuRequests[0][sku]=PLATE&skuRequests[0][qty]=40&skuRequests[1][sku]=NONE&skuRequests[1][qty]=1';

  expect((await get(`${path}?${lines}&stockId=${stockId}`)).body).toEqual([
    { sku: 'PLATE', stock_id: stockId, salable: true, errors: [] },
    {
      sku: 'NONE',
      stock_id: stockId,
      salable: false,
      errors: [
        {
          code: 'requested-sku-is-not-assigned-to-given-stock',
          message: 'The requested sku is not assigned to given stock.',
        },
      ],
    },
  ]);
  expect((await get(`${path}?stockId=${stockId}`)).body.parameters).toEqual({ fieldName: 'skuRequests' });
});

test('goods move from shop to shop, all of them or none', async () => {
  const move = (items: unknown, over: object = {}) =>
    api.call('POST', '/V1/inventory/bulk-partial-source-transfer', {
      token: api.tokens.admin,
      body: { originSourceCode: 'floor', destinationSourceCode: 'damaged', items, ...over },
    });
  const lie = async () => {
    const { items } = (await get('/V1/inventory/source-items?searchCriteria=')).body;
    return items
      .filter(({ sku }: { sku: string }) => sku === 'PLATE')
      .map((item: { source_code: string; quantity: number }) => [item.source_code, item.quantity]);
  };
  const plates = await lie();
  const refused = { status: 400, body: { message: 'Transfer validation failed', errors: [{}] } };

  expect(await move([{ sku: 'PLATE', qty: 41 }])).toMatchObject(refused);
  expect(
    await move([
      { sku: 'PLATE', qty: 1 },
      { sku: 'NONE', qty: 1 },
    ]),
  ).toMatchObject(refused);
  expect(
    await move([{ sku: 'PLATE', qty: 1 }], { destination_source_code: 'attic', destinationSourceCode: null }),
  ).toMatchObject({
    ...refused,
    body: {
      errors: [
        { message: 'Destination source %sourceCode does not exist', parameters: { sourceCode: 'attic' } },
        { message: '%message', parameters: { message: 'Source item for PLATE and attic does not exist' } },
      ],
    },
  });
  expect(await move([{ sku: 'PLATE', qty: 1 }], { destinationSourceCode: 'floor' })).toMatchObject({
    status: 400,
    body: {
      message: 'Transfer validation failed',
      errors: [{ message: 'Cannot transfer a source on itself', parameters: [] }],
    },
  });
  expect((await move([{ sku: 'PLATE', qty: 1 }], { originSourceCode: 'cellar' })).body.errors).toEqual([
    { message: 'Origin source %sourceCode does not exist', parameters: { sourceCode: 'cellar' } },
    { message: '%message', parameters: { message: 'Source item for PLATE and cellar does not exist' } },
  ]);
  expect((await move([{ sku: 'PLATE', qty: 1_000 }])).body.errors).toEqual([
    { message: 'Requested transfer amount for sku %sku is not available', parameters: { sku: 'PLATE' } },
  ]);
  expect(await move([{ sku: 'PLATE', qty: 0 }])).toMatchObject(refused);
  expect(await lie()).toEqual(plates);

  expect(await move([{ sku: 'PLATE', qty: 1.5 }])).toMatchObject({ status: 200, body: [] });
  expect(await lie()).toEqual([
    ['floor', 38.5],
    ['damaged', 4],
  ]);
});

test('eight counts of the same shelves at once, in any order, leave one of them', async () => {
  const rows = ['GIFTWRAP', 'MUG', 'PLATE'].flatMap((sku) => [
    { sku, source_code: 'floor', quantity: 100, status: 1 },
    { sku, source_code: 'damaged', quantity: 5, status: 1 },
  ]);

  const answers = await Promise.all(Array.from({ length: 8 }, (_, turn) => set(turn % 2 ? rows : rows.toReversed())));

  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect((await get(`/V1/inventory/get-product-salable-quantity/PLATE/${stockId}`)).body).toBe(100);
});

test('one wrong row refuses the count, in the inventory’s own envelope', async () => {
  const { status, body } = await set([
    { source_code: 'floor', quantity: 1, status: 1 },
    { sku: 'MUG', source_code: 'floor', quantity: 1, status: 1 },
  ]);

  expect(status).toBe(400);
  expect(body).toEqual({
    message: 'Validation Failed: "sku" can not be empty.',
    errors: [{ message: '"%field" can not be empty.', parameters: { field: 'sku' } }],
  });
  expect((await get(`/V1/inventory/get-product-salable-quantity/MUG/${stockId}`)).body).toBe(97);
});

test('all wrong fields of a count are reported at once', async () => {
  const { body } = await set([{ sku: ' ', source_code: ' ', status: 7 }]);
  const error = (message: string, field: string) => ({ message, parameters: { field } });

  expect(body).toEqual({
    message: 'Validation Failed: "sku" can not be empty.',
    errors: [
      error('"%field" can not be empty.', 'sku'),
      error('"%field" can not contain leading or trailing spaces.', 'sku'),
      error('"%field" can not be empty.', 'source_code'),
      error('"%field" can not contain whitespaces.', 'source_code'),
      error('"%field" should be numeric.', 'quantity'),
      error('"%field" should a known status.', 'status'),
    ],
  });
  expect((await set([{ sku: 'MUG', source_code: 'floor', quantity: 1 }])).body.errors).toEqual([
    error('"%field" should be numeric.', 'status'),
  ]);
  expect(await set([{ sku: 'MUG', source_code: 'attic', quantity: 1, status: 1 }])).toMatchObject({
    status: 400,
    body: { message: 'Could not save Source Item' },
  });
  expect(await set([])).toMatchObject({ status: 400, body: { message: 'Input data is empty' } });
  expect(await set([{ sku: 'MUG', source_code: 'floor', quantity: -1, status: 1 }])).toMatchObject({ status: 400 });
});

test('a register may read stock but not set it', async () => {
  const { status, body } = await api.call('POST', '/V1/inventory/source-items', {
    token: api.tokens.register,
    body: { sourceItems: [] },
  });

  expect(status).toBe(401);
  expect(body.parameters).toEqual({ resources: 'Platform_InventoryApi::stock_source_item_assign' });
});
