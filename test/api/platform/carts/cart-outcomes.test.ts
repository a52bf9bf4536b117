import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApi, type TestApi } from '../../../support/api.ts';
import { aCartShop, troy } from '../../../support/builders/cart.ts';
import { shippedToTroy, waysToCarts, type CartBehind } from '../../../support/builders/cart-doors.ts';
import { expectRefused } from '../../../support/expect-refused.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
  await aCartShop(api.orm.em.fork());
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  await api.close();
});

type Sent = readonly [method: string, path: string, body?: unknown];

const paymentMethod = { method: 'checkmo' };
const email = 'guest@shop.test';

/** Every call of a cart, with what it takes. */
const everyCall: readonly Sent[] = [
  ['GET', ''],
  ['GET', '/items'],
  ['POST', '/items', { cartItem: { sku: 'MUG', qty: 1 } }],
  ['PUT', '/items/1', { cartItem: { qty: 1 } }],
  ['DELETE', '/items/1'],
  ['GET', '/totals'],
  ['POST', '/totals-information', { addressInformation: { address: troy } }],
  ['GET', '/coupons'],
  ['PUT', '/coupons/TENOFF'],
  ['DELETE', '/coupons'],
  ['GET', '/billing-address'],
  ['POST', '/billing-address', { address: troy }],
  ['GET', '/shipping-methods'],
  ['POST', '/estimate-shipping-methods', { address: troy }],
  ['POST', '/shipping-information', shippedToTroy()],
  ['GET', '/payment-methods'],
  ['GET', '/payment-information'],
  ['POST', '/set-payment-information', { email, paymentMethod }],
  ['GET', '/selected-payment-method'],
  ['PUT', '/selected-payment-method', { method: paymentMethod }],
  ['POST', '/payment-information', { email, paymentMethod }],
  ['PUT', '/order', { paymentMethod }],
];
const byEntry: Sent = ['POST', '/estimate-shipping-methods-by-address-id', { addressId: 1 }];

describe.each(waysToCarts)('$door.whose', ({ door, open, nowhere }) => {
  const refuses = (cart: CartBehind, [method, path, body]: Sent, status: number, said: string) =>
    expectRefused({ send: () => cart.call(method, path, body), status, said });

  test('is not found where there is none', async () => {
    const cart = await nowhere(api);
    const { status, message } = door.missing;
    for (const sent of door.kind === 'GuestCart' ? everyCall : [...everyCall, byEntry]) {
      const [method, path] = sent;
      // The cart itself is asked for by its id, also a customer's own (platform facts 11).
      const said = method === 'GET' && path === '' ? 'No such entity with %fieldName = %fieldValue' : message;
      await refuses(cart, sent, status, said);
    }
  });

  test('does not have the line of another cart', async () => {
    const [cart, other] = [await open(api), await open(api)];
    const { item_id: itemId } = (await other.put('MUG')).body;
    const said = "The %1 Cart doesn't contain the %2 item.";
    await refuses(cart, ['POST', '/items', { cartItem: { itemId, qty: 2 } }], 404, said);
    await refuses(cart, ['PUT', `/items/${itemId}`, { cartItem: { qty: 2 } }], 404, said);
    await refuses(cart, ['DELETE', `/items/${itemId}`], 404, said);
  });

  test('with nothing in it is not added up, reduced, shipped or paid', async () => {
    const cart = await open(api);
    const said = 'The "%1" Cart doesn\'t contain products.';
    await refuses(cart, ['PUT', '/coupons/TENOFF'], 404, said);
    await refuses(cart, ['DELETE', '/coupons'], 404, said);
    await refuses(cart, ['POST', '/set-payment-information', { email, paymentMethod }], 404, said);
    await refuses(cart, ['POST', '/payment-information', { email, paymentMethod }], 404, said);
    await refuses(cart, ['PUT', '/order', { paymentMethod }], 404, said);
    const noTotals = 'Totals calculation is not applicable to empty cart';
    await refuses(cart, ['POST', '/totals-information', { addressInformation: { address: troy } }], 400, noTotals);
    const noWay = "The shipping method can't be set for an empty cart. Add an item to cart and try again.";
    await refuses(cart, ['POST', '/shipping-information', shippedToTroy()], 400, noWay);
  });

  test('takes no address that is not whole, and none of a stranger', async () => {
    const cart = await open(api);
    await cart.put('MUG');
    const takenBy = (address: object): Sent[] => [
      ['POST', '/billing-address', { address }],
      ['POST', '/shipping-information', shippedToTroy({ shippingAddress: address })],
      ['POST', '/set-payment-information', { email, paymentMethod, billingAddress: address }],
      ['POST', '/payment-information', { email, paymentMethod, billingAddress: address }],
    ];
    for (const sent of takenBy({ ...troy, lastname: '' }))
      await refuses(cart, sent, 400, '"%fieldName" is required. Enter and try again.');
    for (const sent of takenBy({ ...troy, customerAddressId: 999_999 }))
      await refuses(cart, sent, 404, 'Invalid customer address id %1');
    if (door.kind !== 'GuestCart') await refuses(cart, byEntry, 404, 'Invalid customer address id %1');
  });

  test('is shipped as the shop ships, to a place, and only where there is something to ship', async () => {
    const [cart, light] = [await open(api), await open(api)];
    await cart.put('MUG');
    await light.put('GIFTWRAP');
    const noPlace = 'The shipping address is missing. Set the address and try again.';
    await refuses(cart, ['GET', '/shipping-methods'], 400, noPlace);
    await refuses(cart, ['PUT', '/selected-payment-method', { method: paymentMethod }], 400, noPlace);
    await refuses(cart, ['POST', '/shipping-information', shippedToTroy({ shippingAddress: {} })], 400, noPlace);
    const unknown = shippedToTroy({ shippingCarrierCode: 'balloon' });
    await refuses(cart, ['POST', '/shipping-information', unknown], 404, 'Carrier with such method not found: %1, %2');
    const virtual = 'The Cart includes virtual product(s) only, so a shipping address is not used.';
    await refuses(light, ['POST', '/shipping-information', shippedToTroy()], 400, virtual);
  });

  test('is paid as the shop takes it, with a coupon that holds', async () => {
    const cart = await open(api);
    await cart.put('MUG');
    await cart.ship();
    const method = { method: 'banktransfer' };
    const notOffered = 'The requested Payment Method is not available.';
    await refuses(cart, ['PUT', '/selected-payment-method', { method }], 400, notOffered);
    await refuses(cart, ['PUT', '/coupons/OVER'], 404, "The coupon code isn't valid. Verify the code and try again.");
  });
});
