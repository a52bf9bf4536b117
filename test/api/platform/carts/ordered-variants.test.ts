import { beforeAll, expect, test } from 'vitest';
import { aShopper, troy } from '../../../support/builders/cart.ts';
import { aShirtInSizes, type Choose } from '../../../support/builders/shirt.ts';
import { booksOf } from '../../../support/books.ts';
import { eightAtOnce } from '../../../support/rivals.ts';
import { api, opensAShop } from './orders-of-carts.ts';

opensAShop();
let choose: Choose;
beforeAll(async () => {
  choose = await aShirtInSizes(api);
  await fillShelves();
});

const { promised, promisesOf, shelf, change, fillShelves } = booksOf(() => api.orm);
const admin = (method: string, path: string, body?: object) =>
  api.call(method, path, { token: api.tokens.admin, ...(body ? { body } : {}) });
const orderOf = async (id: number) => (await admin('GET', `/V1/orders/${id}`)).body;
const [red, medium, large] = [4, 1, 2];
const salable = async () => {
  const { body: stock } = await admin('GET', '/V1/inventory/stock-resolver/website/base');
  return (await admin('GET', `/V1/inventory/get-product-salable-quantity/RED-L/${stock.stock_id}`)).body;
};

/** A cart with shirts in red and L, which cost 32. */
async function aShopperWithShirts(qty: number) {
  const shopper = await aShopper(api);
  await shopper.open();
  const take = (option: object, pieces = 1) =>
    shopper.call('POST', '/items', { cartItem: { sku: 'SHIRT', qty: pieces, product_option: option } });
  await take(choose(red, large), qty);
  return { ...shopper, take };
}

test('the order has the shirt as a line, with its price, and the chosen one as a part of it', async () => {
  const { call, ship, place } = await aShopperWithShirts(3);
  await ship();
  await call('PUT', '/coupons/TENOFF');
  const { status, body: orderId } = await place();
  expect(status).toBe(200);

  const order = await orderOf(orderId);
  // 96 less 9.60, 15 for three pieces, 8 % of 86.40.
  expect(order).toMatchObject({ subtotal: 96, discount_amount: -9.6, tax_amount: 6.91, grand_total: 108.31 });
  expect(order).toMatchObject({ total_qty_ordered: 3, total_item_count: 1, weight: 0.6, is_virtual: 0 });
  const [sold, part] = order.items;
  expect(order.items).toHaveLength(2);
  expect(sold).toMatchObject({
    ...{ product_type: 'configurable', sku: 'RED-L', name: 'shirt', qty_ordered: 3, price: 32, discount_amount: 9.6 },
    product_option: choose(red, large),
  });
  expect(part).toMatchObject({
    ...{ parent_item_id: sold.item_id, product_type: 'simple', sku: 'RED-L', name: 'Shirt RED-L', qty_ordered: 3 },
    ...{ price: 0, row_total: 0, tax_amount: 0, discount_amount: 0, quote_item_id: sold.quote_item_id },
  });
  expect(sold.product_id).not.toBe(part.product_id);
  expect(await promisesOf(orderId, 'sku', 'quantity')).toEqual([{ sku: 'RED-L', quantity: '-3.0000' }]);
});

test('it is invoiced, handed over and refunded once, piece by piece, and the shelf follows', async () => {
  const before = await shelf('RED-L');
  const { ship, place, call } = await aShopperWithShirts(3);
  await ship();
  await call('PUT', '/coupons/TENOFF');
  const { body: orderId } = await place();
  const [sold, part] = (await orderOf(orderId)).items;

  expect(await admin('POST', `/V1/order/${orderId}/invoice`, { capture: true })).toMatchObject({ status: 200 });
  expect(await admin('POST', `/V1/order/${orderId}/ship`, {})).toMatchObject({ status: 200 });
  expect(await orderOf(orderId)).toMatchObject({ state: 'complete', total_paid: 108.31 });
  expect([await shelf('RED-L'), await promised(orderId)]).toEqual([before - 3, 0]);

  const refund = (named: number) =>
    admin('POST', `/V1/order/${orderId}/refund`, {
      items: [{ order_item_id: sold.item_id, qty: 1 }],
      arguments: { shipping_amount: 0, extension_attributes: { return_to_stock_items: [named] } },
    });
  // 32 less 3.20 and 2.30 of tax, twice; the rest, with the shipping, comes last.
  expect(await refund(sold.item_id)).toMatchObject({ status: 200 });
  expect(await orderOf(orderId)).toMatchObject({ total_refunded: 31.1 });
  expect(await refund(part.item_id)).toMatchObject({ status: 200 });
  expect(await shelf('RED-L')).toBe(before - 1);
  expect(await admin('POST', `/V1/order/${orderId}/refund`, {})).toMatchObject({ status: 200 });
  expect(await orderOf(orderId)).toMatchObject({ state: 'closed', total_refunded: 108.31 });
});

test('in the other currency it costs the same at the rate, also after a refund', async () => {
  const { call, token } = await aShopperWithShirts(3);
  const inCanada = (method: string, path: string, body?: object) =>
    api.call(method, `/rest/ca/V1/carts/mine${path}`, { token, ...(body ? { body } : {}) });
  await inCanada('POST', '');
  const way = { shippingCarrierCode: 'flatrate', shippingMethodCode: 'flatrate' };
  await inCanada('POST', '/shipping-information', {
    addressInformation: { shippingAddress: troy, billingAddress: troy, ...way },
  });
  expect((await call('GET', '/items')).body).toMatchObject([{ price: 43.52, sku: 'RED-L' }]);
  const { body: orderId } = await inCanada('PUT', '/order', { paymentMethod: { method: 'checkmo' } });
  const order = await orderOf(orderId);
  expect(order).toMatchObject({ order_currency_code: 'CAD', base_grand_total: 118.68, grand_total: 161.4 });

  await admin('POST', `/V1/order/${orderId}/invoice`, { capture: true });
  await admin('POST', `/V1/order/${orderId}/refund`, {});
  expect(await orderOf(orderId)).toMatchObject({ base_total_refunded: 118.68, total_refunded: 161.4, state: 'closed' });
});

test('the last shirts are not sold twice, as themselves and as a choice', async () => {
  const { put, ship, place, call } = await aShopperWithShirts(4);
  await put('RED-L', 4);
  await ship();
  const left = 7 - (await salable());
  await change('inventory_source_item', { sku: 'RED-L' }, { quantity: (await shelf('RED-L')) + left });
  expect(await place()).toMatchObject({ status: 400, body: { message: 'The requested qty is not available' } });
  const [line] = (await call('GET', '/items')).body;
  await call('PUT', `/items/${line.item_id}`, { cartItem: { qty: 3 } });
  expect(await place()).toMatchObject({ status: 200 });
  expect(await salable()).toBe(0);
  await fillShelves();
});

test('a cancelled order gives the chosen shirts back to everybody', async () => {
  const { ship, place } = await aShopperWithShirts(2);
  await ship();
  const { body: orderId } = await place();
  expect(await promised(orderId)).toBe(-2);
  expect(await admin('POST', `/V1/orders/${orderId}/cancel`)).toMatchObject({ body: true });
  expect(await promised(orderId)).toBe(0);
  expect(await orderOf(orderId)).toMatchObject({ state: 'canceled' });
});

test('a register takes the shirt back as one line', async () => {
  const { ship, place } = await aShopperWithShirts(2);
  await ship();
  const { body: orderId } = await place();
  await admin('POST', `/V1/order/${orderId}/invoice`, { capture: true });
  await admin('POST', `/V1/order/${orderId}/ship`, {});
  const { status, body } = await admin('GET', `/V1/pos/rma/eligibility/${orderId}`);
  expect(status).toBe(200);
  const [sold] = (await orderOf(orderId)).items;
  expect(body.lines).toMatchObject([{ order_item_id: sold.item_id, name: 'shirt', qty_returnable: 2 }]);
});

test('two carts become one: the same choice is one line, another choice its own', async () => {
  const { call, take, customerId } = await aShopperWithShirts(2);
  await take(choose(red, medium));
  const { body: id } = await admin('POST', '/V1/carts');
  const put = (sku: string, option?: object) =>
    admin('POST', `/V1/carts/${id}/items`, { cartItem: { sku, qty: 1, ...(option && { product_option: option }) } });
  await put('SHIRT', choose(red, large));
  await put('RED-M');
  expect(await admin('PUT', `/V1/carts/${id}`, { customerId, storeId: 1 })).toMatchObject({ status: 200 });

  expect((await call('GET', '/items')).body).toMatchObject([
    { sku: 'RED-L', qty: 3, product_option: choose(red, large) },
    { sku: 'RED-M', qty: 1, product_type: 'simple' },
    { sku: 'RED-M', qty: 1, product_type: 'configurable' },
  ]);
});

test('of eight at once, each adds its shirt to the one line', async () => {
  const { take, call } = await aShopperWithShirts(1);
  const answers = await eightAtOnce(() => take(choose(red, large)));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
  expect((await call('GET', '/items')).body).toMatchObject([{ sku: 'RED-L', qty: 9 }]);
});

test('a promotion for shirts, by the category of the shirt, holds for the one that was chosen', async () => {
  await change('product', { sku: 'SHIRT' }, { category_ids: '{77}' });
  const condition = {
    ...{ condition_type: 'Magento\\SalesRule\\Model\\Rule\\Condition\\Product\\Combine', aggregator_type: 'all' },
    ...{ value: '1', operator: null, attribute_name: null },
    conditions: [
      {
        condition_type: 'Magento\\SalesRule\\Model\\Rule\\Condition\\Product',
        ...{ attribute_name: 'category_ids', operator: '==', value: '77' },
      },
    ],
  };
  const { body: ruleId, status } = await admin('POST', '/V1/salesRules', {
    rule: {
      ...{ name: 'Shirts', website_ids: [1], customer_group_ids: [0, 1, 2, 3], is_active: true, uses_per_customer: 0 },
      ...{ simple_action: 'by_percent', discount_amount: 50, coupon_type: 'NO_COUPON', action_condition: condition },
    },
  });
  expect({ status, ruleId }).toMatchObject({ status: 200 });
  const { put, totals } = await aShopperWithShirts(1);
  await put('MUG');
  expect(await totals()).toMatchObject({
    discount_amount: -16,
    items: [{ discount_amount: 16 }, { discount_amount: 0 }],
  });
});
