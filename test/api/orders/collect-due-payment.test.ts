import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { replayHeader } from '../../../api/http/mark-replayed.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { booksOf } from '../../support/books.ts';
import { aPostedSale } from '../../support/builders/posted-sale.ts';
import { aShop } from '../../support/builders/shop.ts';

let api: TestApi;
let orderId: number;
beforeAll(async () => {
  api = await testApi();
  await aShop(fork());
});
beforeEach(async () => {
  const { body } = await call('POST', '/V1/orders', {
    entity: aPostedSale({ extension_attributes: { pos_credit_due: 108 } }),
  });
  orderId = body.entity_id;
});
afterAll(() => api.close());

const { moneyInOf, fork, find } = booksOf(() => api.orm);

const call = (method: string, path: string, body?: unknown) =>
  api.call(method, path, { token: api.tokens.register, ...(body === undefined ? {} : { body }) });
const collect = (body: unknown, id: number | string = orderId) =>
  call('POST', `/V1/pos/orders/${id}/due-payments`, body);

test('a sale on credit, collected in two parts: each answer, each repeat, the invoice in the end', async () => {
  const filter = 'searchCriteria[filter_groups][0][filters][0]';
  const invoices = async () =>
    (await call('GET', `/V1/invoices?${filter}[field]=order_id&${filter}[value]=${orderId}`)).body.items;
  expect(await invoices()).toMatchObject([{ state: 1, grand_total: 108 }]);

  const first = await collect({ reference: 'R-1', amount: 58 });
  const last = await collect({ reference: 'R-2', amount: '50' });
  const repeat = await collect({ reference: 'R-1', amount: 58 });

  expect([first.status, first.body]).toEqual([
    200,
    {
      order_id: orderId,
      order_increment_id: expect.any(String),
      reference: 'R-1',
      amount: 58,
      is_replay: false,
      remaining_due: 50,
      paid_total: 58,
      total_due: 50,
      is_invoice_paid: false,
    },
  ]);
  expect(last.body).toMatchObject({ remaining_due: 0, paid_total: 108, total_due: 0, is_invoice_paid: true });
  expect(repeat.body).toEqual({ ...first.body, is_replay: true });
  expect([first, last, repeat].map(({ headers }) => headers.get(replayHeader))).toEqual([null, null, 'true']);
  expect(await invoices()).toMatchObject([{ state: 2 }]);
  expect((await call('GET', `/V1/orders/${orderId}`)).body).toMatchObject({
    total_paid: 108,
    base_total_paid: 108,
    extension_attributes: { pos_credit_due: 0 },
  });
});

test('what is still owed for goods that are kept is collected after all that was paid went back', async () => {
  const { body: sale } = await call('GET', `/V1/orders/${orderId}`);
  const items = [{ order_item_id: sale.items[0].item_id, qty: 1 }];
  await collect({ reference: 'half', amount: 54 });
  await api.call('POST', `/V1/order/${orderId}/ship`, { token: api.tokens.admin, body: {} });

  await api.call('POST', `/V1/order/${orderId}/refund`, { token: api.tokens.admin, body: { items } });
  const order = (await call('GET', `/V1/orders/${orderId}`)).body;
  const rest = await collect({ reference: 'rest', amount: 54 });

  expect(order).toMatchObject({ state: 'processing', total_paid: 54, total_refunded: 54, total_due: 54 });
  expect(rest).toMatchObject({ status: 200, body: { paid_total: 108, total_due: 0, is_invoice_paid: true } });
  expect((await call('GET', `/V1/orders/${orderId}`)).body).toMatchObject({ state: 'complete', status: 'complete' });
});

test.each([
  [{ amount: 10 }],
  [{ amount: 10, reference: null }],
  [{ amount: 10, reference: '' }],
  [{ amount: 10, reference: ' ' }],
])('%j has no reference', async (body) => {
  expect(await collect(body)).toMatchObject({
    status: 400,
    body: { message: '"%fieldName" is required. Enter and try again.', parameters: { fieldName: 'reference' } },
  });
});

test.each(['0', '-0', '-1', '0.0049', '10.00001', '"NaN"', '1e20', '"ten"', '{}', '108.01'])(
  'an amount of %s is refused and nothing is written',
  async (amount) => {
    expect((await collect(`{"reference": "R", "amount": ${amount}}`)).status).toBe(400);
    expect([await moneyInOf(orderId), await find('due_payment', { order_id: orderId })]).toEqual([[], []]);
  },
);

test.each(['x'.repeat(256), 'x'.repeat(10_240), 'a\0b'])(
  'a reference nothing can keep is refused',
  async (reference) => {
    expect((await collect({ reference, amount: 1 })).status).toBe(400);
  },
);

test('an unknown order is the platform’s 404', async () => {
  for (const id of [999_999, 0])
    expect(await collect({ reference: 'R', amount: 1 }, id)).toMatchObject({
      status: 404,
      body: { message: "The entity that was requested doesn't exist. Verify the entity and try again." },
    });
});
