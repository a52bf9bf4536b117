import { expect, test } from 'vitest';
import { replayHeader } from '../../../api/http/mark-replayed.ts';
import { createReturn } from '../../../db/returns/create-return.ts';
import { anOrder } from '../../support/builders/order.ts';
import { anItem } from '../../support/builders/return.ts';
import { aCustomer } from '../../support/builders/wallet.ts';
import { opensAReturnDesk, api, locationId, call, rows } from './a-return-desk.ts';

opensAReturnDesk();

async function aPlainReturn(posSaleId: string) {
  const order = await anOrder(api.orm.em.fork());
  const { returnId } = await createReturn(api.orm.em, {
    orderId: order.orderId,
    customerId: null,
    locationId,
    items: [anItem(order.itemIds[0]!)],
    comment: null,
    isAutoApproved: false,
    refundMethod: null,
    posSaleId,
  });
  return { returnId, order };
}

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
    'autoApprove at the location 0, which does not exist',
    { items: [{ qty_requested: 1 }], autoApprove: true, locationId: 0 },
    400,
    undefined,
  ],
  ['an unknown location', { items: [{ qty_requested: 1 }], autoApprove: true, locationId: 999_999 }, 404, undefined],
  ['a sale id of 65 characters', { items: [{ qty_requested: 1 }], posSaleId: 'x'.repeat(65) }, 400, undefined],
  ['less than nothing received', { items: [{ qty_requested: 1, qty_received: -1 }] }, 400, undefined],
  [
    'an unknown inspection of goods that are taken in at once',
    { items: [{ qty_requested: 1, inspected_condition: 'eaten' }], autoApprove: true, locationId: 1 },
    400,
    undefined,
  ],
  [
    'an unknown refund method for goods that are taken in at once',
    { items: [{ qty_requested: 1 }], refundMethod: 'gold', autoApprove: true, locationId: 1 },
    400,
    undefined,
  ],
])('a create with %s is refused and writes nothing', async (_case, wish, status, reasonCode) => {
  const order = await anOrder(api.orm.em.fork());
  const items = rows(...wish.items.map((item) => ({ order_item_id: order.itemIds[0], ...item })));

  const answer = await call('POST', '/V1/pos/rma', { ...wish, orderId: order.orderId, items });

  expect(answer.status).toBe(status);
  expect(answer.body.parameters?.reason_code).toBe(reasonCode);
  expect((await call('GET', `/V1/pos/rma/order/${order.orderId}`)).body).toEqual([]);
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

test('a create for a sale whose return is ready is answered with that return, even while Temporal is away', async () => {
  const { returnId, order } = await aPlainReturn('sale-again');
  const again = {
    orderId: order.orderId,
    items: rows({ order_item_id: order.itemIds[0], qty_requested: 1 }),
    posSaleId: 'sale-again',
  };
  const answer = await api.without('Temporal', () => call('POST', '/V1/pos/rma', again));
  expect(answer).toMatchObject({ status: 200, body: { id: returnId, reused: true, ready: true } });
  expect(answer.headers.get(replayHeader)).toBe('true');
});

test('a sale id of 64 characters is kept as it is', async () => {
  const order = await anOrder(api.orm.em.fork());
  const posSaleId = 'é'.repeat(64);
  const answer = await call('POST', '/V1/pos/rma', {
    orderId: order.orderId,
    items: rows({ order_item_id: order.itemIds[0], qty_requested: 1 }),
    posSaleId,
  });
  expect(answer).toMatchObject({ status: 200, body: { pos_sale_id: posSaleId, ready: true, reused: false } });
  expect(answer.headers.get(replayHeader)).toBeNull();
});

test('a return without a sale id has neither one nor a word on readiness', async () => {
  const order = await anOrder(api.orm.em.fork());
  const items = rows({ order_item_id: order.itemIds[0], qty_requested: 1 });
  const { body } = await call('POST', '/V1/pos/rma', { orderId: order.orderId, items });
  expect(body).toMatchObject({ status: 'pending', reused: false });
  expect(body).not.toHaveProperty('pos_sale_id');
  expect(body).not.toHaveProperty('ready');
});

test('blank fields count as absent, and so does a customer or a location of zero', async () => {
  const customerId = await aCustomer(api.orm.em.fork());
  const order = await anOrder(api.orm.em.fork(), { customerId });
  const blank = { reason: '', resolution: '', inspected_condition: '', target_source_code: '' };
  const { status, body } = await call('POST', '/V1/pos/rma', {
    orderId: order.orderId,
    customerId: 0,
    locationId: 0,
    items: rows({ order_item_id: order.itemIds[0], qty_requested: 1, ...blank }),
    comment: '',
    refundMethod: '',
    posSaleId: '',
  });
  expect(status).toBe(200);
  expect(body).toMatchObject({ customer_id: customerId, comments: [], items: [{ reason: null, resolution: null }] });
  expect(body).not.toHaveProperty('pos_sale_id');
});

test('whose return it is, is whose order it is; only the return of a guest’s order takes the name it is given', async () => {
  const [own, other] = [await aCustomer(api.orm.em.fork()), await aCustomer(api.orm.em.fork())];
  const customerOf = async (given: object) => {
    const { orderId, itemIds } = await anOrder(api.orm.em.fork(), given);
    const items = rows({ order_item_id: itemIds[0], qty_requested: 1 });
    return (await call('POST', '/V1/pos/rma', { orderId, customerId: other, items })).body.customer_id;
  };
  expect(await customerOf({ customerId: own })).toBe(own);
  expect(await customerOf({})).toBe(other);
});

test('without autoApprove words for the counter and for the money are not even read', async () => {
  const order = await anOrder(api.orm.em.fork());
  const answer = await call('POST', '/V1/pos/rma', {
    orderId: order.orderId,
    items: rows({ order_item_id: order.itemIds[0], qty_requested: 1, inspected_condition: 'eaten' }),
    refundMethod: 'gold',
  });
  expect(answer).toMatchObject({ status: 200, body: { status: 'pending', refund_method: null } });
});

test('a card number in the comment is refused, and nothing is written', async () => {
  const order = await anOrder(api.orm.em.fork());
  const answer = await call('POST', '/V1/pos/rma', {
    orderId: order.orderId,
    items: rows({ order_item_id: order.itemIds[0], qty_requested: 1 }),
    comment: 'paid with 4111 1111 1111 1111',
  });
  expect(answer.status).toBe(400);
  expect((await call('GET', `/V1/pos/rma/order/${order.orderId}`)).body).toEqual([]);
});
