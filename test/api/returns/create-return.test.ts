import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { replayHeader } from '../../../api/http/mark-replayed.ts';
import { createReturn } from '../../../db/returns/create-return.ts';
import { unavailable } from '../../../domain/errors.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { anOrder } from '../../support/builders/order.ts';
import { anItem } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { aCustomer } from '../../support/builders/wallet.ts';

/** What a create refuses and what it answers while no workflow can be told. The rest is in test/workflows/returns. */
let api: TestApi;
let locationId: number;
beforeAll(async () => {
  const away = () => Promise.reject(unavailable('Workflows are away.'));
  api = await testApi({
    workflows: { ask: away, signal: away, start: away, isReachable: () => Promise.resolve(false) },
  });
  ({ locationId } = await aShop(api.orm.em.fork()));
});
afterAll(() => api.close());

const call = (method: string, path: string, body?: unknown) =>
  api.call(method, path, { token: api.tokens.register, ...(body === undefined ? {} : { body }) });

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
    'autoApprove at the location 0, which is none',
    { items: [{ qty_requested: 1 }], autoApprove: true, locationId: 0 },
    400,
    undefined,
  ],
  [
    'a location nobody knows',
    { items: [{ qty_requested: 1 }], autoApprove: true, locationId: 999_999 },
    404,
    undefined,
  ],
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

test('blank fields are none, and a zero is no customer and no location', async () => {
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
    await api.orm.em
      .fork()
      .execute(
        'select inspected_condition, qty_received, target_source_code, return_to_stock from sale_return_item where return_id = ?',
        [body.id],
      ),
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

test.each(['reason', 'reason_id', 'condition', 'condition_id'])(
  'a card number in the %s of a row is refused, and nothing is written',
  async (field) => {
    const order = await anOrder(api.orm.em.fork());
    const items = rows({ order_item_id: order.itemIds[0], qty_requested: 1, [field]: 'card 4111 1111 1111 1111' });

    expect((await call('POST', '/V1/pos/rma', { orderId: order.orderId, items })).status).toBe(400);
    expect((await call('GET', `/V1/pos/rma/order/${order.orderId}`)).body).toEqual([]);
  },
);

test('a creation that cannot be finished now: 409 with the return; a sale id finds it again, without one it is only read', async () => {
  const unfinished = async (more: object) => {
    const order = await anOrder(api.orm.em.fork());
    const wish = {
      orderId: order.orderId,
      items: rows({ order_item_id: order.itemIds[0], qty_requested: 1 }),
      autoApprove: true,
      locationId,
      refundMethod: 'original_payment',
      ...more,
    };
    return { wish, first: await call('POST', '/V1/pos/rma', wish) };
  };
  const { wish, first } = await unfinished({ posSaleId: 'sale-unfinished' });
  const returnId: number = first.body.parameters.return_id;
  expect(first).toMatchObject({
    status: 409,
    body: { parameters: { outcome: 'sale_return_being_created', return_id: returnId } },
  });
  expect((await call('POST', '/V1/pos/rma', wish)).body).toEqual(first.body);
  expect((await call('GET', `/V1/pos/rma/${returnId}`)).body).toMatchObject({ status: 'pending', ready: false });

  const { first: nameless } = await unfinished({});
  expect(nameless).toMatchObject({ status: 409, body: { parameters: { outcome: 'return_not_ready' } } });
  expect((await call('GET', `/V1/pos/rma/${nameless.body.parameters.return_id}`)).status).toBe(200);
});
