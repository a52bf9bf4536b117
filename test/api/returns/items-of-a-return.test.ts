import { expect, test } from 'vitest';
import { anOrder } from '../../support/builders/order.ts';
import { booksOf } from '../../support/books.ts';
import { opensAReturnDesk, api, locationId, call, rows } from './a-return-desk.ts';

opensAReturnDesk();

const { itemsOf } = booksOf(() => api.orm);

test.each([
  ['an array in place of a text', [{ order_item_id: 1, qty_requested: 1 }]],
  ['a text of a text', JSON.stringify(JSON.stringify([{ order_item_id: 1, qty_requested: 1 }]))],
  ['no JSON', 'one mug'],
  ['an unknown key', JSON.stringify([{ order_item_id: 1, qty_requested: 1, refund_all: true }])],
])('items as %s are refused', async (_case, items) => {
  const order = await anOrder(api.orm.em.fork());
  expect((await call('POST', '/V1/pos/rma', { orderId: order.orderId, items })).status).toBe(400);
});

test('a blank reason counts as absent: the id is kept; so with a condition', async () => {
  const order = await anOrder(api.orm.em.fork());
  const row = { reason: '', reason_id: 'X9', condition: ' ', condition_id: 'Damaged' };
  const items = rows({ order_item_id: order.itemIds[0], qty_requested: 1, ...row });

  const { body } = await call('POST', '/V1/pos/rma', { orderId: order.orderId, items });

  expect(body.items).toMatchObject([{ reason: 'X9', condition: 'Damaged' }]);
});

test('what was inspected and how the money goes back count with autoApprove only', async () => {
  const order = await anOrder(api.orm.em.fork());
  const seen = { inspected_condition: 'damaged', qty_received: 1, target_source_code: 'floor', return_to_stock: false };
  const { body } = await call('POST', '/V1/pos/rma', {
    orderId: order.orderId,
    items: rows({ order_item_id: order.itemIds[0], qty_requested: 2, ...seen }),
    refundMethod: 'cash',
  });
  expect(body).toMatchObject({ status: 'pending', refund_method: null, items: [{ qty_returned: null }] });
  expect(
    await itemsOf(body.id, 'inspected_condition', 'qty_received', 'target_source_code', 'return_to_stock'),
  ).toEqual([{ inspected_condition: null, qty_received: null, target_source_code: null, return_to_stock: false }]);
});

test.each([
  ['asked for', { qty_requested: 0.5 }],
  ['taken in', { qty_requested: 1, qty_received: 0.5 }],
])('half of a whole piece is not %s, and nothing is written', async (_case, row) => {
  const order = await anOrder(api.orm.em.fork());
  const answer = await call('POST', '/V1/pos/rma', {
    orderId: order.orderId,
    items: rows({ order_item_id: order.itemIds[0], ...row }),
    autoApprove: true,
    locationId,
  });
  expect(answer).toMatchObject({
    status: 400,
    body: { message: 'We found an invalid quantity to refund item "MUG".' },
  });
  expect((await call('GET', `/V1/pos/rma/order/${order.orderId}`)).body).toEqual([]);
});

test('two halves in two rows are no whole piece either', async () => {
  const order = await anOrder(api.orm.em.fork());
  const half = { order_item_id: order.itemIds[0], qty_requested: 0.5 };
  const answer = await call('POST', '/V1/pos/rma', { orderId: order.orderId, items: rows(half, half) });
  expect(answer.status).toBe(400);
});

test('goods sold by weight come back by weight', async () => {
  const order = await anOrder(api.orm.em.fork(), {
    lines: [{ sku: 'PLATE', qty: 1.5, price: '10', isQtyDecimal: true }],
  });
  const items = rows({ order_item_id: order.itemIds[0], qty_requested: 0.5 });
  const answer = await call('POST', '/V1/pos/rma', { orderId: order.orderId, items });
  expect(answer).toMatchObject({ status: 200, body: { items: [{ qty_requested: 0.5 }] } });
});

test('goods are not sent to an unknown source, and nothing is written', async () => {
  const order = await anOrder(api.orm.em.fork());
  const wish = (more: object) => ({
    orderId: order.orderId,
    items: rows({ order_item_id: order.itemIds[0], qty_requested: 1, target_source_code: 'nowhere' }),
    locationId,
    ...more,
  });

  const answer = await call('POST', '/V1/pos/rma', wish({ autoApprove: true }));

  expect(answer).toMatchObject({
    status: 400,
    body: { parameters: { fieldName: 'target_source_code', value: 'nowhere' } },
  });
  expect((await call('GET', `/V1/pos/rma/order/${order.orderId}`)).body).toEqual([]);
  // It says something only where the goods are taken in at once.
  expect((await call('POST', '/V1/pos/rma', wish({ autoApprove: false }))).status).toBe(200);
});

test.each(['reason', 'reason_id', 'condition', 'condition_id'])(
  'a card number in the %s of a row is refused, and nothing is written',
  async (field) => {
    const order = await anOrder(api.orm.em.fork());
    const items = rows({ order_item_id: order.itemIds[0], qty_requested: 1, [field]: 'card 4111 1111 1111 1111' });

    expect((await call('POST', '/V1/pos/rma', { orderId: order.orderId, items })).status).toBe(400);
    expect((await call('GET', `/V1/pos/rma/order/${order.orderId}`)).body).toEqual([]);
  },
);
