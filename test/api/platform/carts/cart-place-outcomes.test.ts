import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApi, type TestApi } from '../../../support/api.ts';
import { booksOf } from '../../../support/books.ts';
import { aCartShop, aShopper, troy } from '../../../support/builders/cart.ts';
import { waysToCarts, type CartBehind } from '../../../support/builders/cart-doors.ts';
import { expectRefused } from '../../../support/expect-refused.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
  await aCartShop(fork());
  await configure('payment/purchaseorder/active', '1');
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  await api.close();
});

const { fork, change, configure } = booksOf(() => api.orm);
const email = 'guest@shop.test';
const checkmo = { method: 'checkmo' };

describe.each(waysToCarts)('the order of $door.whose', ({ door, open }) => {
  const filled = async (sku = 'MUG') => {
    const cart = await open(api);
    await cart.put(sku);
    return cart;
  };
  /** By both routes that place an order. */
  const refuses = async (cart: CartBehind, said: string, paymentMethod: object = checkmo, status = 400) => {
    const pay = () => cart.call('POST', '/payment-information', { email, paymentMethod });
    await expectRefused({ send: pay, status, said });
    const place = () => cart.call('PUT', '/order', { paymentMethod });
    await expectRefused({ send: place, status, said });
  };
  const known = (cart: CartBehind) => cart.call('POST', '/set-payment-information', { email, paymentMethod: checkmo });

  test('needs to know where the goods go, who pays, and how both is done', async () => {
    const cart = await filled();
    await known(cart);
    await refuses(cart, 'The shipping address is missing. Set the address and try again.');
    await cart.call('POST', '/billing-address', { address: troy, useForShipping: true });
    await refuses(cart, 'The shipping method is missing. Select the shipping method and try again.');
    await cart.ship();
    await refuses(cart, 'Enter a valid payment method and try again.', { method: '' });
    await refuses(cart, 'The requested Payment Method is not available.', { method: 'banktransfer' });
    await refuses(cart, 'Purchase order number is a required field.', { method: 'purchaseorder' });
    const unbilled = await filled();
    await known(unbilled);
    await unbilled.ship({ billingAddress: undefined });
    await refuses(unbilled, 'The billing address is missing. Set the address and try again.');
  });

  test('needs an e-mail that is one', async () => {
    const cart = await filled();
    await cart.ship();
    const pay = () => cart.call('POST', '/payment-information', { email: 'guest', paymentMethod: checkmo });
    await expectRefused({ send: pay, status: 400, said: 'Email has a wrong format' });
    if (door.kind === 'OwnCart') return;
    const place = () => cart.call('PUT', '/order', { paymentMethod: checkmo });
    await expectRefused({ send: place, status: 400, said: 'Email has a wrong format' });
  });

  test('is not placed with a coupon that ended meanwhile', async () => {
    const cart = await filled();
    await cart.ship();
    await known(cart);
    await change('sales_rule', { name: 'OVER' }, { to_date: null });
    await cart.call('PUT', '/coupons/OVER');
    await change('sales_rule', { name: 'OVER' }, { to_date: '2020-01-01' });
    await refuses(cart, "The coupon code isn't valid. Verify the code and try again.", checkmo, 404);
  });

  test('is not placed for goods that are gone', async () => {
    const cart = await filled('VASE');
    await cart.ship();
    await known(cart);
    await change('inventory_source_item', { sku: 'VASE' }, { quantity: 0 });
    await refuses(cart, 'The requested qty is not available');
    await change('product', { sku: 'VASE' }, { status: 2 });
    await refuses(cart, 'Product that you are trying to add is not available.');
    await change('product', { sku: 'VASE' }, { status: 1, type_id: 'configurable' });
    await refuses(cart, 'You need to choose options for your item.');
    await change('product', { sku: 'VASE' }, { type_id: 'simple' });
    await change('inventory_source_item', { sku: 'VASE' }, { quantity: 1 });
  });
});

test('a guest’s cart is given to a customer of its store, once', async () => {
  const { token, customerId } = await aShopper(api);
  const mask: string = (await api.call('POST', '/V1/guest-carts')).body;
  const { body: cartId } = await api.call('POST', '/V1/carts', { token: api.tokens.admin });
  const take = (storeId: number) => api.call('PUT', `/V1/guest-carts/${mask}`, { token, body: { storeId } });
  const give = (storeId: number, to = customerId) =>
    api.call('PUT', `/V1/carts/${cartId}`, { token: api.tokens.admin, body: { customerId: to, storeId } });
  const elsewhere = "The customer can't be assigned to the cart. The cart belongs to a different store.";
  const again = "The customer can't be assigned to the cart because the cart isn't anonymous.";
  await expectRefused({ send: () => take(999), status: 400, said: elsewhere });
  await expectRefused({ send: () => give(999), status: 400, said: elsewhere });
  const nobody = 'No such entity with %fieldName = %fieldValue';
  await expectRefused({ send: () => give(1, 999_999), status: 404, said: nobody });
  await take(1);
  await expectRefused({ send: () => take(1), status: 404, said: nobody });
  await give(1);
  await expectRefused({ send: () => give(1), status: 400, said: again });
});
