import { expect, test } from 'vitest';
import { Reservation } from '../../../../db/platform/inventory/reservation.entity.ts';
import { pieces } from '../../../../domain/money/quantity.ts';
import { booksOf } from '../../../support/books.ts';
import { expectRefused } from '../../../support/expect-refused.ts';
import { opensAShop, api, stockId, get, set } from './counted-stock.ts';

opensAShop();

const { fork, change, insert } = booksOf(() => api.orm);

test('a source is read by its code', async () => {
  const { body } = await get('/V1/inventory/sources/floor');

  expect(body).toEqual({
    source_code: 'floor',
    name: 'Shop floor',
    enabled: true,
    country_id: 'US',
    use_default_carrier_config: true,
    carrier_links: [],
    extension_attributes: { is_pickup_location_active: false, frontend_name: 'Shop floor' },
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

  expect((await get('/V1/inventory/sources')).body).toMatchObject({ total_count: 3 });
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
  const em = fork();
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

test('a quantity of a product is salable, or the reason is given', async () => {
  await set([{ sku: 'PLATE', source_code: 'floor', quantity: 40, status: 1 }]);
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
  const enable = (isEnabled: boolean) => change('inventory_source', {}, { is_enabled: isEnabled });
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
  await set([{ sku: 'PLATE', source_code: 'floor', quantity: 40, status: 1 }]);
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

test('a register may read stock but not set it', async () => {
  const { status, body } = await api.call('POST', '/V1/inventory/source-items', {
    token: api.tokens.register,
    body: { sourceItems: [] },
  });

  expect(status).toBe(401);
  expect(body.parameters).toEqual({ resources: 'Platform_InventoryApi::stock_source_item_assign' });
});

test('what is sold as its parts has no salable quantity of its own', async () => {
  await insert('product', { sku: 'TEA-SET', name: 'Tea set', type_id: 'bundle', website_ids: '{1}', price: 20 });
  await expectRefused({
    send: () => get(`/V1/inventory/get-product-salable-quantity/TEA-SET/${stockId}`),
    ...{ status: 400, said: "Can't check requested quantity for products without Source Items support." },
  });
});
