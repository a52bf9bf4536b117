import { describe, expect, test } from 'vitest';
import { verify } from '../../../books/verify/verify.ts';
import { booksOf } from '../../support/books.ts';
import { eightAtOnce } from '../../support/rivals.ts';
import { opensACounter, flow, register, put, post, receive, resolve, requested, approved } from './return-by-hand.ts';

opensACounter();

const { fork, auditOf, shelf } = booksOf(() => flow.api.orm);
const statusLines = (rmaId: number) => auditOf('return', rmaId, 'old_value', 'new_value');

async function parked(price = '10.00') {
  const sale = await register.sale(price, { method: 'checkmo' });
  const { body } = await register.returnOne(sale, { refundMethod: 'cash' });
  return { sale, rmaId: body.id as number };
}

async function uncertain() {
  const sale = await register.sale('12.73');
  const { body } = await register.returnOne(sale, { refundMethod: 'original_payment' });
  return { sale, rmaId: body.parameters.return_id as number, attemptId: body.parameters.refund_attempt_id as number };
}

describe('status', () => {
  test('approval approves every line in full, and says so in the history once', async () => {
    const { rmaId } = await requested();

    const answer = await put(rmaId, 'approved', { comment: 'Looks fine to me' });
    const again = await put(rmaId, 'approved', { comment: 'Looks fine to me' });

    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      status: 'approved',
      items: [{ qty_requested: 2, qty_authorized: 2, qty_approved: 2, status: 'approved' }],
      comments: [{ comment: 'Looks fine to me', status: 'approved', is_customer_notified: false }],
    });
    expect(again.body).toEqual(answer.body);
    expect(await statusLines(rmaId)).toEqual([{ old_value: 'pending', new_value: 'approved' }]);
  });

  test('a refused return is over: it is called rejected, and a repeat answers it unchanged', async () => {
    const { rmaId } = await requested();
    const refused = await put(rmaId, 'rejected', { comment: 'Worn' });

    expect(refused.body).toMatchObject({ status: 'rejected', status_label: 'Rejected' });
    expect(await put(rmaId, 'rejected')).toMatchObject({ status: 200, body: refused.body });
  });

  test('a move that is not in the table is refused, with the moves there are, and leaves no comment behind', async () => {
    const { rmaId } = await requested();

    const answer = await put(rmaId, 'closed', { comment: 'never mind' });

    expect(answer.status).toBe(400);
    expect(answer.body.message).toBe(
      'A return in status "%1" cannot be set to "%2" by hand; the verb "%4" does that. It can be set to: %3.',
    );
    expect(answer.body.parameters.slice(0, 2)).toEqual(['pending', 'closed']);
    expect((await put(rmaId, 'lost')).status).toBe(400);
    expect(await register.returnOf(rmaId)).toMatchObject({ status: 'pending', comments: [] });
  });
});

describe('receive', () => {
  test('goods of an approved return go where their condition sends them; receiving again is refused unless it is the same', async () => {
    const { rmaId, itemId } = await approved();
    const [floor, damaged] = [await shelf('MUG', 'floor'), await shelf('MUG', 'damaged')];
    const items = [{ rma_item_id: itemId, condition: 'Damaged', qty_received: 1, return_to_stock: true }];

    const answer = await receive(rmaId, items);
    const again = await receive(rmaId, items);
    const other = await receive(rmaId, [{ rma_item_id: itemId, condition: 'pristine' }]);

    expect(answer.body).toMatchObject({
      status: 'items_received',
      items: [{ qty_approved: 2, qty_returned: 1, condition: 'Damaged', status: 'items_received' }],
    });
    expect([await shelf('MUG', 'floor'), await shelf('MUG', 'damaged')]).toEqual([floor, damaged + 1]);
    expect(again.body).toEqual(answer.body);
    expect(other.status).toBe(400);

    const settled = await register.settle(rmaId, { method: 'cash' });
    expect(settled.body).toMatchObject({ status: 'closed', base_refund_total: 20 });
  });

  test('a return that is not approved, a strange line, place or condition are refused, and nothing moves', async () => {
    const { rmaId, itemId } = await requested();
    const floor = await shelf('MUG', 'floor');
    expect((await receive(rmaId, [{ rma_item_id: itemId }])).body.message).toMatch(/has to be approved/);
    await put(rmaId, 'approved');

    const answers = [
      await receive(rmaId, [{ rma_item_id: itemId + 1_000 }]),
      await receive(rmaId, [{ rma_item_id: itemId }, { rma_item_id: itemId }]),
      await receive(rmaId, [{ rma_item_id: itemId, condition: 'eaten' }]),
      await receive(rmaId, [{ rma_item_id: itemId, qty_received: -1 }]),
      await receive(rmaId, []),
      await receive(rmaId, [{ rma_item_id: itemId }], { locationId: 4_711 }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 404]);
    expect(await register.returnOf(rmaId)).toMatchObject({ status: 'approved' });
    expect(await shelf('MUG', 'floor')).toBe(floor);
  });

  test('the create’s choice about stock applies where the receive sends none', async () => {
    const sale = await register.sale('10.00', { method: 'checkmo' });
    const asked = await register.returnOne(sale, { autoApprove: false }, { return_to_stock: false });
    const { id: rmaId, items } = asked.body;
    await put(rmaId, 'approved');
    const floor = await shelf('MUG', 'floor');

    const answer = await receive(rmaId, [{ rma_item_id: items[0].entity_id, condition: 'Unopened' }]);

    expect(answer.body).toMatchObject({ status: 'items_received', items: [{ qty_returned: 1 }] });
    expect(await shelf('MUG', 'floor')).toBe(floor);
    expect((await receive(rmaId, [{ rma_item_id: items[0].entity_id, condition: 'Unopened' }])).body).toEqual(
      answer.body,
    );
  });

  test('eight receives at once take the goods in once', async () => {
    const { rmaId, itemId } = await approved();
    const floor = await shelf('MUG', 'floor');

    const answers = await eightAtOnce(() => receive(rmaId, [{ rma_item_id: itemId, condition: 'Unopened' }]));

    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    expect(await shelf('MUG', 'floor')).toBe(floor + 2);
  });
});

describe('cancel-refund', () => {
  test('a parked return goes back to received: goods stay, no memo, an audit line; asked again it is unchanged', async () => {
    const { rmaId, sale } = await parked();
    const floor = await shelf('MUG', 'floor');

    const answer = await post(rmaId, 'cancel-refund', { comment: 'Customer thinks it over' });
    const again = await post(rmaId, 'cancel-refund', { comment: 'Customer thinks it over' });

    expect(answer.body).toMatchObject({ status: 'received', refund_method: null, credit_memo_id: null });
    expect(answer.body.comments.map(({ comment }: { comment: string }) => comment)).toEqual([
      'The refund was cancelled; the goods stay.',
      'Customer thinks it over',
    ]);
    expect(again.body).toEqual(answer.body);
    expect(await statusLines(rmaId)).toEqual([{ old_value: 'awaiting_refund', new_value: 'received' }]);
    expect(await shelf('MUG', 'floor')).toBe(floor);
    expect(await register.memosOf(sale.orderId)).toEqual([]);

    expect((await register.settle(rmaId, { method: 'cash' })).body).toMatchObject({ status: 'closed' });
  });

  test('any other status is refused', async () => {
    const { rmaId } = await approved();
    const { rmaId: over } = await parked();
    await register.settle(over, { method: 'cash' });

    expect((await post(rmaId, 'cancel-refund')).body).toMatchObject({
      message: 'A return in status "%1" has no refund to cancel.',
      parameters: ['approved'],
    });
    expect((await post(over, 'cancel-refund')).body.parameters).toEqual(['closed']);
  });
});

describe('close', () => {
  test('what was restocked goes back out, once, without a memo; the goods may come back another day', async () => {
    const sale = await register.sale('10.00', { method: 'checkmo' });
    const floor = await shelf('MUG', 'floor');
    const { body } = await register.returnOne(sale, { refundMethod: 'cash' });
    expect(await shelf('MUG', 'floor')).toBe(floor + 1);

    const answers = await eightAtOnce(() => post(body.id, 'close', { comment: 'Kept it' }));

    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    expect(answers[0]?.body).toMatchObject({ status: 'closed', refund_method: null, credit_memo_id: null });
    expect(await shelf('MUG', 'floor')).toBe(floor);
    expect(await register.memosOf(sale.orderId)).toEqual([]);
    expect(await statusLines(body.id)).toEqual([{ old_value: 'awaiting_refund', new_value: 'closed' }]);
    const said = (await register.returnOf(body.id)).comments.map(({ comment }: { comment: string }) => comment);
    expect(said).toEqual(['Closed without a refund.', 'Kept it']);
    expect((await register.returnOne(sale, { refundMethod: 'cash' })).status).toBe(200);
  });

  test('a return whose goods never came is just closed', async () => {
    const { rmaId } = await requested();
    const floor = await shelf('MUG', 'floor');

    expect((await post(rmaId, 'close')).body).toMatchObject({ status: 'closed' });
    expect(await shelf('MUG', 'floor')).toBe(floor);
  });
});

test('while a refund is uncertain no verb moves the return, and no word of the register is kept', async () => {
  const { rmaId, attemptId } = await uncertain();
  const [item] = (await register.returnOf(rmaId)).items;
  const before = await register.returnOf(rmaId);

  const answers = [
    await post(rmaId, 'cancel-refund', { comment: 'stop' }),
    await post(rmaId, 'close', { comment: 'stop' }),
    await resolve(rmaId, [{ rma_item_id: item.entity_id, resolution_mode: 'refund', refund_method: 'cash' }]),
  ];

  for (const { status, body } of answers) {
    expect(status).toBe(409);
    expect(body.parameters).toMatchObject({ outcome: 'gateway_uncertain', refund_attempt_id: attemptId });
  }
  expect(await register.returnOf(rmaId)).toEqual(before);
});

test('after all of that the books balance', async () => {
  expect(await verify(fork())).toEqual([]);
});
