import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createReturn } from '../../../db/returns/create-return.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { anOrder } from '../../support/builders/order.ts';
import { anItem } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';

/** What of returns needs no workflow: options, eligibility, refusals, reads. The rest is in test/workflows/returns. */
let api: TestApi;
let locationId: number;
beforeAll(async () => {
  api = await testApi();
  ({ locationId } = await aShop(api.orm.em.fork()));
});
afterAll(() => api.close());

const call = (method: string, path: string, body?: unknown) =>
  api.call(method, path, { token: api.tokens.register, ...(body === undefined ? {} : { body }) });

async function aPlainReturn(posSaleId: string | null = null) {
  const order = await anOrder(api.orm.em.fork());
  const { returnId } = await createReturn(api.orm.em, {
    orderId: order.orderId,
    customerId: null,
    locationId,
    items: [anItem(order.itemIds[0]!)],
    comment: 'too small',
    isAutoApproved: false,
    refundMethod: null,
    posSaleId,
  });
  return { returnId, order };
}

test('options name reasons, conditions and resolutions; only resolutions behave', async () => {
  const { body } = await call('GET', '/V1/pos/rma/options');
  expect(body).toMatchObject({ provider_code: 'builtin', store_id: 1 });
  expect(body.resolutions).toEqual([
    { id: 'Refund', label: 'Refund', behavior: 'refund', is_store_credit: false },
    { id: 'Exchange', label: 'Exchange', behavior: 'exchange', is_store_credit: false },
    { id: 'Store Credit', label: 'Store Credit', behavior: 'refund', is_store_credit: true },
  ]);
  expect(body.conditions.map(({ id }: { id: string }) => id)).toEqual(['Unopened', 'Opened', 'Damaged']);
  expect(
    [...body.reasons, ...body.conditions].every(
      ({ behavior, is_store_credit }) => behavior === null && is_store_credit === null,
    ),
  ).toBe(true);
});

test('a fresh sale may come back as a whole; what is coming back already may not', async () => {
  const { order } = await aPlainReturn();
  const { body } = await call('GET', `/V1/pos/rma/eligibility/${order.orderId}`);
  expect(body).toEqual({
    order_id: order.orderId,
    outcome: 'allowed',
    reason_code: null,
    reason: null,
    period_days: 0,
    lines: [
      {
        order_item_id: order.itemIds[0],
        name: 'Mug',
        outcome: 'allowed',
        reason_code: null,
        reason: null,
        period_days: 0,
        qty_returnable: 1,
        allowed_resolution_ids: null,
        resolution_periods: [],
      },
    ],
  });
});

test.each(['/V1/pos/rma/eligibility/999999', '/V1/pos/rma/999999', '/V1/pos/rma/refund-attempts/999999'])(
  '%s is unknown: 404',
  async (path) => {
    expect((await call('GET', path)).status).toBe(404);
  },
);

test('a return is read alone, with its order, and in the inbox of open ones', async () => {
  const { returnId, order } = await aPlainReturn('sale-read');
  const { body } = await call('GET', `/V1/pos/rma/${returnId}`);

  expect(body).toMatchObject({
    id: returnId,
    order_id: order.orderId,
    status: 'pending',
    status_label: 'Pending',
    refund_method: null,
    credit_memo_id: null,
    pos_sale_id: 'sale-read',
    ready: true,
    refund_legs: [],
    items: [
      { product_sku: 'MUG', qty_requested: 1, reason: 'Changed mind', condition: 'Unopened', resolution: 'Refund' },
    ],
    comments: [{ comment: 'too small' }],
  });
  expect(body).not.toHaveProperty('reused');
  expect(body).not.toHaveProperty('refund_attempt_id');
  expect((await call('GET', `/V1/pos/rma/order/${order.orderId}`)).body).toEqual([body]);
  expect((await call('GET', '/V1/pos/rma/open?limit=1')).body).toEqual([body]);
});

const rows = (...items: object[]) => JSON.stringify(items);

test.each([
  ['a quantity of nothing', { items: [{ qty_requested: 0 }] }, 400, undefined],
  ['more than was sold', { items: [{ qty_requested: 3 }] }, 400, 'quantity'],
  ['more than was sold, over two rows', { items: [{ qty_requested: 1 }, { qty_requested: 2 }] }, 400, 'quantity'],
  [
    'a resolution nobody offers',
    { items: [{ qty_requested: 1, resolution: 'Refunded' }] },
    400,
    'resolution_unsupported',
  ],
  ['a line of another order', { items: [{ order_item_id: 999_999, qty_requested: 1 }] }, 400, 'quantity'],
  ['no rows', { items: [] }, 400, undefined],
  ['autoApprove without a location', { items: [{ qty_requested: 1 }], autoApprove: true }, 400, undefined],
  [
    'a location nobody knows',
    { items: [{ qty_requested: 1 }], autoApprove: true, locationId: 999_999 },
    400,
    undefined,
  ],
  ['a sale id of 65 characters', { items: [{ qty_requested: 1 }], posSaleId: 'x'.repeat(65) }, 400, undefined],
  ['an unknown refund method', { items: [{ qty_requested: 1 }], refundMethod: 'gold' }, 400, undefined],
])('a create with %s is refused and writes nothing', async (_case, wish, status, reasonCode) => {
  const order = await anOrder(api.orm.em.fork());
  const items = rows(...wish.items.map((item) => ({ order_item_id: order.itemIds[0], ...item })));

  const answer = await call('POST', '/V1/pos/rma', { ...wish, orderId: order.orderId, items });

  expect(answer.status).toBe(status);
  expect(answer.body.parameters?.reason_code).toBe(reasonCode);
  expect((await call('GET', `/V1/pos/rma/order/${order.orderId}`)).body).toEqual([]);
});

test.each([
  ['an array in place of a text', [{ order_item_id: 1, qty_requested: 1 }]],
  ['a text of a text', JSON.stringify(JSON.stringify([{ order_item_id: 1, qty_requested: 1 }]))],
  ['no JSON', 'one mug'],
  ['an unknown key', JSON.stringify([{ order_item_id: 1, qty_requested: 1, refund_all: true }])],
])('items as %s are refused', async (_case, items) => {
  const order = await anOrder(api.orm.em.fork());
  expect((await call('POST', '/V1/pos/rma', { orderId: order.orderId, items })).status).toBe(400);
});

test('a sale id that belongs to another order’s return is a conflict', async () => {
  const { returnId, order } = await aPlainReturn('sale-taken');
  const other = await anOrder(api.orm.em.fork());

  const answer = await call('POST', '/V1/pos/rma', {
    orderId: other.orderId,
    items: rows({ order_item_id: other.itemIds[0], qty_requested: 1 }),
    posSaleId: 'sale-taken',
  });

  expect(answer).toMatchObject({
    status: 409,
    body: { parameters: { outcome: 'sale_return_conflict', return_id: returnId, order_id: order.orderId } },
  });
});

test('a create for a sale whose return is ready is answered with that return, even while workflows are away', async () => {
  const { returnId, order } = await aPlainReturn('sale-again');
  const answer = await call('POST', '/V1/pos/rma', {
    orderId: order.orderId,
    items: rows({ order_item_id: order.itemIds[0], qty_requested: 1 }),
    posSaleId: 'sale-again',
  });
  expect(answer).toMatchObject({ status: 200, body: { id: returnId, reused: true, ready: true } });
});

test('a settle whose terminal text carries a card number is refused, and the text is not kept', async () => {
  const { returnId } = await aPlainReturn();
  const answer = await call('POST', `/V1/pos/rma/${returnId}/settle`, {
    method: 'terminal',
    reference: 'T1',
    rawPayload: 'PAN 4111111111111111',
  });
  expect(answer.status).toBe(400);
  expect(
    await api.orm.em.fork().execute('select 1 from sale_return_settle_payload where return_id = ?', [returnId]),
  ).toEqual([]);
});

test.each([
  ['an unknown method', { method: 'gold' }],
  ['money finer than four decimals', { method: 'cash', adjustmentPositive: 0.00001 }],
  ['money as a word', { method: 'cash', shippingAmount: 'free' }],
  ['legs that are none', { method: 'cash', expectedLegs: [{ kind: 'cheque', base_amount: 1, amount: 1 }] }],
])('a settle with %s is refused', async (_case, body) => {
  const { returnId } = await aPlainReturn();
  expect((await call('POST', `/V1/pos/rma/${returnId}/settle`, body)).status).toBe(400);
});
