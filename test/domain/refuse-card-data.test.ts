import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApi, type TestApi } from '../support/api.ts';
import { anOrder } from '../support/builders/order.ts';
import { aShop } from '../support/builders/shop.ts';
import { aCustomer, anEntry } from '../support/builders/wallet.ts';
import { booksOf } from '../support/books.ts';
import { addEntry } from '../../db/store-credit/add-entry.ts';

const { fork, howMany } = booksOf(() => api.orm);

/** A card number in a sentence typed at the counter. */
const pan = '4539 5787 6362 1486';
const sentence = `paid with ${pan}`;

let api: TestApi;
let locationId: number;
let customerId: number;
let orderId: number;
beforeAll(async () => {
  api = await testApi();
  const em = () => fork();
  ({ locationId } = await aShop(em()));
  customerId = await aCustomer(em());
  await addEntry(em(), anEntry(customerId, { amount: '10' }));
  ({ orderId } = await anOrder(em(), { paid: false, shipped: false }));
});
afterAll(() => api.close());

const wallet = (more: object) => ({ customerId, websiteId: 1, reason: sentence, ...more });

test.each<[string, () => string, () => object, status?: number]>([
  ['the reason of a wallet credit', () => '/V1/vendor-store-credit/credit', () => wallet({ amount: 1 })],
  ['the reason of a wallet debit', () => '/V1/vendor-store-credit/debit', () => wallet({ amount: 1 })],
  ['the reason of a wallet adjustment', () => '/V1/vendor-store-credit/adjust', () => wallet({ delta: 1 })],
  [
    'the comment of a held cart',
    () => '/V1/pos/held-carts',
    () => ({ heldCart: { location_id: locationId, cart_uuid: randomUUID(), cart_data: '{}', hold_comment: sentence } }),
  ],
  [
    'a comment on an order',
    () => `/V1/orders/${orderId}/comments`,
    () => ({ statusHistory: { comment: sentence, isVisibleOnFront: 0, isCustomerNotified: 0 } }),
  ],
  ['the comment of an invoice', () => `/V1/order/${orderId}/invoice`, () => ({ comment: { comment: sentence } })],
  ['the comment of a shipment', () => `/V1/order/${orderId}/ship`, () => ({ comment: { comment: sentence } })],
  [
    'the reason of a refund to credit',
    () => '/V1/pos/credits/refund',
    () => ({ orderId, customerId, creditType: 'store_credit', amount: 1, reason: sentence }),
    // Every failure of it is an answer (spec 4.6).
    200,
  ],
])(
  'a card number in %s is refused, not repeated, and nothing is written',
  async (_where, path, body, expected = 400) => {
    const before = await written();

    const { status, body: answer } = await api.call('POST', path(), { token: api.tokens.admin, body: body() });

    const said = JSON.stringify(answer);
    expect({ status, said }).toEqual({ status: expected, said: expect.stringContaining('must not be stored') });
    expect(said).not.toContain(pan);
    expect(await written()).toEqual(before);
  },
);

/** How much stands where these requests write. */
const written = () =>
  Promise.all(
    [
      ...['store_credit_entry', 'pos_held_cart', 'sales_order_status_history'],
      ...['sales_invoice', 'sales_shipment', 'credit_refund'],
    ].map((table) => howMany(table)),
  );
