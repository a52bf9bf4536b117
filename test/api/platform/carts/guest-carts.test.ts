import { describe, expect, test } from 'vitest';
import { aShopper, troy } from '../../../support/builders/cart.ts';
import { booksOf } from '../../../support/books.ts';
import { eightAtOnce } from '../../../support/rivals.ts';
import { opensACartShop, api } from '../../../support/cart-shop.ts';

opensACartShop();

const { change, forgetTries } = booksOf(() => api.orm);

/** A guest with two mugs (50 each) for Troy. */
async function aGuest() {
  const { status, body: mask } = await api.call('POST', '/V1/guest-carts');
  expect([status, mask]).toEqual([200, expect.stringMatching(/^[0-9a-f]{32}$/)]);
  const call = (method: string, path = '', body?: unknown) =>
    api.call(method, `/V1/guest-carts/${mask}${path}`, body === undefined ? {} : { body });
  await call('POST', '/items', { cartItem: { sku: 'MUG', qty: 2, quote_id: mask } });
  const ship = () =>
    call('POST', '/shipping-information', {
      addressInformation: {
        ...{ shipping_address: troy, billing_address: troy },
        ...{ shipping_carrier_code: 'flatrate', shipping_method_code: 'flatrate' },
      },
    });
  const pay = () =>
    call('POST', '/payment-information', { email: 'guest@shop.test', paymentMethod: { method: 'checkmo' } });
  return { mask, call, ship, pay };
}
const admin = (method: string, path: string, body?: unknown) =>
  api.call(method, path, { token: api.tokens.admin, ...(body === undefined ? {} : { body }) });

test('a guest fills a cart, pays it, and the order is a guest’s', async () => {
  const { call, ship, pay } = await aGuest();
  expect((await call('GET')).body).toMatchObject({ customer_is_guest: true, customer: { email: null }, items_qty: 2 });
  expect((await ship()).body).toMatchObject({ totals: { grand_total: 118, tax_amount: 8 } });
  expect((await call('GET', '/payment-methods')).body).toEqual([{ code: 'checkmo', title: 'Check / Money order' }]);

  const { status, body: orderId } = await pay();

  expect(status).toBe(200);
  expect((await admin('GET', `/V1/orders/${orderId}`)).body).toMatchObject({
    ...{ customer_is_guest: 1, customer_email: 'guest@shop.test', customer_group_id: 0, grand_total: 118 },
    billing_address: { email: 'guest@shop.test', city: 'Troy' },
  });
  expect(await call('GET')).toMatchObject({ status: 404 });
});

test('eight payments of one guest place one order', async () => {
  const { ship, pay } = await aGuest();
  await ship();
  const answers = await eightAtOnce(() => pay());
  expect(answers.map(({ status }) => status).toSorted((one, two) => one - two)).toEqual([200, ...Array(7).fill(404)]);
});

test('a coupon, a line and an address come and go as in a customer’s cart', async () => {
  const { call, ship } = await aGuest();
  await ship();
  expect(await call('PUT', '/coupons/TENOFF')).toMatchObject({ body: true });
  expect((await call('GET', '/totals')).body).toMatchObject({
    grand_total: 117.2 - 10,
    items: [{ discount_percent: 10, weee_tax_applied_amount: 0, weee_tax_applied: '[]' }],
  });
  expect((await call('GET', '/coupons')).body).toBe('TENOFF');
  expect(await call('DELETE', '/coupons')).toMatchObject({ body: true });
  const [{ item_id: line }] = (await call('GET', '/items')).body;
  expect((await call('PUT', `/items/${line}`, { cartItem: { qty: 1 } })).body).toMatchObject({ qty: 1 });
  expect(await call('DELETE', `/items/${line}`)).toMatchObject({ body: true });
  expect((await call('GET', '/billing-address')).body).toMatchObject({ city: 'Troy', same_as_billing: 0 });
});

test('what a cart would come to elsewhere is told and not kept', async () => {
  const { call } = await aGuest();
  const addressInformation = { address: troy, shipping_carrier_code: 'flatrate', shipping_method_code: 'flatrate' };
  expect((await call('POST', '/totals-information', { addressInformation })).body).toMatchObject({
    ...{ tax_amount: 8, shipping_amount: 10, grand_total: 118 },
  });
  expect((await call('GET', '/totals')).body).toMatchObject({ tax_amount: 0, shipping_amount: 0, grand_total: 100 });
});

test('a payment method is chosen when the shop offers it, and read back', async () => {
  const { call, ship } = await aGuest();
  expect((await call('GET', '/selected-payment-method')).body).toEqual([]);
  const choose = (method: string) => call('PUT', '/selected-payment-method', { method: { method } });
  expect(await choose('checkmo')).toMatchObject({
    status: 400,
    body: { message: 'The shipping address is missing. Set the address and try again.' },
  });
  await ship();
  expect(await choose('banktransfer')).toMatchObject({
    status: 400,
    body: { message: 'The requested Payment Method is not available.' },
  });
  expect(await choose('checkmo')).toMatchObject({ status: 200, body: expect.any(Number) });
  expect((await call('GET', '/selected-payment-method')).body).toMatchObject({ method: 'checkmo', po_number: null });
});

describe('refused:', () => {
  test('an unknown cart token, for every part of a cart', async () => {
    const gone = { status: 404, body: { parameters: { fieldName: 'cartId', fieldValue: null } } };
    const nobody = `/V1/guest-carts/${'f'.repeat(32)}`;
    for (const part of ['', '/items', '/totals', '/coupons', '/billing-address', '/payment-information'])
      expect(await api.call('GET', nobody + part)).toMatchObject(gone);
  });

  test('an order without an e-mail, or with an invalid one', async () => {
    const { call, ship } = await aGuest();
    await ship();
    const paymentMethod = { method: 'checkmo' };
    expect(await call('PUT', '/order', { paymentMethod })).toMatchObject({
      status: 400,
      body: { message: 'Email has a wrong format' },
    });
    expect(await call('POST', '/payment-information', { paymentMethod })).toMatchObject({
      body: { parameters: { fieldName: 'email' } },
    });
    expect(await call('POST', '/payment-information', { email: 'nobody', paymentMethod })).toMatchObject({
      body: { message: 'Email has a wrong format' },
    });
  });

  test('the way of a customer’s cart: it has no word', async () => {
    const shopper = await aShopper(api);
    const id = await shopper.open();
    expect(await api.call('GET', `/V1/guest-carts/${id}`)).toMatchObject({ status: 404 });
  });
});

test('a guest who signs in takes the cart along, and the word opens it no more', async () => {
  const { mask, call } = await aGuest();
  const shopper = await aShopper(api);
  await shopper.open();
  await shopper.put('PLATE');
  await shopper.put('MUG', 1);

  const take = () =>
    api.call('PUT', `/V1/guest-carts/${mask}`, {
      token: shopper.token,
      body: { customerId: shopper.customerId, storeId: 1 },
    });
  expect(await take()).toMatchObject({ status: 200, body: true });

  const { body: cart } = await shopper.call('GET');
  const held = cart.items.map(({ sku, qty }: { sku: string; qty: number }) => `${qty} ${sku}`);
  expect(held.toSorted()).toEqual(['1 PLATE', '3 MUG']);
  expect(cart.customer.id).toBe(shopper.customerId);
  expect([(await call('GET')).status, (await take()).status]).toEqual([404, 404]);
});

test('a guest’s cart is given to nobody but the customer who asks for it', async () => {
  const { mask, call } = await aGuest();
  const shopper = await aShopper(api);
  const take = (customerId: number, more: { token?: string }) =>
    api.call('PUT', `/V1/guest-carts/${mask}`, { ...more, body: { customerId, storeId: 1 } });
  const refused = {
    status: 400,
    body: { message: "You don't have the correct permissions to assign the customer to the cart." },
  };

  expect(await take(shopper.customerId, {})).toMatchObject(refused);
  expect(await take(shopper.customerId, { token: api.tokens.admin })).toMatchObject(refused);
  expect(await take(999, { token: shopper.token })).toMatchObject(refused);
  expect((await call('GET')).body.customer_is_guest).toBe(true);
});

test('eight carts that one customer takes at once become one, and nothing of them is lost', async () => {
  const shopper = await aShopper(api);
  const guests = await eightAtOnce(aGuest);
  const take = (mask: string) =>
    api.call('PUT', `/V1/guest-carts/${mask}`, { token: shopper.token, body: { storeId: 1 } });

  const answers = await Promise.all([...guests.map(({ mask }) => take(mask)), shopper.call('POST')]);

  expect(answers.map(({ status }) => status)).toEqual(Array(9).fill(200));
  expect((await shopper.call('GET', '/items')).body).toMatchObject([{ sku: 'MUG', qty: 16 }]);
});

test('an address opens 1000 carts in ten minutes; who has a token is not counted', async () => {
  await change('rate_limit', {}, { attempts: 1000 });
  expect(await api.call('POST', '/V1/guest-carts')).toMatchObject({ status: 429 });
  const shopper = await aShopper(api);
  expect(await api.call('POST', '/V1/guest-carts', { token: shopper.token })).toMatchObject({ status: 200 });
  await forgetTries();
});

test('two carts together hold no more than the shop has; refused, both stay as they are', async () => {
  const guest = await aGuest();
  const shopper = await aShopper(api);
  await shopper.open();
  await shopper.put('VASE');
  await guest.call('POST', '/items', { cartItem: { sku: 'VASE', qty: 1, quote_id: guest.mask } });
  const take = () => api.call('PUT', `/V1/guest-carts/${guest.mask}`, { token: shopper.token, body: { storeId: 1 } });

  expect(await take()).toMatchObject({ status: 400, body: { message: 'The requested qty is not available' } });
  expect((await shopper.totals()).items_qty).toBe(1);
  expect((await guest.call('GET')).body.items_qty).toBe(3);
  await shopper.call('DELETE', `/items/${(await shopper.call('GET')).body.items[0].item_id}`);
  expect(await take()).toMatchObject({ status: 200 });
  expect((await shopper.call('GET')).body.items_qty).toBe(3);
});
