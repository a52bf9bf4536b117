import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCreditSimulator, type CreditSimulator } from '../../../../local/credit-simulator/server.ts';
import { testApi, type TestApi } from '../../../support/api.ts';
import { anOrder } from '../../../support/builders/order.ts';
import { aPostedSale } from '../../../support/builders/posted-sale.ts';
import { aRefundUnderWay } from '../../../support/builders/refund-under-way.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { booksOf } from '../../../support/books.ts';
import { expectRefused, type Refused } from '../../../support/expect-refused.ts';

/** How an order that is saved by `PUT`, and the documents of an order, are refused, word for word. */

let api: TestApi;
let outside: CreditSimulator;
let locationId: number;
beforeAll(async () => {
  outside = await startCreditSimulator();
  api = await testApi({ settings: { CREDIT_SERVICE_URL: outside.url } });
  ({ locationId } = await aShop(fork()));
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  await api.close();
  await outside.stop();
});

const { fork } = booksOf(() => api.orm);
const call = (method: string, path: string, body?: object) =>
  api.call(method, path, { token: api.tokens.admin, ...(body === undefined ? {} : { body }) });
const post = (path: string, body?: object) => call('POST', `/V1/${path}`, body);
const save = (entity: object) => call('PUT', '/V1/orders/create', { entity });
const guestSale = (over: Record<string, unknown> = {}) =>
  aPostedSale({ customer_id: null, customer_is_guest: 1, ...over });
const paidWith = (credit: object) =>
  save(guestSale({ increment_id: 'TILL-7-2', extension_attributes: { pos_applied_credits: [credit] } }));

const said = {
  card: 'The text must not be stored: it carries a card number.',
  under_way: 'A refund of this order is under way. Try again when it is known what became of it.',
};
const carried = 'Card 4111 1111 1111 1111';
const remark = { comment: { comment: carried, isVisibleOnFront: 0 } };
const unpaid = async () => (await anOrder(fork(), { paid: false, shipped: false })).orderId;
const bought = () => anOrder(fork());
/** One of two mugs is paid by card, and it is not known yet whether it went back. */
const refunding = async () => {
  const card = { method: 'provider_a', lastTransId: 'pay_1' };
  const { orderId, itemIds } = await anOrder(fork(), { ...card, paid: false, shipped: false });
  const [itemId = 0] = itemIds;
  await post(`order/${orderId}/invoice`, { capture: true, items: [{ order_item_id: itemId, qty: 1 }] });
  await aRefundUnderWay(api.orm, { orderId, itemId, locationId, state: 'uncertain' });
  return orderId;
};

const refusals: Refused[] = [
  {
    when: 'a cancelled order is saved as one that goes on',
    send: async () => {
      const orderId = await unpaid();
      await post(`orders/${orderId}/cancel`);
      return save({ entity_id: orderId, state: 'processing', status: 'processing' });
    },
    ...{ status: 400, said: 'A cancelled order cannot be opened again. Place a new one.' },
  },
  {
    when: 'a gift card is not there',
    send: () => paidWith({ credit_type: 'gift_card', code: 'NO-SUCH-CARD', amount: 30 }),
    ...{ status: 400, said: 'Not paid with …' },
  },
  {
    when: 'the keeper of a gift card says nothing',
    send: async () => {
      outside.balances.set('OUTSIDE', 500_000);
      outside.mood = 'fails';
      try {
        return await paidWith({
          ...{ credit_type: 'gift_card', provider_code: 'credit_service', code: 'OUTSIDE', amount: 30 },
        });
      } finally {
        outside.mood = 'answers';
      }
    },
    status: 503,
    said: 'The provider did not say whether it took the credit. Nothing is sold yet: send the same order again, and it is taken once. Without an order it is given back automatically.',
  },
  {
    when: 'an order has a key that is not known',
    send: () => save(guestSale({ no_such_key: 1 })),
    ...{ status: 400, said: 'The "%fieldName" field is not known here. Correct its name and try again.' },
  },
  {
    when: 'the note of an order carries a card number',
    send: () => save(guestSale({ customer_note: carried })),
    ...{ status: 400, said: said.card },
  },
  {
    when: 'another order has the number',
    send: async () => {
      await save(guestSale({ increment_id: 'TILL-7-1' }));
      return save(guestSale({ increment_id: 'TILL-7-1' }));
    },
    ...{ status: 400, said: 'Unique constraint violation found' },
  },
  {
    when: 'the order to change is not there',
    send: () => save({ entity_id: 999_999, status: 'processing' }),
    ...{ status: 404, said: "The entity that was requested doesn't exist. Verify the entity and try again." },
  },
  {
    when: 'a comment of an invoice carries a card number',
    send: async () => post(`order/${await unpaid()}/invoice`, remark),
    ...{ status: 400, said: said.card },
  },
  {
    when: 'a comment of a shipment carries a card number',
    send: async () => post(`order/${(await anOrder(fork(), { shipped: false })).orderId}/ship`, remark),
    ...{ status: 400, said: said.card },
  },
  {
    when: 'a comment of a refund of the order carries a card number',
    send: async () => post(`order/${(await bought()).orderId}/refund`, remark),
    ...{ status: 400, said: said.card },
  },
  {
    when: 'a comment of a refund of the invoice carries a card number',
    send: async () => post(`invoice/${(await bought()).invoiceId}/refund`, remark),
    ...{ status: 400, said: said.card },
  },
  {
    when: 'a comment of the order carries a card number',
    send: async () => post(`orders/${await unpaid()}/comments`, { statusHistory: { comment: carried } }),
    ...{ status: 400, said: said.card },
  },
  {
    when: 'an order is put on hold whose refund is not decided',
    send: async () => post(`orders/${await refunding()}/hold`),
    ...{ status: 400, said: said.under_way },
  },
  {
    when: 'an order is cancelled whose refund is not decided',
    send: async () => post(`orders/${await refunding()}/cancel`),
    ...{ status: 400, said: said.under_way },
  },
  {
    when: 'an open invoice is taken back while a refund of the order is not decided',
    send: async () => {
      const open = await post('invoices', { entity: { order_id: await refunding() } });
      return post('invoices', { entity: { entity_id: open.body.entity_id, state: 3 } });
    },
    ...{ status: 400, said: said.under_way },
  },
];

test.each(refusals)('$when: $status', async (refused) => {
  await expectRefused(refused);
});

test.each(['a`b`', '[pay](http://x.example)', '<b>1</b>', '**1**', '1|2', '1\n2', ' 1', '-1', '_1_', ''])(
  'an order takes no number that other programs would read as more than a number: %j',
  async (number) => {
    expect(await save(guestSale({ increment_id: number }))).toMatchObject({
      status: 400,
      body: { message: 'Invalid value of "%value" provided for the %fieldName field.' },
    });
  },
);

test.each(['000000917', 'TILL-9-1', '#2001', 'WEB 7/2026', 'Кас.1', '2:14_a+b'])(
  'an order keeps the number of its caller: %j',
  async (number) => {
    expect((await save(guestSale({ increment_id: number }))).body).toMatchObject({ increment_id: number });
  },
);
