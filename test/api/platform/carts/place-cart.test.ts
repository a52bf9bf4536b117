import { describe, expect, test } from 'vitest';
import { aShopper, aShopperWithMugs, troy } from '../../../support/builders/cart.ts';
import { booksOf } from '../../../support/books.ts';
import { eightAtOnce } from '../../../support/rivals.ts';
import { opensAShop, api, ordersOf } from './orders-of-carts.ts';

opensAShop();

const { promisesOf, find } = booksOf(() => api.orm);
const orderOf = async (id: number) => (await api.call('GET', `/V1/orders/${id}`, { token: api.tokens.admin })).body;
const admin = (method: string, path: string, body?: object) =>
  api.call(method, path, { token: api.tokens.admin, ...(body ? { body } : {}) });
const promised = (orderId: number) => promisesOf(orderId, 'sku', 'quantity', 'event_type');

test('a cart becomes the order it showed', async () => {
  const { call, customerId, place } = await aShopperWithMugs(api);
  await call('PUT', '/coupons/TENOFF');
  const { id: quoteId } = (await call('GET')).body;

  const { status, body: orderId } = await place();

  expect(status).toBe(200);
  const order = await orderOf(orderId);
  expect(order).toMatchObject({
    state: 'new',
    status: 'pending',
    quote_id: quoteId,
    customer_id: customerId,
    customer_is_guest: 0,
    customer_firstname: 'Wilma',
    base_currency_code: 'USD',
    subtotal: 100,
    discount_amount: -10,
    coupon_code: 'TENOFF',
    shipping_amount: 10,
    shipping_description: 'Flat Rate - Fixed',
    tax_amount: 7.2,
    grand_total: 107.2,
    base_grand_total: 107.2,
    total_due: 107.2,
    total_qty_ordered: 2,
    items: [{ sku: 'MUG', qty_ordered: 2, price: 50, tax_percent: 8, tax_amount: 7.2, discount_amount: 10 }],
    billing_address: { city: 'Troy', region: 'New York', region_code: 'NY' },
    payment: { method: 'checkmo', amount_ordered: 107.2 },
    extension_attributes: {
      shipping_assignments: [{ shipping: { address: { city: 'Troy' }, method: 'flatrate_flatrate' } }],
    },
  });
  expect(await promised(orderId)).toEqual([{ sku: 'MUG', quantity: '-2.0000', event_type: 'order_placed' }]);
  expect(await call('GET')).toMatchObject({ status: 404 });
  expect((await call('POST')).body).not.toBe(quoteId);
});

test('the order goes the way of every order: invoiced, shipped, refunded', async () => {
  const { place } = await aShopperWithMugs(api);
  const { body: orderId } = await place();

  expect(await admin('POST', `/V1/order/${orderId}/invoice`, { capture: true })).toMatchObject({ status: 200 });
  expect(await admin('POST', `/V1/order/${orderId}/ship`, {})).toMatchObject({ status: 200 });
  expect(await orderOf(orderId)).toMatchObject({ state: 'complete', total_paid: 118, total_due: 0 });
  expect(await admin('POST', `/V1/order/${orderId}/refund`, {})).toMatchObject({ status: 200 });
  expect(await orderOf(orderId)).toMatchObject({ state: 'closed', total_refunded: 118 });
});

test('payment information places it as well, the billing address along with it', async () => {
  const { open, put, call, ship } = await aShopper(api);
  await open();
  await put('MUG');
  await ship({ billingAddress: undefined });
  const billingAddress = { ...troy, city: 'Albany' };

  const { status, body } = await call('POST', '/payment-information', {
    cartId: 'any',
    email: 'any@shop.test',
    paymentMethod: { method: 'checkmo', additional_data: { cc_number: '4111111111111111' } },
    billing_address: billingAddress,
  });

  expect(status).toBe(200);
  expect(await orderOf(body)).toMatchObject({ billing_address: { city: 'Albany' }, grand_total: 59 });
  expect(JSON.stringify(await find('sales_order_payment'))).not.toContain('4111');
});

test('choices made before are enough', async () => {
  const { call } = await aShopperWithMugs(api);
  expect(await call('POST', '/set-payment-information', { paymentMethod: { method: 'checkmo' } })).toMatchObject({
    status: 200,
    body: true,
  });

  expect(await call('PUT', '/order', {})).toMatchObject({ status: 200, body: expect.any(Number) });
});

test('nothing but virtual goods need no way and no address to go to', async () => {
  const { open, put, call, place } = await aShopper(api);
  await open();
  await put('GIFTWRAP', 3);
  await call('POST', '/billing-address', { address: troy });

  const { body } = await place();

  expect(await orderOf(body)).toMatchObject({ is_virtual: 1, grand_total: 16.2, shipping_amount: 0 });
});

test('in a view of another currency both currencies add up', async () => {
  const { put, call, token, ship, place } = await aShopper(api);
  await api.call('POST', '/rest/ca/V1/carts/mine', { token });
  await put('PLATE', 3);
  await ship();
  await call('PUT', '/coupons/FIVE');

  const { body } = await place();

  expect(await orderOf(body)).toMatchObject({
    order_currency_code: 'CAD',
    base_to_order_rate: 1.36,
    base_subtotal: 99.99,
    subtotal: 135.99,
    base_discount_amount: -5,
    discount_amount: -6.8,
    base_shipping_amount: 15,
    shipping_amount: 20.4,
    base_tax_amount: 7.6,
    tax_amount: 10.34,
    base_grand_total: 117.59,
    grand_total: 159.93,
  });
});

describe('once:', () => {
  test('eight at once place one order', async () => {
    const { place, customerId } = await aShopperWithMugs(api);

    const answers = await eightAtOnce(() => place());

    expect(answers.map(({ status }) => status).toSorted((one, two) => one - two)).toEqual([200, ...Array(7).fill(404)]);
    expect(await ordersOf(customerId)).toHaveLength(1);
  });

  test('a repeat finds no cart', async () => {
    const { place } = await aShopperWithMugs(api);
    await place();

    expect(await place()).toMatchObject({
      status: 404,
      body: { message: 'Current customer does not have an active cart.' },
    });
  });

  test('of eight buyers of the last piece one gets it', async () => {
    const shoppers = await eightAtOnce(async () => {
      const shopper = await aShopper(api);
      await shopper.open();
      await shopper.put('VASE');
      await shopper.ship();
      return shopper;
    });

    const answers = await Promise.all(shoppers.map(({ place }) => place()));

    expect(answers.map(({ status }) => status).toSorted((one, two) => one - two)).toEqual([200, ...Array(7).fill(400)]);
    expect(answers.find(({ status }) => status === 400)!.body).toEqual({
      message: 'The requested qty is not available',
    });
  });

  test('of eight who have the coupon that is good for one use, one uses it', async () => {
    const shoppers = await eightAtOnce(() => aShopperWithMugs(api));
    for (const { call } of shoppers) expect(await call('PUT', '/coupons/ONCE')).toMatchObject({ status: 200 });

    const answers = await Promise.all(shoppers.map(({ place }) => place()));

    expect(answers.map(({ status }) => status).toSorted((one, two) => one - two)).toEqual([200, ...Array(7).fill(404)]);
    const [late] = shoppers.filter((_, at) => answers[at]!.status === 404);
    expect(await late!.totals()).toMatchObject({ discount_amount: 0, grand_total: 118 });
    await late!.call('DELETE', '/coupons');
    expect(await late!.place()).toMatchObject({ status: 200 });
  });
});
