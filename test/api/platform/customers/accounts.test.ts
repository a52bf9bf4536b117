import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { givePointsByHand } from '../../../../db/reward-points/give-points.ts';
import { testApi, type TestApi } from '../../../support/api.ts';
import { booksOf } from '../../../support/books.ts';
import { anOrder } from '../../../support/builders/order.ts';
import { aShop } from '../../../support/builders/shop.ts';

let api: TestApi;
let token: string;
beforeAll(async () => {
  api = await testApi();
  await aShop(fork());
  token = await api.tokenFor('Magento_Customer::customer', 'Magento_Customer::manage', 'Magento_Customer::delete');
});
afterAll(() => api.close());

const { fork, configure, change, insert, remove } = booksOf(() => api.orm);

const home = {
  ...{ firstname: 'Ann', lastname: 'Lee', street: ['1 Main St'], city: 'Troy', postcode: '12180' },
  ...{ country_id: 'US', region: { region_id: 43 }, telephone: '555-0100' },
};
const password = 'Roll-out-2026';

let ann: { id: number; email: string; addresses: { id: number }[] };
let own: string;
let people = 0;
beforeEach(async () => {
  const addresses = [
    { ...home, default_billing: true },
    { ...home, city: 'Ithaca' },
  ];
  const customer = { email: `ann${++people}@example.com`, firstname: 'Ann', lastname: 'Lee', addresses };
  ann = (await api.call('POST', '/V1/customers', { token, body: { customer, password } })).body;
  own = await api.customerToken(ann.id);
});

const call = (method: string, path: string, body?: unknown) => api.call(method, path, { token, body });
const me = (method: string, path = '', body?: unknown) =>
  api.call(method, `/V1/customers/me${path}`, { token: own, body });
const signIn = (word: string) =>
  api.call('POST', '/V1/integration/customer/token', { body: { username: ann.email, password: word } });
const absent = (fieldName: string, fieldValue: number) => ({
  status: 404,
  body: { message: 'No such entity with %fieldName = %fieldValue', parameters: { fieldName, fieldValue } },
});

describe('an account that is deleted', () => {
  test('is gone with its addresses and its tokens; a repeat finds nothing', async () => {
    expect(await call('DELETE', `/V1/customers/${ann.id}`)).toMatchObject({ status: 200, body: true });
    expect((await me('GET')).status).toBe(401);
    expect(await call('DELETE', `/V1/customers/${ann.id}`)).toMatchObject(absent('customerId', ann.id));
    const first = ann.addresses[0]!.id;
    expect(await call('GET', `/V1/customers/addresses/${first}`)).toMatchObject(absent('addressId', first));
  });

  test('stays where its books must: points that were given', async () => {
    const points = { customerId: ann.id, websiteId: 1, points: 5, reason: 'a present' };
    await givePointsByHand(fork(), points);
    expect(await call('DELETE', `/V1/customers/${ann.id}`)).toMatchObject({
      status: 400,
      body: { message: 'The customer has store credit or points and cannot be deleted.' },
    });
    expect((await me('GET')).status).toBe(200);
  });

  const shipped = { paid: true, shipped: true };
  const ordersBecome = (state: string) => change('sales_order', { customer_id: ann.id }, { state });
  test.each([
    ['money that is owed', { paid: false }, () => ordersBecome('closed')],
    ['an open layaway', { layaway: true }, () => ordersBecome('canceled')],
    ['points to be worked out', shipped, () => remove('reward_points_due')],
  ])('stays as long as one of its orders has %s', async (_what, wanted, settles) => {
    await anOrder(fork(), { ...wanted, customerId: ann.id });
    const deleted = () => call('DELETE', `/V1/customers/${ann.id}`);
    const message = 'The customer has orders that are not settled and cannot be deleted.';
    expect(await deleted()).toMatchObject({ status: 400, body: { message } });
    expect((await me('GET')).status).toBe(200);
    await settles();
    expect((await deleted()).status).toBe(200);
  });

  test('stays as long as a refund to its credit is not booked', async () => {
    const { orderId } = await anOrder(fork(), { customerId: ann.id });
    await remove('reward_points_due');
    await insert('credit_refund', {
      ...{ order_id: orderId, name_tail: 'tail', kind: 'store_credit', provider_code: 'embedded', website_id: 1 },
      ...{ amount: 1, base_amount: 1, currency_code: 'USD', base_currency_code: 'USD', reason: 'back' },
    });
    expect((await call('DELETE', `/V1/customers/${ann.id}`)).status).toBe(400);
    await change('credit_refund', {}, { state: 'booked', concluded_at: new Date() });
    expect((await call('DELETE', `/V1/customers/${ann.id}`)).status).toBe(200);
  });
});

describe('addresses', () => {
  test('are read by themselves, and a default that is missing is an empty list', async () => {
    const [billing, other] = ann.addresses.map(({ id }) => id);
    expect((await call('GET', `/V1/customers/${ann.id}/billingAddress`)).body).toMatchObject({
      ...{ id: billing, city: 'Troy', default_billing: true },
    });
    expect((await call('GET', `/V1/customers/${ann.id}/shippingAddress`)).body).toEqual([]);
    expect((await me('GET', '/billingAddress')).body).toMatchObject({ id: billing, city: 'Troy' });
    expect((await me('GET', '/shippingAddress')).body).toEqual([]);
    expect((await call('GET', '/V1/customers/me/billingAddress')).status).toBe(401);
    expect((await call('GET', `/V1/customers/addresses/${other}`)).body).toMatchObject({ id: other, city: 'Ithaca' });
    expect(await call('GET', '/V1/customers/999999/billingAddress')).toMatchObject(absent('customerId', 999_999));
  });

  test('that are deleted are no default any more', async () => {
    const [billing] = ann.addresses.map(({ id }) => id);
    const answers = await Promise.all([1, 2, 3].map(() => call('DELETE', `/V1/addresses/${billing}`)));
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 404, 404]);
    const { body } = await me('GET');
    expect(body.addresses.map(({ city }: { city: string }) => city)).toEqual(['Ithaca']);
    expect(body).not.toHaveProperty('default_billing');
  });
});

describe('customers themselves', () => {
  test('change only their own account, and only fields that are theirs', async () => {
    const customer = { id: 999, email: ann.email, firstname: 'Anna', lastname: 'Lee', group_id: 3, store_id: 2 };
    expect(await me('PUT', '', { customer })).toMatchObject({
      status: 200,
      body: { id: ann.id, firstname: 'Anna', group_id: 1, store_id: 1 },
    });
    expect((await me('GET')).body.addresses).toHaveLength(2);
  });

  test('change their password, which signs them out everywhere', async () => {
    const change = { currentPassword: password, newPassword: 'Roll-in-2027' };
    expect(await me('PUT', '/password', change)).toMatchObject({ status: 200, body: true });
    expect((await me('GET')).status).toBe(401);
    expect((await signIn(password)).status).toBe(401);
    expect((await signIn('Roll-in-2027')).status).toBe(200);
  });

  test('change it once: of two changes at once that know the present one the other is refused', async () => {
    const changes = ['Roll-in-2027', 'Roll-by-2028'].map((newPassword) =>
      me('PUT', '/password', { currentPassword: password, newPassword }),
    );
    const answers = (await Promise.all(changes)).map(({ status }) => status);
    expect(answers.toSorted((one, other) => one - other)).toEqual([200, 401]);
  });

  test('keep no token that was issued for the former password', async () => {
    const change = { currentPassword: password, newPassword: 'Roll-in-2027' };
    const [tokens] = await Promise.all([
      Promise.all([1, 2, 3, 4].map(() => signIn(password))),
      me('PUT', '/password', change),
    ]);
    for (const { status, body: old } of tokens.filter(({ status }) => status === 200))
      expect([status, (await api.call('GET', '/V1/customers/me', { token: old })).status]).toEqual([200, 401]);
  });

  test('learn which of the two passwords is missing', async () => {
    expect(await me('PUT', '/password', { currentPassword: '', newPassword: 'Roll-in-2027' })).toMatchObject({
      status: 400,
      body: { message: '"%fieldName" is required. Enter and try again.', parameters: { fieldName: 'currentPassword' } },
    });
  });

  test('must know the present one, and six guesses lock it', async () => {
    const guess = () => me('PUT', '/password', { currentPassword: 'wrong', newPassword: 'Roll-in-2027' });
    for (let time = 0; time < 6; time++)
      expect(await guess()).toMatchObject({
        status: 401,
        body: { message: "The password doesn't match this account. Verify the password and try again." },
      });
    expect((await me('PUT', '/password', { currentPassword: password, newPassword: 'Roll-in-2027' })).status).toBe(401);
  });

  test('get no weak password', async () => {
    expect(await me('PUT', '/password', { currentPassword: password, newPassword: 'short' })).toMatchObject({
      status: 400,
      body: { parameters: [8] },
    });
    expect((await signIn(password)).status).toBe(200);
  });
});

test('a check describes each fault, and saves nothing', async () => {
  const customer = { email: 'nobody', firstname: '', lastname: 'L{e}e' };
  expect((await call('PUT', '/V1/customers/validate', { customer })).body).toEqual({
    valid: false,
    messages: [
      'The "First Name" attribute value is empty. Set the attribute and try again.',
      'Last Name is not valid!',
      '"Email" is not a valid email address.',
    ],
  });
  const good = { email: ann.email, firstname: 'Ann', lastname: 'Lee' };
  expect((await call('PUT', '/V1/customers/validate', { customer: good })).body).toEqual({ valid: true, messages: [] });
});

test('no caller finds out who has an account, unless the merchant permits it', async () => {
  const ask = async (customerEmail: string) =>
    (await api.call('POST', '/V1/customers/isEmailAvailable', { body: { customerEmail, websiteId: 1 } })).body;
  expect([await ask(ann.email), await ask('new@example.com')]).toEqual([true, true]);

  await configure('checkout/options/enable_guest_checkout_login', '1');
  expect([await ask(ann.email.toUpperCase()), await ask('new@example.com')]).toEqual([false, true]);
});

test('no account can only be read', async () => {
  expect((await call('GET', `/V1/customers/${ann.id}/permissions/readonly`)).body).toBe(false);
  expect(await call('GET', '/V1/customers/999999/permissions/readonly')).toMatchObject(absent('customerId', 999_999));
});
