import { beforeAll, expect, test } from 'vitest';
import { aShopper, troy } from '../../../support/builders/cart.ts';
import { aCup, type Cup, type Entered } from '../../../support/builders/cup.ts';
import { aShirtInSizes, type Choose } from '../../../support/builders/shirt.ts';
import { booksOf } from '../../../support/books.ts';
import { eightAtOnce } from '../../../support/rivals.ts';
import { api, opensAShop, ordersOf } from './orders-of-carts.ts';

opensAShop();
let cup: Cup;
let choose: Choose;
beforeAll(async () => {
  cup = await aCup(api);
  choose = await aShirtInSizes(api);
  await fillShelves();
});

const { promised, promisesOf, shelf, change, fillShelves, find } = booksOf(() => api.orm);
const admin = (method: string, path: string, body?: object) =>
  api.call(method, path, { token: api.tokens.admin, ...(body ? { body } : {}) });
const orderOf = async (id: number) => (await admin('GET', `/V1/orders/${id}`)).body;
const gold: Entered = { engraving: 'For Ada', glaze: ['Gold'] };
const notAvailable = 'Some of the selected item options are not currently available.';
const blue: Entered = { glaze: ['Blue'] };

/** A cart with cups: in gold with an engraving at 49, in blue at 42. */
async function aShopperWithCups(qty: number, ...entered: Entered[]) {
  const shopper = await aShopper(api);
  await shopper.open();
  const take = (one: Entered, pieces = 1) =>
    shopper.call('POST', '/items', { cartItem: { sku: 'CUP', qty: pieces, product_option: cup.enter(one) } });
  for (const one of entered) await take(one, qty);
  await shopper.ship();
  return { ...shopper, take };
}

test('the order’s line has the price, the SKU and what was entered; the product itself is promised', async () => {
  const { call, place } = await aShopperWithCups(2, gold, blue);
  await call('PUT', '/coupons/TENOFF');
  const { status, body: orderId } = await place();
  expect(status).toBe(200);
  const order = await orderOf(orderId);
  // 182 less 18.20, 20 for four pieces, 8 % of 88.20 and of 75.60.
  expect(order).toMatchObject({ subtotal: 182, discount_amount: -18.2, tax_amount: 13.11, grand_total: 196.91 });
  expect(order.items).toMatchObject([
    { sku: 'CUP-ENGR-GOLD', name: 'Cup CUP', price: 49, qty_ordered: 2, product_option: cup.enter(gold) },
    { sku: 'CUP-BLUE', price: 42, discount_amount: 8.4, product_option: cup.enter(blue) },
  ]);
  expect(JSON.stringify(order)).not.toContain('stock_sku');
  expect(await promisesOf(orderId, 'sku', 'quantity')).toEqual([
    { sku: 'CUP', quantity: '-2.0000' },
    { sku: 'CUP', quantity: '-2.0000' },
  ]);
});

test('it is invoiced, handed over and refunded piece by piece, and the shelf of the product follows', async () => {
  const before = await shelf('CUP');
  const { place } = await aShopperWithCups(3, gold);
  const { body: orderId } = await place();
  const [line] = (await orderOf(orderId)).items;
  const one = { items: [{ order_item_id: line.item_id, qty: 1 }] };
  expect(await admin('POST', `/V1/order/${orderId}/invoice`, one)).toMatchObject({ status: 200 });
  expect(await admin('POST', `/V1/order/${orderId}/ship`, one)).toMatchObject({ status: 200 });
  expect([await shelf('CUP'), await promised(orderId)]).toEqual([before - 1, -2]);
  const ships = await eightAtOnce(() => admin('POST', `/V1/order/${orderId}/ship`, {}));
  expect(ships.filter(({ status }) => status === 200)).toHaveLength(1);
  await admin('POST', `/V1/order/${orderId}/invoice`, { capture: true });
  expect([await shelf('CUP'), await promised(orderId)]).toEqual([before - 3, 0]);
  const [shipment] = await find('sales_shipment_item', { order_item_id: line.item_id }, 'sku');
  expect(shipment).toEqual({ sku: 'CUP-ENGR-GOLD' });

  const back = { ...one, arguments: { extension_attributes: { return_to_stock_items: [line.item_id] } } };
  expect(await admin('POST', `/V1/order/${orderId}/refund`, back)).toMatchObject({ status: 200 });
  expect(await shelf('CUP')).toBe(before - 2);
  expect(await admin('POST', `/V1/order/${orderId}/refund`, {})).toMatchObject({ status: 200 });
  expect(await orderOf(orderId)).toMatchObject({ state: 'closed', total_refunded: 173.76 });
});

test('what was never handed over is written off the shelf of the product by a refund', async () => {
  const before = await shelf('CUP');
  const { place } = await aShopperWithCups(2, gold);
  const { body: orderId } = await place();
  await admin('POST', `/V1/order/${orderId}/invoice`, { capture: true });
  expect(await admin('POST', `/V1/order/${orderId}/refund`, {})).toMatchObject({ status: 200 });
  expect([await shelf('CUP'), await promised(orderId)]).toEqual([before - 2, 0]);
});

test('a cancelled order gives its cups back, also one that a save cancels or makes smaller', async () => {
  const cancels = [
    (id: number) => admin('POST', `/V1/orders/${id}/cancel`),
    (id: number) => admin('POST', '/V1/orders', { entity: { entity_id: id, state: 'canceled', status: 'canceled' } }),
  ];
  for (const cancel of cancels) {
    const { place } = await aShopperWithCups(3, gold);
    const { body: orderId } = await place();
    const [{ item_id }] = (await orderOf(orderId)).items;
    const items = [{ item_id, sku: 'CUP-ENGR-GOLD', qty_ordered: 2 }];
    expect(await admin('POST', '/V1/orders', { entity: { entity_id: orderId, items } })).toMatchObject({ status: 200 });
    expect(await promised(orderId)).toBe(-2);
    expect(await cancel(orderId)).toMatchObject({ status: 200 });
    expect(await promised(orderId)).toBe(0);
  }
});

test('the last cups are not sold twice, in gold and in blue; of eight at once one order is placed', async () => {
  const { place, call, customerId } = await aShopperWithCups(2, gold, blue);
  const { body: stock } = await admin('GET', '/V1/inventory/stock-resolver/website/base');
  const salable = async () =>
    (await admin('GET', `/V1/inventory/get-product-salable-quantity/CUP/${stock.stock_id}`)).body;
  await change('inventory_source_item', { sku: 'CUP' }, { quantity: (await shelf('CUP')) + 3 - (await salable()) });
  expect(await place()).toMatchObject({ status: 400, body: { message: 'The requested qty is not available' } });
  const [{ item_id: itemId }] = (await call('GET', '/items')).body;
  await call('PUT', `/items/${itemId}`, { cartItem: { qty: 1 } });
  const answers = await eightAtOnce(() => place());
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect([await salable(), (await ordersOf(customerId)).length]).toEqual([0, 1]);
  await fillShelves();
});

test('of a placement and a rival who takes the option off, the order is either refused or whole', async () => {
  const own = await aCup(api, 'CUP-RACED');
  await fillShelves();
  const shopper = await aShopper(api);
  await shopper.open();
  const product_option = own.enter({ glaze: ['Gold'], day: '2026-12-24 00:00:00' });
  await shopper.call('POST', '/items', { cartItem: { sku: own.sku, qty: 1, product_option } });
  await shopper.ship();
  const [placed, deleted] = await Promise.all([
    shopper.place(),
    admin('DELETE', `/V1/products/${own.sku}/options/${own.ids.day}`),
  ]);
  expect(deleted).toMatchObject({ body: true });
  if (placed.status === 200) expect((await orderOf(placed.body)).items).toMatchObject([{ product_option }]);
  else expect(placed).toMatchObject({ status: 400, body: { message: notAvailable } });
});

test('special prices and tiers come first: a percentage is of what the piece costs', async () => {
  const tiers = { tier_prices: [{ customer_group_id: 32_000, qty: 3, value: 30 }] };
  await admin('PUT', '/V1/products/CUP', { product: tiers });
  const { call, take } = await aShopperWithCups(2, gold);
  expect((await call('GET', '/items')).body).toMatchObject([{ price: 49 }]);
  expect((await take(gold)).body).toMatchObject({ qty: 3, price: 38 });
  await admin('PUT', '/V1/products/CUP', { product: { tier_prices: [] } });
});

test('in the other currency the options cost the same at the rate, on the order too', async () => {
  const { call, token } = await aShopperWithCups(2, gold);
  const inCanada = (method: string, path: string, body?: object) =>
    api.call(method, `/rest/ca/V1/carts/mine${path}`, { token, ...(body ? { body } : {}) });
  await inCanada('POST', '');
  const way = { shippingCarrierCode: 'flatrate', shippingMethodCode: 'flatrate' };
  const addressInformation = { shippingAddress: troy, billingAddress: troy, ...way };
  await inCanada('POST', '/shipping-information', { addressInformation });
  expect((await call('GET', '/items')).body).toMatchObject([{ price: 66.64, sku: 'CUP-ENGR-GOLD' }]);
  const { body: orderId } = await inCanada('PUT', '/order', { paymentMethod: { method: 'checkmo' } });
  const [line] = (await orderOf(orderId)).items;
  expect(line).toMatchObject({ base_price: 49, price: 66.64, sku: 'CUP-ENGR-GOLD' });
});

test('a shirt that is chosen by size is printed too: the part keeps its own SKU, and stock goes by it', async () => {
  const print = { product_sku: 'SHIRT', title: 'Print', type: 'field', price: 10, price_type: 'percent', sku: 'PRINT' };
  const { option_id: id } = (await admin('POST', '/V1/products/options', { option: print })).body;
  const printed = (words: string) => ({
    extension_attributes: {
      custom_options: [{ option_id: String(id), option_value: words }],
      ...choose(4, 2).extension_attributes,
    },
  });
  const { call, ship, place, open } = await aShopper(api);
  await open();
  const take = (option: object) =>
    call('POST', '/items', { cartItem: { sku: 'SHIRT', qty: 1, product_option: option } });
  await take(printed('Ada'));
  await take(choose(4, 2));
  const { body: again } = await take(printed('Ada'));
  expect(again).toMatchObject({ sku: 'RED-L-PRINT', qty: 2, price: 35.2, product_option: printed('Ada') });
  await call('PUT', `/items/${again.item_id}`, { cartItem: { qty: 2, product_option: choose(4, 1) } });
  expect((await call('GET', '/items')).body).toMatchObject([
    { item_id: again.item_id, sku: 'RED-M-PRINT', price: 33 },
    { sku: 'RED-L', price: 32 },
  ]);
  await ship();
  const { body: orderId } = await place();
  const { items } = await orderOf(orderId);
  expect(items).toMatchObject([
    { sku: 'RED-M-PRINT', product_type: 'configurable', price: 33 },
    { sku: 'RED-M', product_type: 'simple', price: 0 },
    { sku: 'RED-L', product_type: 'configurable', price: 32 },
    { sku: 'RED-L', product_type: 'simple' },
  ]);
  expect(await promisesOf(orderId, 'sku')).toEqual([{ sku: 'RED-M' }, { sku: 'RED-L' }]);
  const before = await shelf('RED-M');
  await admin('POST', `/V1/order/${orderId}/invoice`, { capture: true });
  await admin('POST', `/V1/order/${orderId}/ship`, {});
  expect([await shelf('RED-M'), await promised(orderId)]).toEqual([before - 2, 0]);
});

test('two carts become one: what is entered the same is one line', async () => {
  const { call, customerId } = await aShopperWithCups(1, gold, blue);
  const { body: id } = await admin('POST', '/V1/carts');
  for (const one of [gold, { ...gold, engraving: 'For Bo' }])
    await admin('POST', `/V1/carts/${id}/items`, { cartItem: { sku: 'CUP', qty: 2, product_option: cup.enter(one) } });
  expect(await admin('PUT', `/V1/carts/${id}`, { customerId, storeId: 1 })).toMatchObject({ status: 200 });
  expect((await call('GET', '/items')).body).toMatchObject([
    { sku: 'CUP-ENGR-GOLD', qty: 3, product_option: cup.enter(gold) },
    { sku: 'CUP-ENGR-GOLD', qty: 2 },
    { sku: 'CUP-BLUE', qty: 1 },
  ]);
});

test('of eight at once, each adds its cup to the one line', async () => {
  const { take, call } = await aShopperWithCups(1, gold);
  const answers = await eightAtOnce(() => take(gold));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
  expect((await call('GET', '/items')).body).toMatchObject([{ qty: 9 }]);
});
