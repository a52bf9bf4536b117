import { afterAll, beforeAll, expect, test } from 'vitest';
import { explainOrder } from '../../../../books/explain/explain-order.ts';
import { verifyBooks } from '../../../../cli/verify-books.ts';
import { readKnownRefunds } from '../../../../db/refunds/read-known-refunds.ts';
import { testApi, type TestApi } from '../../../support/api.ts';
import { anOrder } from '../../../support/builders/order.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { commandContextOf } from '../../../cli/support.ts';
import { booksOf } from '../../../support/books.ts';
import { eightAtOnce } from '../../../support/rivals.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
  await aShop(fork());
});
afterAll(() => api.close());

const { fork, booksHold } = booksOf(() => api.orm);

const sale = () => anOrder(fork());
const call = (method: string, path: string, body?: unknown) =>
  api.call(method, path, { token: api.tokens.register, ...(body === undefined ? {} : { body }) });
const save = (entity: object) => call('POST', '/V1/creditmemo', { entity });

test('a saved memo is there, and moves nothing: neither money nor goods nor what may be refunded', async () => {
  const { orderId, itemIds } = await sale();
  const before = (await call('GET', `/V1/orders/${orderId}`)).body;
  const { status, body } = await save({
    order_id: orderId,
    state: 2,
    grand_total: 108,
    base_grand_total: 108,
    subtotal: 100,
    items: [{ order_item_id: itemIds[0], qty: 2, row_total: 100 }],
  });

  expect(status).toBe(200);
  expect(body).toMatchObject({
    order_id: orderId,
    state: 2,
    grand_total: 108,
    base_subtotal: 100,
    items: [{ qty: 2 }],
    extension_attributes: { pos_moved_money: false },
  });
  expect((await call('GET', `/V1/creditmemo/${body.entity_id}`)).body).toEqual(body);
  expect((await call('GET', `/V1/orders/${orderId}`)).body).toEqual(before);
  expect((await call('POST', `/V1/order/${orderId}/refund`, {})).status).toBe(200);
  expect((await call('GET', `/V1/orders/${orderId}`)).body).toMatchObject({ total_refunded: 108, state: 'closed' });
});

test('a reader and the operator tell it from a refund, also in state 2', async () => {
  const { orderId } = await sale();
  const saved = async () => (await verifyBooks(commandContextOf(api.orm))).json;
  const { saved_memos: before } = (await saved()) as { saved_memos: number };
  const { body: written } = await save({ order_id: orderId, state: 2, grand_total: 5 });
  const { body: refundId } = await call('POST', `/V1/order/${orderId}/refund`, {});
  const { body: refund } = await call('GET', `/V1/creditmemo/${refundId}`);
  expect(refund).not.toHaveProperty('extension_attributes');

  const of = (field: string, value: string | number, at: number) =>
    `searchCriteria[filter_groups][${at}][filters][0][field]=${field}&searchCriteria[filter_groups][${at}][filters][0][value]=${value}`;
  const listed = async (moved: 0 | 1) => {
    const { body } = await call(
      'GET',
      `/V1/creditmemos?${of('order_id', orderId, 0)}&${of('pos_moved_money', moved, 1)}`,
    );
    return body.items.map((memo: { entity_id: number }) => memo.entity_id);
  };
  expect([await listed(0), await listed(1)]).toEqual([[written.entity_id], [refundId]]);
  expect(await saved()).toMatchObject({ ok: true, saved_memos: before + 1 });
  const { text } = await verifyBooks(commandContextOf(api.orm));
  expect(text).toContain(`only written down (POST /V1/creditmemo): ${before + 1}. They moved no money`);
});

test('its own number is kept, once in the store, and not drawn again', async () => {
  const { orderId } = await sale();
  const { body: last } = await save({ order_id: orderId, grand_total: 1, increment_id: '' });
  const next = String(Number(last.increment_id) + 1).padStart(9, '0');
  const { body: own } = await save({ order_id: orderId, grand_total: 1, increment_id: next });
  expect(own.increment_id).toBe(next);
  const taken = { status: 400, body: { message: 'Unique constraint violation found' } };
  expect(await save({ order_id: orderId, grand_total: 1, increment_id: next })).toMatchObject(taken);
  expect((await save({ entity_id: own.entity_id, increment_id: 'CM-OTHER' })).body.increment_id).toBe(next);
  const drawn = await save({ order_id: orderId, grand_total: 1 });
  expect(drawn.body.increment_id).toBe(String(Number(next) + 1).padStart(9, '0'));

  const orders = [await sale(), await sale(), await sale(), await sale()];
  const rivals = await Promise.all(orders.map((one) => save({ order_id: one.orderId, increment_id: 'CM-7' })));
  expect(rivals.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 400, 400, 400]);
  expect(rivals.filter(({ status }) => status === 400)).toMatchObject([taken, taken, taken]);
});

test('a refund with its caller’s figures keeps its own number too', async () => {
  const { orderId, itemIds } = await sale();
  const refund = (qty: number, increment_id: string) =>
    call('POST', '/V1/creditmemo/refund', {
      creditmemo: {
        ...{ order_id: orderId, increment_id, grand_total: 54, subtotal: 50, tax_amount: 4 },
        items: { [itemIds[0]!]: { order_item_id: itemIds[0], qty, row_total: 50, tax_amount: 4 } },
      },
      offlineRequested: true,
    });
  expect(await refund(1, 'GUT-2026-1')).toMatchObject({ status: 200, body: { increment_id: 'GUT-2026-1' } });
  expect(await refund(1, 'GUT-2026-1')).toMatchObject({ body: { message: 'Unique constraint violation found' } });
  expect((await call('GET', `/V1/orders/${orderId}`)).body).toMatchObject({ total_refunded: 54 });
});

test('its lines may be sent by their ids, as an object', async () => {
  const { orderId, itemIds } = await sale();
  const items = { [itemIds[0]!]: { qty: 2, order_item_id: itemIds[0] } };
  const { status, body } = await save({ order_id: orderId, state: null, adjustment: null, items });
  expect({ status, items: body.items }).toMatchObject({ status: 200, items: [{ order_item_id: itemIds[0], qty: 2 }] });
  const comments = { a: { comment: 'Seen' } };
  expect((await save({ entity_id: body.entity_id, comments })).body.comments).toMatchObject([{ comment: 'Seen' }]);
});

test('saved again by its id it is the same memo, with what was sent changed', async () => {
  const { orderId, itemIds } = await sale();
  const items = [{ order_item_id: itemIds[0], qty: 1 }];
  const { body: first } = await save({ order_id: orderId, grand_total: 10, items });
  const { body: second } = await save({ entity_id: first.entity_id, state: 3, adjustment: 2 });

  expect(second).toMatchObject({
    entity_id: first.entity_id,
    grand_total: 10,
    state: 3,
    adjustment: 2,
    items: [{ qty: 1 }],
  });
});

test('an id of zero counts as absent, and an empty list as an object without keys: PHP sends both', async () => {
  const { orderId } = await sale();
  const { status, body } = await save({ entity_id: 0, order_id: orderId, grand_total: 1, extension_attributes: [] });
  expect(status).toBe(200);
  expect(body).toMatchObject({ order_id: orderId, grand_total: 1 });
});

test('what is said with it is kept, and said once when it is sent back', async () => {
  const { orderId } = await sale();
  const comments = [{ comment: 'Seen', is_visible_on_front: 1 }, { comment: 'Filed' }];
  const { body: first } = await save({ order_id: orderId, grand_total: 1, comments });
  const { body: second } = await save({ ...first, grand_total: 2 });
  expect(second.comments).toHaveLength(2);
  expect(second.comments).toEqual(first.comments);
});

test('its transaction is not a refund of the order, and its number tells of no refund', async () => {
  const { orderId } = await sale();
  const { body } = await save({ order_id: orderId, grand_total: 1, transaction_id: 're_saved' });
  const em = fork();
  expect((await readKnownRefunds(em, orderId)).gatewayReferences).not.toContain('re_saved');
  const story = await explainOrder(em, String(orderId));
  expect(JSON.stringify(story)).not.toContain(`Credit memo ${body.increment_id}`);
});

test('eight at once without an id are eight memos, each with a number of its own', async () => {
  const { orderId } = await sale();
  const answers = await eightAtOnce(() => save({ order_id: orderId, grand_total: 1 }));
  expect(new Set(answers.map(({ body }) => body.increment_id)).size).toBe(8);
});

test('a memo that booked a refund stays as it was booked', async () => {
  const { orderId } = await sale();
  const { body: id } = await call('POST', `/V1/order/${orderId}/refund`, {});
  const booked = (await call('GET', `/V1/creditmemo/${id}`)).body;
  expect(await save({ ...booked, grand_total: 1 })).toMatchObject({
    status: 400,
    body: { message: 'We cannot register an existing credit memo.' },
  });
  expect((await call('GET', `/V1/creditmemo/${id}`)).body).toEqual(booked);
});

test.each([
  ['no order', {}, 400],
  ['an unknown order', { order_id: 999_999 }, 404],
  ['an unknown memo', { entity_id: 999_999 }, 404],
  ['an unknown state', { order_id: 1, state: 7 }, 400],
  ['what is no amount', { order_id: 1, grand_total: 'much' }, 400],
  ['a line of another order', { order_id: 1, items: [{ order_item_id: 999_999, qty: 1 }] }, 400],
])('%s is refused', async (_what, entity, status) => {
  const { orderId } = await sale();
  const own = 'order_id' in entity && entity.order_id === 1 ? { ...entity, order_id: orderId } : entity;
  expect((await save(own)).status).toBe(status);
});

test('after all of it the books hold', async () => {
  await booksHold();
});
