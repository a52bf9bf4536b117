import { expect, test } from 'vitest';
import { aShopper, aShopperWithMugs, troy } from '../../../support/builders/cart.ts';
import { opensACartShop, api } from '../../../support/cart-shop.ts';
import { expectRefused } from '../../../support/expect-refused.ts';
import { eightAtOnce } from '../../../support/rivals.ts';

opensACartShop();

const admin = (method: string, path: string, body?: unknown) =>
  api.call(method, path, { token: api.tokens.admin, ...(body === undefined ? {} : { body }) });
const information = {
  ...{ shipping_address: { ...troy, save_in_address_book: 1 }, billing_address: { ...troy, save_in_address_book: 1 } },
  ...{ shipping_carrier_code: 'flatrate', shipping_method_code: 'flatrate' },
};

test('an administrator fills a customer’s cart and places its order; the address book gets the address once', async () => {
  const { customerId } = await aShopper(api);
  const { body: id } = await admin('POST', `/V1/customers/${customerId}/carts`);
  expect((await admin('POST', `/V1/customers/${customerId}/carts`)).body).toBe(id);
  await admin('POST', `/V1/carts/${id}/items`, { cartItem: { sku: 'MUG', qty: 2 } });
  expect(
    await admin('POST', `/V1/carts/${id}/shipping-information`, { addressInformation: information }),
  ).toMatchObject({
    body: { totals: { grand_total: 118 } },
  });
  expect((await admin('GET', `/V1/carts/${id}/billing-address`)).body).toMatchObject({ save_in_address_book: 1 });

  const { status, body: orderId } = await admin('PUT', `/V1/carts/${id}/order`, {
    paymentMethod: { method: 'checkmo' },
  });

  expect(status).toBe(200);
  expect((await admin('GET', `/V1/orders/${orderId}`)).body).toMatchObject({ customer_id: customerId, quote_id: id });
  expect((await admin('GET', `/V1/customers/${customerId}`)).body.addresses).toMatchObject([{ city: 'Troy' }]);
  expect((await admin('GET', `/V1/carts/${id}`)).body).toMatchObject({ is_active: false, orig_order_id: orderId });
  expect(await admin('GET', `/V1/carts/${id}/items`)).toMatchObject({
    status: 404,
    body: { parameters: { fieldName: 'cartId', fieldValue: id } },
  });
});

test('a guest’s cart is given to a customer once', async () => {
  const { customerId, call } = await aShopper(api);
  const { body: id } = await admin('POST', '/V1/carts');
  await admin('POST', `/V1/carts/${id}/items`, { cartItem: { sku: 'MUG', qty: 1 } });
  const give = (body: object) => admin('PUT', `/V1/carts/${id}`, body);

  expect(await give({ customerId: 999_999, storeId: 1 })).toMatchObject({
    status: 404,
    body: { parameters: { fieldName: 'customerId', fieldValue: 999_999 } },
  });
  expect(await give({ customerId, storeId: 77 })).toMatchObject({
    status: 400,
    body: { message: "The customer can't be assigned to the cart. The cart belongs to a different store." },
  });
  const answers = await eightAtOnce(() => give({ customerId, storeId: 1 }));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.find(({ status }) => status === 400)!.body.message).toBe(
    "The customer can't be assigned to the cart because the cart isn't anonymous.",
  );
  expect((await call('GET')).body).toMatchObject({ id, items_qty: 1 });
});

test('a cart is not given to a customer whose own holds the rest of the goods; both stay as they are', async () => {
  const shopper = await aShopper(api);
  await shopper.open();
  await shopper.put('VASE');
  const { body: id } = await admin('POST', '/V1/carts');
  await admin('POST', `/V1/carts/${id}/items`, { cartItem: { sku: 'VASE', qty: 1 } });
  const give = () => admin('PUT', `/V1/carts/${id}`, { customerId: shopper.customerId, storeId: 1 });
  await expectRefused({ send: give, status: 400, said: 'The requested qty is not available' });
  expect((await shopper.totals()).items_qty).toBe(1);
  expect((await admin('GET', `/V1/carts/${id}`)).body).toMatchObject({ items_qty: 1, customer_is_guest: true });
});

test('carts are searched by their customer, page by page', async () => {
  const { customerId, open } = await aShopperWithMugs(api);
  const id = await open();
  const search = (field: string, value: number, more = '') =>
    admin(
      'GET',
      `/V1/carts/search?searchCriteria[filter_groups][0][filters][0][field]=${field}&searchCriteria[filter_groups][0][filters][0][value]=${value}${more}`,
    );
  expect((await search('customer_id', customerId)).body).toMatchObject({
    items: [{ id, items_qty: 2 }],
    total_count: 1,
  });
  expect((await search('customer_id', 0)).body).toMatchObject({ items: [], total_count: 0 });
  expect(await search('nonsense', 1)).toMatchObject({ status: 400 });
  expect(await search('is_active', 1, '&searchCriteria[page_size]=101')).toMatchObject({
    status: 400,
    body: { message: 'Maximum SearchCriteria pageSize is %max', parameters: { max: 100 } },
  });
});

test('an entry of the address book says how a cart could be shipped, somebody else’s does not', async () => {
  const ann = await aShopperWithMugs(api);
  await admin('PUT', `/V1/customers/${ann.customerId}`, {
    customer: { addresses: [{ ...troy, region: { region_id: 43 } }] },
  });
  const [{ id: entry }] = (await admin('GET', `/V1/customers/${ann.customerId}`)).body.addresses;
  const path = '/estimate-shipping-methods-by-address-id';
  expect((await ann.call('POST', path, { addressId: entry })).body).toMatchObject([{ carrier_code: 'flatrate' }]);
  const bob = await aShopperWithMugs(api);
  expect(await bob.call('POST', path, { addressId: entry })).toMatchObject({ status: 404 });
});

test('without the resource, and for a customer, every cart is closed', async () => {
  const { open, token } = await aShopperWithMugs(api);
  const id = await open();
  for (const mine of [api.tokens.nothing, token])
    for (const path of [`/V1/carts/${id}`, `/V1/carts/${id}/items`, `/V1/carts/search?searchCriteria`])
      expect(await api.call('GET', path, { token: mine })).toMatchObject({ status: 401 });
});
