import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addEntry } from '../../../db/store-credit/add-entry.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { aShop } from '../../support/builders/shop.ts';
import { aCustomer, aSecondWebsite, anEntry, moveAccount } from '../../support/builders/wallet.ts';
import { booksOf } from '../../support/books.ts';

let api: TestApi;
let viewer: string;
let customerId: number;

beforeAll(async () => {
  api = await testApi();
  await aShop(fork());
  await aSecondWebsite(fork());
  viewer = await api.tokenFor('Vendor_StoreCredit::balance_view');
  customerId = await aCustomer(fork());
  await addEntry(fork(), anEntry(customerId, { amount: '12.34' }));
});
afterAll(() => api.close());

const { fork, howMany } = booksOf(() => api.orm);
const get = (path: string, token = viewer) => api.call('GET', `/V1/vendor-store-credit/${path}`, { token });

const unknown = (fieldName: string, fieldValue: number) => ({
  status: 404,
  body: { message: 'No such entity with %fieldName = %fieldValue', parameters: { fieldName, fieldValue } },
});

describe('the balance of any customer', () => {
  test('is that of the wallet', async () => {
    const { status, body } = await get(`balance/${customerId}/1`);
    expect([status, body]).toEqual([
      200,
      {
        customer_id: customerId,
        website_id: 1,
        amount: 12.34,
        base_currency_code: 'USD',
        updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      },
    ]);
  });

  test('is zero in the website’s currency where nothing was ever booked, and stays unbooked', async () => {
    const customerId = await aCustomer(fork(), { websiteId: 2, storeId: 3 });
    expect((await get(`balance/${customerId}/2`)).body).toEqual({
      customer_id: customerId,
      website_id: 2,
      amount: 0,
      base_currency_code: 'EUR',
      updated_at: null,
    });
    expect(await howMany('store_credit_wallet', { website_id: 2 })).toBe(0);
  });

  test('on a website that the account does not belong to is refused, for the customer too', async () => {
    const refused = {
      status: 400,
      body: {
        message: 'The account of customer %1 belongs to website %2 and has no store credit on website %3.',
        parameters: [customerId, 1, 2],
      },
    };
    expect(await get(`balance/${customerId}/2`)).toMatchObject(refused);
    expect(await get('mine/balance/2', await api.customerToken(customerId))).toMatchObject(refused);

    const mover = await aCustomer(fork());
    await addEntry(fork(), anEntry(mover));
    await moveAccount(fork(), mover, 2);
    for (const [website, amount] of [
      [1, 10],
      [2, 0],
    ] as const) {
      expect(await get(`balance/${mover}/${website}`)).toMatchObject({ status: 200, body: { amount } });
    }
  });

  test('of an unknown customer or website is the platform’s 404', async () => {
    expect(await get('balance/999999/1')).toMatchObject(unknown('customerId', 999_999));
    expect(await get('balance/999999/99')).toMatchObject(unknown('customerId', 999_999));
    expect(await get(`balance/${customerId}/99`)).toMatchObject(unknown('websiteId', 99));
    expect(await get(`balance/${customerId}/0`)).toMatchObject(unknown('websiteId', 0));
    expect((await get(`balance/${customerId}/9223372036854775808`)).status).toBe(404);
    expect((await get('balance/x/1')).status).toBe(400);
  });

  test('needs the resource', async () => {
    const adjuster = await api.tokenFor('Vendor_StoreCredit::balance_adjust');
    for (const token of [adjuster, api.tokens.register, await api.customerToken(customerId)])
      expect((await get(`balance/${customerId}/1`, token)).status).toBe(401);
  });
});

describe('a customer’s own balance', () => {
  test('is that of the token, whatever customer is named', async () => {
    const other = await aCustomer(fork());
    const token = await api.customerToken(other);

    for (const path of ['mine/balance/1', `mine/balance/1?customerId=${customerId}`, `mine/balance/1?customer_id=1`])
      expect(await get(path, token)).toMatchObject({ status: 200, body: { customer_id: other, amount: 0 } });
    expect((await get('mine/balance/1', await api.customerToken(customerId))).body).toMatchObject({
      customer_id: customerId,
      amount: 12.34,
    });
  });

  test('on an unknown website it is 404, and for a caller who is not a customer 401', async () => {
    expect(await get('mine/balance/99', await api.customerToken(customerId))).toMatchObject(unknown('websiteId', 99));
    for (const token of [viewer, api.tokens.admin, 'garbage'])
      expect(await get('mine/balance/1', token)).toMatchObject({
        status: 401,
        body: { parameters: { resources: 'self' } },
      });
  });
});
