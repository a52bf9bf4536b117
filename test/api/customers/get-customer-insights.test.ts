import { afterAll, beforeAll, expect, test } from 'vitest';
import { Location } from '../../../db/locations/location.entity.ts';
import { createInvoice } from '../../../db/platform/invoices/create-invoice.ts';
import { cancelOrder } from '../../../db/platform/orders/cancel-order.ts';
import { Product } from '../../../db/platform/catalog/product.entity.ts';
import { addEntry } from '../../../db/store-credit/add-entry.ts';
import { pieces } from '../../../domain/money/quantity.ts';
import { insightsOf } from '../../../providers/insights/insights.ts';
import type { InsightProvider } from '../../../providers/insights/insight-provider.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { booksOf } from '../../support/books.ts';
import { anOrder } from '../../support/builders/order.ts';
import { refundPieces } from '../../support/builders/refunded-sale.ts';
import { aShop } from '../../support/builders/shop.ts';
import { aCustomer, anEntry } from '../../support/builders/wallet.ts';

const club: InsightProvider = {
  code: 'club',
  sections: async () => [{ title: 'Club', rows: [{ label: 'Level', value: 'Gold' }] }],
};
const broken: InsightProvider = {
  code: 'broken',
  sections: () => {
    throw new Error('no');
  },
};
const slow: InsightProvider = { code: 'slow', sections: () => new Promise(() => undefined) };

let api: TestApi;
let shop: Awaited<ReturnType<typeof aShop>>;
beforeAll(async () => {
  api = await testApi({ providers: { insights: insightsOf([broken, slow, club]) } });
  shop = await aShop(fork());
});
afterAll(() => api.close());

const { theOrder, fork, change, insert } = booksOf(() => api.orm);
const insightsOfCustomer = (customerId: number) =>
  api.call('GET', `/V1/pos/customer-insights/${customerId}`, { token: api.tokens.register });

const soldOn = (orderId: number, moment: string) =>
  change('sales_order', { entity_id: orderId }, { created_at: moment });

const ownerOf = async (orderId: number) => (await theOrder(orderId, 'customer_id')).customer_id ?? 0;

const aReceiptOf = (posOrderId: string, incrementId: string, locationId: number) =>
  insert('pos_receipt', {
    pos_order_id: posOrderId,
    token_digest: posOrderId,
    sealed_token: 's',
    order_increment_id: incrementId,
    location_id: locationId,
    is_reverse_charge: false,
    created_at: new Date(),
    updated_at: new Date(),
  });

async function aPlaceOf(websiteId: number, name: string): Promise<number> {
  const writer = fork();
  const place = writer.create(Location, { name, code: name.toLowerCase(), websiteId, sourceCode: 'floor' });
  await writer.flush();
  return place.locationId;
}

test('a customer who never bought has empty figures', async () => {
  const customerId = await aCustomer(fork());
  const { status, body } = await insightsOfCustomer(customerId);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    customer_id: customerId,
    currency: 'USD',
    statistics: { purchases: 0, visits: 0, last_purchase_at: null, total_spent: 0, average_basket: 0, return_rate: 0 },
    preferred_location: null,
    last_purchases: [],
    favourite_products: [],
    favourite_categories: [],
  });
});

test('the cashier sees how a customer buys, even when a provider fails', async () => {
  const customerId = await aCustomer(fork());
  const writer = fork();
  writer.assign(await writer.findOneOrFail(Product, { sku: 'MUG' }), { categoryIds: ['4', '7'] });
  writer.assign(await writer.findOneOrFail(Product, { sku: 'PLATE' }), { categoryIds: ['4'] });
  await writer.flush();
  const mugs = await anOrder(fork(), { customerId });
  const both = await anOrder(fork(), {
    customerId,
    lines: [
      { sku: 'MUG', qty: 1, price: '50' },
      { sku: 'PLATE', qty: 3, price: '10' },
    ],
  });
  const stays = await anOrder(fork(), { customerId, lines: [{ sku: 'PLATE', qty: 1, price: '12' }] });
  const cancelled = await anOrder(fork(), { customerId, paid: false, shipped: false });
  await cancelOrder(fork(), cancelled.orderId);
  await anOrder(fork(), { customerId, layaway: true });
  await anOrder(fork(), { customerId: await aCustomer(fork()) });
  await refundPieces(fork(), mugs, 1);
  await soldOn(mugs.orderId, '2026-11-01T10:00:00Z');
  await soldOn(both.orderId, '2026-11-20T10:00:00Z');
  await soldOn(stays.orderId, '2026-11-20T12:00:00Z');
  await aReceiptOf('r-1', both.incrementId, shop.locationId);
  await addEntry(fork(), anEntry(customerId, { amount: '25' }));

  const { body } = await insightsOfCustomer(customerId);
  // 108 + 80 + 12 bought, 54 of the mugs' 108 came back.
  expect(body.statistics).toEqual({
    purchases: 3,
    visits: 2,
    first_purchase_at: '2026-11-01 10:00:00',
    last_purchase_at: '2026-11-20 12:00:00',
    total_spent: 146,
    total_refunded: 54,
    average_basket: 66.67,
    return_rate: 27,
  });
  expect(body.preferred_location).toEqual({ location_id: shop.locationId, name: 'High Street', purchases: 1 });
  expect(body.last_purchases.map((order: { order_id: number }) => order.order_id)).toEqual([
    stays.orderId,
    both.orderId,
    mugs.orderId,
  ]);
  expect(body.favourite_products).toMatchObject([
    { sku: 'PLATE', qty: 4, purchases: 2 },
    { sku: 'MUG', qty: 2, purchases: 2 },
  ]);
  expect(body.favourite_categories).toEqual([
    { category_id: 4, qty: 6, purchases: 3 },
    { category_id: 7, qty: 2, purchases: 2 },
  ]);
  expect(body.credits).toMatchObject([{ type: 'store_credit', balance: 25 }]);
  expect(body.sections).toEqual([{ provider: 'club', title: 'Club', rows: [{ label: 'Level', value: 'Gold' }] }]);
});

test('goods that came back completely are not a favourite, though they were a purchase', async () => {
  const customerId = await aCustomer(fork());
  await refundPieces(fork(), await anOrder(fork(), { customerId }), 2);
  const kept = await anOrder(fork(), { customerId, lines: [{ sku: 'PLATE', qty: 1, price: '12' }] });
  const { body } = await insightsOfCustomer(customerId);
  expect(body.statistics).toMatchObject({ purchases: 2, total_spent: 12, total_refunded: 108, return_rate: 90 });
  expect(body.last_purchases[0].order_id).toBe(kept.orderId);
  expect(body.favourite_products).toMatchObject([{ sku: 'PLATE', qty: 1, purchases: 1 }]);
});

test('cancelled goods were not bought; a refund without a memo shows on its order', async () => {
  const customerId = await aCustomer(fork());
  const { orderId, items } = await anOrder(fork(), { customerId, paid: false, shipped: false });
  await createInvoice(fork(), { orderId, items: [{ orderItemId: items[0]?.itemId ?? 0, qty: pieces(1) }] });
  await cancelOrder(fork(), orderId);
  await change('sales_order', { entity_id: orderId }, { returned_without_memo: 4, base_returned_without_memo: 4 });

  const { body } = await insightsOfCustomer(customerId);
  expect(body.statistics).toMatchObject({ purchases: 1, total_spent: 50, total_refunded: 4, average_basket: 54 });
  expect(body.last_purchases[0]).toMatchObject({ order_id: orderId, total_refunded: 4 });
});

test('only a receipt of the order’s own sale or website tells where it was bought, and two receipts are one purchase', async () => {
  const customerId = await aCustomer(fork());
  const bought = await anOrder(fork(), { customerId, posSaleId: 'own-sale' });
  const elsewhere = await aPlaceOf(2, 'Elsewhere');
  await aReceiptOf('others', bought.incrementId, elsewhere);
  await aReceiptOf('others-too', bought.incrementId, elsewhere);
  expect((await insightsOfCustomer(customerId)).body.preferred_location).toBeNull();

  await aReceiptOf('same-website', bought.incrementId, shop.locationId);
  await aReceiptOf('same-website-again', bought.incrementId, shop.locationId);
  const { preferred_location: preferred } = (await insightsOfCustomer(customerId)).body;
  expect(preferred).toEqual({ location_id: shop.locationId, name: 'High Street', purchases: 1 });

  const other = await anOrder(fork(), { customerId: await aCustomer(fork()), posSaleId: 'sale-abroad' });
  await aReceiptOf('sale-abroad', other.incrementId, elsewhere);
  const { body } = await insightsOfCustomer(await ownerOf(other.orderId));
  expect(body.preferred_location).toMatchObject({ location_id: elsewhere, purchases: 1 });
});

test('an unknown customer is 404, and only callers who may see customers get this', async () => {
  expect((await insightsOfCustomer(999_999)).status).toBe(404);
  const token = await api.tokenFor('Vendor_Pos::locations');
  expect((await api.call('GET', '/V1/pos/customer-insights/1', { token })).status).toBe(401);
});
