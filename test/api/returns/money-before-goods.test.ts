import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { initialiseReturn } from '../../../db/returns/initialise-return.ts';
import { aPostedSale } from '../../support/builders/posted-sale.ts';
import { booksOf } from '../../support/books.ts';
import { atOnce } from '../../support/rivals.ts';
import { opensACounter, flow, register } from './settled-returns.ts';

opensACounter();

const { memosOf, movementsOf, wordsOf, returnsOf, theReturn, attemptsOf, fork, booksHold } = booksOf(
  () => flow.api.orm,
);
const admin = (method: string, path: string, body?: unknown) =>
  flow.api.call(method, path, { token: flow.api.tokens.admin, ...(body === undefined ? {} : { body }) });

/** Two mugs at 10.00, paid and still in the shop, by this payment. */
const aSale = (more: object = {}) => register.sale('10.00', { shipped: false, ...more });
const hold = (orderId: number) => admin('POST', `/V1/orders/${orderId}/hold`);
const unhold = (orderId: number) => admin('POST', `/V1/orders/${orderId}/unhold`);
const goodwill = (orderId: number, itemId: number, sum: number) =>
  admin('POST', `/V1/order/${orderId}/refund`, {
    items: [{ order_item_id: itemId, qty: 0 }],
    arguments: { adjustment_positive: sum, shipping_amount: 0 },
  });
const heldSentence =
  'Creditmemo Document Validation Error(s):\nA creditmemo can not be created when an order has a status of holded';
const stands = async (rmaId: number) => {
  const { status, credit_memo_id: memo } = await register.returnOf(rmaId);
  const { is_ready: isReady } = await theReturn(rmaId, 'is_ready');
  return { status, isReady, memo, moved: (await movementsOf(rmaId, 'kind')).length };
};
const noGoodsMoved = { status: 'pending', isReady: false, memo: null, moved: 0 };

test.each(['cash', 'terminal', 'exchange', 'store_credit', 'original_payment'])(
  'an order on hold: the return by %s stands without its goods, in the words of a settle, and goes on once the hold is gone',
  async (refundMethod) => {
    const sale = await aSale();
    await hold(sale.orderId);
    const posSaleId = randomUUID();
    const send = () => register.returnOne(sale, { refundMethod, posSaleId });

    const refused = await send();
    expect(refused).toMatchObject({ status: 400, body: { message: heldSentence } });
    const rmaId: number = refused.body.parameters.return_id;
    expect(await stands(rmaId)).toEqual(noGoodsMoved);
    expect(await wordsOf(rmaId, 'comment')).toEqual([{ comment: `Not ready yet: ${heldSentence}` }]);
    expect((await register.call('GET', `/V1/pos/rma/eligibility/${sale.orderId}`)).body).toMatchObject({
      outcome: 'forbidden',
      reason_code: 'vendor_rule',
      reason: heldSentence,
    });
    expect(await send()).toMatchObject({
      status: 409,
      body: { parameters: { outcome: 'sale_return_being_created', return_id: rmaId } },
    });
    expect(await stands(rmaId)).toEqual(noGoodsMoved);

    await unhold(sale.orderId);
    const isByCard = refundMethod === 'original_payment';
    expect(await send()).toMatchObject({
      status: 200,
      body: { id: rmaId, reused: true, status: isByCard ? 'closed' : 'awaiting_refund' },
    });
    if (!isByCard) await register.settle(rmaId, { method: refundMethod });
    expect(await stands(rmaId)).toMatchObject({ status: 'closed', moved: 1 });
    await booksHold();
  },
);

test('nobody but who asks goes on with it: a sweep does not take goods in that may have left the shop', async () => {
  const sale = await aSale();
  await hold(sale.orderId);
  const { body } = await register.returnOne(sale, { refundMethod: 'original_payment' });
  const rmaId: number = body.parameters.return_id;
  await unhold(sale.orderId);

  const swept = await initialiseReturn(fork(), { returnId: rmaId, isAsked: false, canRefundThrough: () => true });
  expect(swept).toMatchObject({ status: 'pending', waitsForCaller: true });
  await flow.client.workflow.getHandle(`return-${rmaId}`).signal('refresh');
  expect(await stands(rmaId)).toEqual(noGoodsMoved);
  expect(await attemptsOf(rmaId)).toEqual([]);
  expect((await register.call('POST', `/V1/pos/rma/${rmaId}/close`, {})).body).toMatchObject({ status: 'closed' });
  expect((await register.returnOne(sale, { refundMethod: 'cash' })).status).toBe(200);
  await booksHold();
});

test('a card that took a part of the sale is asked for no more: the refusal names what it can take back', async () => {
  const entity = aPostedSale({
    payment: { method: 'provider_a', last_trans_id: 'pay_half', amount_ordered: 60, base_amount_ordered: 60 },
  });
  const { body: order } = await admin('POST', '/V1/orders', { entity });
  const sale = { orderId: order.entity_id as number, itemId: order.items[0].item_id as number };
  await admin('POST', `/V1/order/${sale.orderId}/invoice`, { capture: true });
  await admin('POST', `/V1/order/${sale.orderId}/ship`, {});
  const calls = flow.gateway.ledger.calls.length;

  const both = await register.returnOne(sale, { refundMethod: 'original_payment' }, { qty_requested: 2 });
  expect(both).toMatchObject({
    status: 400,
    body: {
      message: expect.stringContaining('took 60 of this sale and can take back 60, not 108'),
      parameters: { outcome: 'card_took_less', card_took: '60', card_left: '60' },
    },
  });
  expect(await stands(both.body.parameters.return_id)).toEqual(noGoodsMoved);
  expect(flow.gateway.ledger.calls.length).toBe(calls);
  await register.call('POST', `/V1/pos/rma/${both.body.parameters.return_id}/close`, {});

  const one = await register.returnOne(sale, { refundMethod: 'original_payment' });
  expect(one.body).toMatchObject({ status: 'closed', base_handback: 54 });
  const other = await register.returnOne(sale, { refundMethod: 'original_payment' });
  expect(other.body.parameters).toMatchObject({ outcome: 'card_took_less', card_left: '6' });
  const atOnceByCard = { orderId: sale.orderId, resolution: 'refund', isOnline: true };
  const rmaId: number = other.body.parameters.return_id;
  expect((await register.settle(rmaId, { method: 'cash' })).body).toMatchObject({
    status: 'closed',
    base_handback: 54,
  });
  const items = JSON.stringify([{ order_item_id: sale.itemId, qty: 1 }]);
  expect((await register.call('POST', '/V1/pos/rma/process', { ...atOnceByCard, items })).status).toBe(400);
  await booksHold();
});

test('nor is it asked for more by the settle of a return whose goods are in', async () => {
  const entity = aPostedSale({
    payment: { method: 'provider_a', last_trans_id: 'pay_less', amount_ordered: 60, base_amount_ordered: 60 },
  });
  const { body: order } = await admin('POST', '/V1/orders', { entity });
  const sale = { orderId: order.entity_id as number, itemId: order.items[0].item_id as number };
  await admin('POST', `/V1/order/${sale.orderId}/invoice`, { capture: true });
  const { body } = await register.returnOne(sale, { refundMethod: 'cash' }, { qty_requested: 2 });
  expect(await register.settle(body.id, { method: 'original_payment' })).toMatchObject({
    status: 400,
    body: { parameters: { outcome: 'card_took_less', card_left: '60' } },
  });
  expect((await register.settle(body.id, { method: 'cash' })).body).toMatchObject({ status: 'closed' });
  await booksHold();
});

test('in one call by the card, more than it took leaves nothing, and what it took goes back', async () => {
  const entity = aPostedSale({
    payment: { method: 'provider_a', last_trans_id: 'pay_part', amount_ordered: 60, base_amount_ordered: 60 },
  });
  const { body: order } = await admin('POST', '/V1/orders', { entity });
  const orderId: number = order.entity_id;
  await admin('POST', `/V1/order/${orderId}/invoice`, { capture: true });
  const process = (qty: number) =>
    register.call('POST', '/V1/pos/rma/process', {
      orderId,
      items: JSON.stringify([{ order_item_id: order.items[0].item_id, qty }]),
      resolution: 'refund',
      isOnline: true,
    });
  expect((await process(2)).body.parameters).toMatchObject({ outcome: 'card_took_less', card_left: '60' });
  expect(await returnsOf(orderId)).toEqual([]);
  expect((await process(1)).body).toMatchObject({ success: true, refund_total: 54 });
  await booksHold();
});

test('all money went back by goodwill: the return is refused before its goods, names the memo, and the preview says none', async () => {
  const sale = await aSale({ method: 'checkmo' });
  await goodwill(sale.orderId, sale.itemId, 20);
  const [memo] = await memosOf(sale.orderId, 'increment_id');
  const sentence = `Nothing is left to refund: credit memo ${memo!.increment_id} took it.`;

  const refused = await register.returnOne(sale, { refundMethod: 'cash' });
  expect(refused).toMatchObject({
    status: 400,
    body: { message: sentence, parameters: { outcome: 'nothing_left_to_refund' } },
  });
  expect(await stands(refused.body.parameters.return_id)).toEqual(noGoodsMoved);
  const items = JSON.stringify([{ order_item_id: sale.itemId, qty: 1 }]);
  const wish = { orderId: sale.orderId, items };
  expect((await register.call('POST', '/V1/pos/refunds/preview', wish)).body).toMatchObject({
    handback: 0,
    returnable_max: 0,
  });
  const later = await register.returnOne(sale, { autoApprove: false });
  expect(later.body).toMatchObject({
    message: `The order cannot be returned: ${sentence}`,
    parameters: { outcome: 'return_not_eligible', reason_code: 'vendor_rule', order_item_id: 0 },
  });
  await booksHold();
});

test('a part went back by goodwill: the preview says what is left, and that goes back', async () => {
  const sale = await aSale({ method: 'checkmo' });
  await goodwill(sale.orderId, sale.itemId, 5);
  const items = JSON.stringify([{ order_item_id: sale.itemId, qty: 2 }]);
  const preview = await register.call('POST', '/V1/pos/refunds/preview', { orderId: sale.orderId, items });
  expect(preview).toMatchObject({ status: 200, body: { handback: 15, returnable_max: 15 } });
  const { body } = await register.returnOne(sale, { refundMethod: 'cash' }, { qty_requested: 2 });
  const settled = await register.settle(body.id, { method: 'cash' });
  const [memo] = await memosOf(sale.orderId, 'increment_id');
  expect(settled.body.base_handback).toBe(15);
  expect(settled.body.comments.map(({ comment }: { comment: string }) => comment)).toContain(
    `$5.00 less than the goods: credit memo ${memo!.increment_id} gave $5.00 before.`,
  );
  await booksHold();
});

test('money that another memo took after the goods were in: the return is parked, with a comment', async () => {
  const sale = await aSale({ method: 'checkmo' });
  const { body } = await register.returnOne(sale, { refundMethod: 'cash' });
  await goodwill(sale.orderId, sale.itemId, 20);
  expect(await register.settle(body.id, { method: 'cash' })).toMatchObject({
    status: 400,
    body: { parameters: { outcome: 'nothing_left_to_refund' } },
  });
  expect(await stands(body.id)).toMatchObject({ status: 'awaiting_refund', moved: 1 });
  expect((await wordsOf(body.id, 'comment')).at(-1)).toEqual({ comment: expect.stringMatching(/^Not settled: /) });
});

test('a payment that no gateway can give back is settled in another way, and only then its goods are in', async () => {
  const sale = await aSale({ method: 'checkmo' });
  const refused = await register.returnOne(sale, { refundMethod: 'original_payment' });
  expect(refused.body.parameters).toMatchObject({ outcome: 'refund_from_admin' });
  const rmaId: number = refused.body.parameters.return_id;
  expect(await stands(rmaId)).toEqual(noGoodsMoved);
  expect((await register.settle(rmaId, { method: 'original_payment' })).status).toBe(409);
  expect(await stands(rmaId)).toEqual(noGoodsMoved);
  expect((await register.settle(rmaId, { method: 'cash' })).body).toMatchObject({
    status: 'closed',
    base_handback: 10,
  });
  expect(await stands(rmaId)).toMatchObject({ moved: 1 });
  await booksHold();
});

test('eight tills with one sale of an order on hold: one return stands, and no goods moved', async () => {
  const sale = await aSale();
  await hold(sale.orderId);
  const posSaleId = randomUUID();
  const answers = await atOnce(8, () => register.returnOne(sale, { refundMethod: 'cash', posSaleId }));
  expect(answers.filter(({ status }) => status !== 400 && status !== 409)).toEqual([]);
  const returns = await returnsOf(sale.orderId, 'return_id');
  expect(returns).toHaveLength(1);
  expect(await stands(returns[0]!.return_id as number)).toEqual(noGoodsMoved);
  await unhold(sale.orderId);
  const after = await atOnce(8, () => register.returnOne(sale, { refundMethod: 'cash', posSaleId }));
  expect(after.map(({ status }) => status)).toEqual(Array(8).fill(200));
  expect(await movementsOf(returns[0]!.return_id as number, 'kind')).toHaveLength(1);
  await booksHold();
});

test('without a way for the money nothing is judged: goods of an unpaid sale come in, to be decided line by line', async () => {
  const sale = await register.sale('10.00', {
    method: 'checkmo',
    paid: false,
    columns: { posCreditDue: 200_000 as never },
  });
  expect((await register.returnOne(sale)).body).toMatchObject({ status: 'items_received' });
});
