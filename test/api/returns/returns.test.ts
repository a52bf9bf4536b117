import { afterAll, beforeAll, expect, test } from 'vitest';
import { createReturn } from '../../../db/returns/create-return.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { anOrder } from '../../support/builders/order.ts';
import { anItem } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { booksOf } from '../../support/books.ts';

/** What of returns needs no workflow: options, eligibility, refusals, reads. The rest is in test/workflows/returns. */
let api: TestApi;
let locationId: number;
beforeAll(async () => {
  api = await testApi();
  ({ locationId } = await aShop(fork()));
});
afterAll(() => api.close());

const { fork, howMany } = booksOf(() => api.orm);

const call = (method: string, path: string, body?: unknown) =>
  api.call(method, path, { token: api.tokens.register, ...(body === undefined ? {} : { body }) });

async function aPlainReturn(posSaleId: string | null = null) {
  const order = await anOrder(fork());
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

test('a new sale may come back completely; goods that are coming back already may not', async () => {
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

test.each([
  '/V1/pos/rma/eligibility/999999',
  '/V1/pos/rma/order/999999',
  '/V1/pos/rma/options?storeId=999',
  '/V1/pos/rma/999999',
  '/V1/pos/rma/refund-attempts/999999',
])('%s is unknown: 404', async (path) => {
  expect((await call('GET', path)).status).toBe(404);
});

const moment = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;

test('a return is read alone and with its order', async () => {
  const { returnId, order } = await aPlainReturn('sale-read');
  const { body } = await call('GET', `/V1/pos/rma/${returnId}`);

  // Each key the interface names, and none else: neither `reused` nor an attempt there is not.
  expect(body).toEqual({
    id: returnId,
    increment_id: expect.any(String),
    order_id: order.orderId,
    order_increment_id: expect.any(String),
    customer_id: null,
    status: 'pending',
    status_label: 'Pending',
    items: [
      {
        entity_id: expect.any(Number),
        order_item_id: order.itemIds[0],
        product_name: 'Mug',
        product_sku: 'MUG',
        qty_requested: 1,
        qty_authorized: null,
        qty_approved: null,
        qty_returned: null,
        reason: 'Changed mind',
        condition: 'Unopened',
        resolution: 'Refund',
        status: 'pending',
      },
    ],
    comments: [
      {
        comment: 'too small',
        is_customer_notified: false,
        is_visible_on_front: false,
        status: 'pending',
        created_at: expect.stringMatching(moment),
      },
    ],
    created_at: expect.stringMatching(moment),
    updated_at: expect.stringMatching(moment),
    refund_method: null,
    credit_memo_id: null,
    credit_memo_increment_id: null,
    pos_sale_id: 'sale-read',
    ready: true,
    refund_legs: [],
    base_refund_total: null,
    base_handback: null,
    refund_difference: null,
  });
  expect((await call('GET', `/V1/pos/rma/order/${order.orderId}`)).body).toEqual([body]);
});

test('a settle whose terminal text carries a card number is refused, and the text is not kept', async () => {
  const { returnId } = await aPlainReturn();
  const answer = await call('POST', `/V1/pos/rma/${returnId}/settle`, {
    method: 'terminal',
    reference: 'T1',
    rawPayload: 'PAN 4111111111111111',
  });
  expect(answer.status).toBe(400);
  expect(await howMany('sale_return_settle_payload', { return_id: returnId })).toBe(0);
});

test.each([
  ['an unknown method', { method: 'gold' }],
  ['money finer than four decimals', { method: 'cash', adjustmentPositive: 0.00001 }],
  ['money as a word', { method: 'cash', shippingAmount: 'free' }],
])('a settle with %s is refused', async (_case, body) => {
  const { returnId } = await aPlainReturn();
  expect((await call('POST', `/V1/pos/rma/${returnId}/settle`, body)).status).toBe(400);
});
