import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApi, type TestApi } from '../../../support/api.ts';
import { booksOf } from '../../../support/books.ts';
import { aCartShop, aShopper, aShopperWithMugs, troy } from '../../../support/builders/cart.ts';
import { aSecondWebsite } from '../../../support/builders/wallet.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
  await aCartShop(fork());
  await aSecondWebsite(fork());
});
afterAll(() => api.close());

const { fork, find, findOne, insert } = booksOf(() => api.orm);

const quoteOf = async (customerId: number) => {
  const quotes = await find('quote', { customer_id: customerId });
  const parts = ['quote_item', 'quote_address'].map((table) => find(table, { quote_id: quotes[0]?.['quote_id'] }));
  return [quotes, ...(await Promise.all(parts))];
};

test('no id anywhere leads into another customer’s cart', async () => {
  const [ann, bob] = [await aShopperWithMugs(api), await aShopper(api)];
  await bob.open();
  await bob.put('PLATE');
  const before = await quoteOf(ann.customerId);
  const [{ quote_id: annsCart } = { quote_id: 0 }] = before[0] as { quote_id: number }[];
  const [{ item_id: annsLine } = { item_id: 0 }] = before[1] as { item_id: number }[];
  const theirs = { customerId: ann.customerId, customer_id: ann.customerId, cartId: annsCart, cart_id: annsCart };
  const cartItem = { sku: 'MUG', qty: 9, quote_id: annsCart, quoteId: String(annsCart) };

  expect(await bob.call('PUT', `/items/${annsLine}`, { cartItem })).toMatchObject({ status: 404 });
  expect(await bob.call('DELETE', `/items/${annsLine}`)).toMatchObject({ status: 404 });
  expect(await bob.call('POST', '/items', { cartItem: { ...cartItem, item_id: annsLine } })).toMatchObject({
    status: 404,
  });
  expect(await bob.call('POST', '/items', { cartItem, ...theirs })).toMatchObject({ status: 200, body: { qty: 9 } });
  await bob.call('POST', `?customerId=${ann.customerId}&cartId=${annsCart}`, theirs);
  await bob.call('PUT', `/coupons/TENOFF?cartId=${annsCart}`, theirs);
  await bob.call('POST', `/store-credit/apply?cartId=${annsCart}`, theirs);
  await bob.call('POST', '/billing-address', { address: troy, ...theirs });
  await bob.call('POST', '/set-payment-information', {
    ...theirs,
    paymentMethod: { method: 'checkmo' },
    billingAddress: { ...troy, customer_id: ann.customerId },
  });
  expect((await bob.call('GET', `?customerId=${ann.customerId}`)).body.customer).toMatchObject({ id: bob.customerId });
  expect((await bob.call('GET', `/totals?cartId=${annsCart}`)).body.items).toHaveLength(2);
  const headers = { 'x-customer-id': String(ann.customerId) };
  expect((await api.call('GET', '/V1/carts/mine', { token: bob.token, headers })).body.customer.id).toBe(
    bob.customerId,
  );
  for (const path of [`/V1/carts/${annsCart}`, `/V1/carts/${annsCart}/items`, `/V1/carts/mine/../${annsCart}`])
    expect(await api.call('GET', path, { token: bob.token })).toMatchObject({ status: 401 });

  expect(await quoteOf(ann.customerId)).toEqual(before);
});

test('an address of another customer cannot be used', async () => {
  const [ann, bob] = [await aShopper(api), await aShopper(api)];
  await bob.open();
  await insert('customer_address', {
    ...{ customer_id: ann.customerId, firstname: 'Ann', lastname: 'Own', city: 'Troy', country_id: 'US' },
  });
  const { id } = await findOne('customer_address', { customer_id: ann.customerId }, 'id');

  expect(await bob.call('POST', '/billing-address', { address: { ...troy, customerAddressId: id } })).toMatchObject({
    status: 404,
    body: { message: 'Invalid customer address id %1', parameters: [id] },
  });
  expect((await bob.call('GET', '/billing-address')).body).toMatchObject({ city: null });
});

test('administrators, integrations and guests have no cart of their own', async () => {
  const refused = { status: 401, body: { parameters: { resources: 'self' } } };
  const routes = [
    ['GET', ''],
    ['POST', ''],
    ['GET', '/totals'],
    ['PUT', '/order'],
    ['POST', '/store-credit/apply'],
  ] as const;
  for (const [method, path] of routes)
    for (const token of [api.tokens.admin, api.tokens.register, 'nobody', undefined])
      expect(await api.call(method, `/V1/carts/mine${path}`, token === undefined ? {} : { token })).toMatchObject(
        refused,
      );
});

test('an account of one website has no cart on another', async () => {
  const { token } = await aShopper(api);

  for (const path of ['/rest/eu_de/V1/carts/mine', '/rest/all/V1/carts/mine'])
    expect(await api.call('POST', path, { token })).toMatchObject({ status: 401 });
});

test('in another store view of the website it is the same cart in that view’s currency', async () => {
  const { open, put, token } = await aShopper(api);
  const id = await open();
  await put('MUG');

  expect(await api.call('POST', '/rest/ca/V1/carts/mine', { token })).toMatchObject({ status: 200, body: id });
  expect((await api.call('GET', '/rest/ca/V1/carts/mine/totals', { token })).body).toMatchObject({
    quote_currency_code: 'CAD',
    base_currency_code: 'USD',
    subtotal: 68,
    base_subtotal: 50,
  });
});
