import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApi, type TestApi } from '../../../support/api.ts';
import { aCartShop, aShopper, aShopperWithMugs } from '../../../support/builders/cart.ts';
import { aSecondWebsite } from '../../../support/builders/wallet.ts';
import { expectRefused } from '../../../support/expect-refused.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
  await aCartShop(api.orm.em.fork());
  await aSecondWebsite(api.orm.em.fork());
});
afterAll(() => api.close());

const gift = { firstname: 'Grace', middlename: 'B.', lastname: 'Hopper', email: 'grace@example.com' };

test('a customer buys under another name, and the account keeps its own', async () => {
  const shopper = await aShopperWithMugs(api);
  const { body: cart } = await shopper.call('GET');
  const before = (await api.call('GET', '/V1/customers/me', { token: shopper.token })).body;
  const save = () =>
    shopper.call('PUT', '', { quote: { ...cart, customer: { ...cart.customer, ...gift }, items: undefined } });

  expect(await save()).toMatchObject({ status: 200, body: [] });
  expect(await save()).toMatchObject({ status: 200, body: [] });
  expect((await shopper.call('GET')).body.customer).toMatchObject({ id: shopper.customerId, ...gift });
  const order = await api.call('GET', `/V1/orders/${(await shopper.place()).body}`, { token: api.tokens.admin });
  expect(order.body).toMatchObject({
    customer_id: shopper.customerId,
    customer_firstname: 'Grace',
    customer_middlename: 'B.',
    customer_lastname: 'Hopper',
    customer_email: 'grace@example.com',
  });
  expect((await api.call('GET', '/V1/customers/me', { token: shopper.token })).body).toEqual(before);
});

test('a cart whose buyer is not named again keeps the one it has', async () => {
  const shopper = await aShopper(api);
  const id = await shopper.open();
  await shopper.call('PUT', '', { quote: { id, store_id: 1, customer: { id: shopper.customerId, ...gift } } });
  await shopper.call('PUT', '', { quote: { customer: { id: String(shopper.customerId), firstname: '' } } });
  expect((await shopper.call('GET')).body.customer).toMatchObject(gift);
});

test('a cart is saved by nobody but its customer', async () => {
  const [ann, bob] = [await aShopper(api), await aShopper(api)];
  const [annsCart] = [await ann.open(), await bob.open()];
  const put = (quote: object) => bob.call('PUT', '', { quote });
  const said = 'Invalid state change requested';
  for (const customer of [{ id: 999 }, { id: null }, { id: '25' }, { id: ann.customerId }, {}])
    await expectRefused({ send: () => put({ store_id: 1, customer: { ...customer, ...gift } }), status: 400, said });
  await expectRefused({ send: () => put({ store_id: 1 }), status: 400, said });
  const customer = { id: bob.customerId, ...gift };
  await expectRefused({
    send: () => put({ id: annsCart, customer }),
    status: 404,
    said: 'No such entity with %fieldName = %fieldValue',
  });
  for (const shopper of [ann, bob]) expect((await shopper.call('GET')).body.customer.lastname).not.toBe('Hopper');
});

test('a cart is not saved with a view of another website, a name or an e-mail that is none, or where there is none', async () => {
  const shopper = await aShopper(api);
  const put = (more: object, quote = {}) =>
    shopper.call('PUT', '', { quote: { ...quote, customer: { id: shopper.customerId, ...more } } });
  const none = 'Current customer does not have an active cart.';
  await expectRefused({ send: () => put(gift), status: 404, said: none });
  await shopper.open();
  const elsewhere = "The customer can't be assigned to the cart. The cart belongs to a different store.";
  await expectRefused({ send: () => put(gift, { store_id: 999 }), status: 400, said: elsewhere });
  await expectRefused({ send: () => put({ firstname: '<b>' }), status: 400, said: 'First Name is not valid!' });
  const noEmail = '"Email" is not a valid email address.';
  await expectRefused({ send: () => put({ email: 'nobody' }), status: 400, said: noEmail });
});
