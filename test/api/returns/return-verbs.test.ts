import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { verify } from '../../../books/verify/verify.ts';
import { aFlow, type Flow } from '../../support/flow.ts';
import { recordHistory } from '../../support/record-history.ts';
import { aRegister, type Register } from '../../support/register.ts';
import { waitUntil } from '../../support/wait-until.ts';

/** The verbs a shop works a return with, over HTTP; where a gateway has to be waited for, through the workflow. */
let flow: Flow;
let register: Register;
beforeAll(async () => {
  flow = await aFlow({ gatewayTimeoutSeconds: 2 });
  register = aRegister(flow);
  await fetch(`${flow.gateway.url}/control/mode`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ slow_ms: 100, silence_ms: 4_000 }),
  });
});
afterAll(() => flow.close());

const rows = (sql: string, ...parameters: unknown[]) =>
  flow.api.orm.em.fork().execute<Record<string, unknown>[]>(sql, parameters);
const onShelf = async (source: string) => {
  const [row] = await rows(`select quantity from inventory_source_item where sku = 'MUG' and source_code = ?`, source);
  return Number(row?.['quantity'] ?? 0);
};
const statusLines = (rmaId: number) =>
  rows(
    `select old_value, new_value from pos_audit_log where entity_type = 'return' and entity_id = ? order by log_id`,
    String(rmaId),
  );
const isOver = (workflowId: string) => async () =>
  (await flow.client.workflow.getHandle(workflowId).describe()).status.name !== 'RUNNING';
const record = async (rmaId: number, name: string) => {
  await waitUntil('the workflow has ended', isOver(`return-${rmaId}`));
  await recordHistory(flow.client, `return-${rmaId}`, name);
};

const put = (rmaId: number, status: string, more: object = {}) =>
  register.call('PUT', `/V1/pos/rma/${rmaId}/status`, { status, ...more });
const post = (rmaId: number, verb: string, body: object = {}) =>
  register.call('POST', `/V1/pos/rma/${rmaId}/${verb}`, body);
const receive = (rmaId: number, items: object[], more: object = {}) =>
  post(rmaId, 'receive', { itemsJson: JSON.stringify(items), locationId: flow.shop.locationId, ...more });
const resolve = (rmaId: number, resolutions: object[]) =>
  post(rmaId, 'resolve', { resolutionsJson: JSON.stringify(resolutions) });

/** A return somebody asked for, of two mugs, waiting for the shop. */
async function requested(price = '10.00', order: object = { method: 'checkmo' }) {
  const sale = await register.sale(price, order);
  const { body } = await register.returnOne(sale, { autoApprove: false }, { qty_requested: 2 });
  return { sale, rmaId: body.id as number, itemId: body.items[0].entity_id as number };
}

async function approved(price?: string, order?: object) {
  const asked = await requested(price, order);
  expect((await put(asked.rmaId, 'approved')).body).toMatchObject({ status: 'approved' });
  return asked;
}

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

  test('a refused return is over: every verb answers it unchanged, without a workflow', async () => {
    const { rmaId, itemId } = await requested();
    const refused = await put(rmaId, 'rejected', { comment: 'Worn' });

    const answers = [
      await put(rmaId, 'rejected'),
      await post(rmaId, 'close'),
      await receive(rmaId, [{ rma_item_id: itemId }]),
      await resolve(rmaId, [{ rma_item_id: itemId, resolution_mode: 'repair' }]),
      await register.settle(rmaId, { method: 'cash' }),
    ];

    expect(refused.body).toMatchObject({ status: 'rejected', status_label: 'Rejected' });
    expect(answers.map(({ status, body }) => ({ status, body }))).toEqual(
      answers.map(() => ({ status: 200, body: refused.body })),
    );
    expect((await post(rmaId, 'cancel-refund')).status).toBe(400);
    expect((await put(rmaId, 'approved')).status).toBe(400);
  });

  test('a move that is not in the table is refused, with the moves there are, and leaves no note behind', async () => {
    const { rmaId } = await requested();

    const answer = await put(rmaId, 'closed', { comment: 'never mind' });

    expect(answer.status).toBe(400);
    expect(answer.body.message).toBe(
      'A return in status "%1" cannot be set to "%2" by hand; the verb "%4" does that. It can be set to: %3.',
    );
    expect(answer.body.parameters.slice(0, 2)).toEqual(['pending', 'closed']);
    expect((await put(rmaId, 'lost')).status).toBe(400);
    expect(await rows('select 1 from sale_return_note')).toEqual([]);
    expect((await put(999_999_999, 'approved')).status).toBe(404);
  });
});

describe('receive', () => {
  test('goods of an approved return go where their condition sends them; receiving again is refused unless it is the same', async () => {
    const { rmaId, itemId } = await approved();
    const [floor, damaged] = [await onShelf('floor'), await onShelf('damaged')];
    const items = [{ rma_item_id: itemId, condition: 'Damaged', qty_received: 1, return_to_stock: true }];

    const answer = await receive(rmaId, items);
    const again = await receive(rmaId, items);
    const other = await receive(rmaId, [{ rma_item_id: itemId, condition: 'pristine' }]);

    expect(answer.body).toMatchObject({
      status: 'items_received',
      items: [{ qty_approved: 2, qty_returned: 1, condition: 'Damaged', status: 'items_received' }],
    });
    expect([await onShelf('floor'), await onShelf('damaged')]).toEqual([floor, damaged + 1]);
    expect(again.body).toEqual(answer.body);
    expect(other.status).toBe(400);

    const settled = await register.settle(rmaId, { method: 'cash' });
    expect(settled.body).toMatchObject({ status: 'closed', base_refund_total: 20 });
  });

  test('a return that is not approved, a strange line, place or condition are refused, and nothing moves', async () => {
    const { rmaId, itemId } = await requested();
    const floor = await onShelf('floor');
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
    expect(await onShelf('floor')).toBe(floor);
  });

  test('the create’s choice about stock applies where the receive sends none', async () => {
    const sale = await register.sale('10.00', { method: 'checkmo' });
    const asked = await register.returnOne(sale, { autoApprove: false }, { return_to_stock: false });
    const { id: rmaId, items } = asked.body;
    await put(rmaId, 'approved');
    const floor = await onShelf('floor');

    const answer = await receive(rmaId, [{ rma_item_id: items[0].entity_id, condition: 'Unopened' }]);

    expect(answer.body).toMatchObject({ status: 'items_received', items: [{ qty_returned: 1 }] });
    expect(await onShelf('floor')).toBe(floor);
    expect((await receive(rmaId, [{ rma_item_id: items[0].entity_id, condition: 'Unopened' }])).body).toEqual(
      answer.body,
    );
  });

  test('eight receives at once take the goods in once', async () => {
    const { rmaId, itemId } = await approved();
    const floor = await onShelf('floor');

    const answers = await Promise.all(
      Array.from({ length: 8 }, () => receive(rmaId, [{ rma_item_id: itemId, condition: 'Unopened' }])),
    );

    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    expect(await onShelf('floor')).toBe(floor + 2);
  });
});

describe('resolve', () => {
  const received = async (price?: string, order?: object) => {
    const asked = await approved(price, order);
    await receive(asked.rmaId, [{ rma_item_id: asked.itemId, condition: 'pristine' }]);
    return asked;
  };

  test('repair and dispose resolve a return and move no money', async () => {
    const { rmaId, itemId, sale } = await received();

    const answer = await resolve(rmaId, [{ rma_item_id: itemId, resolution_mode: 'repair' }]);

    expect(answer.body).toMatchObject({
      status: 'resolved',
      refund_method: null,
      credit_memo_id: null,
      items: [{ resolution: 'Repair', status: 'resolved' }],
      comments: [{ comment: 'Resolved: MUG Repair, no money moves.' }],
    });
    expect(await register.memosOf(sale.orderId)).toEqual([]);
  });

  test('a refund in cash is booked in the same step, once', async () => {
    const { rmaId, itemId, sale } = await received();
    const resolutions = [{ rma_item_id: itemId, resolution_mode: 'refund', refund_method: 'cash' }];

    const answers = await Promise.all(Array.from({ length: 8 }, () => resolve(rmaId, resolutions)));

    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    expect(answers[0]?.body).toMatchObject({ status: 'resolved', refund_method: 'cash', base_refund_total: 20 });
    expect(await register.memosOf(sale.orderId)).toHaveLength(1);
  });

  test('a refund through the gateway resolves the return when it is booked', async () => {
    const { rmaId, itemId, sale } = await received('12.00', {});

    const answer = await resolve(rmaId, [
      { rma_item_id: itemId, resolution_mode: 'refund', refund_method: 'original_payment' },
    ]);

    expect(answer.body).toMatchObject({
      status: 'resolved',
      refund_method: 'original_payment',
      refund_attempt_state: 'booked',
    });
    expect(await register.memosOf(sale.orderId)).toHaveLength(1);
    await waitUntil('the workflow has ended', isOver(`return-${rmaId}`));
    expect(await flow.client.workflow.getHandle(`return-${rmaId}`).result()).toBe('resolved');
    await record(rmaId, 'return-resolved-card');
  });

  test('a gateway that refuses leaves the return parked with its resolutions; settled in cash it is resolved', async () => {
    const { rmaId, itemId, sale } = await received('12.26', {});

    const refused = await resolve(rmaId, [
      { rma_item_id: itemId, resolution_mode: 'refund', refund_method: 'original_payment' },
    ]);

    expect(refused.status).toBe(400);
    expect(refused.body.parameters).toMatchObject({ outcome: 'gateway_refused', refund_attempt_state: 'failed' });
    expect(await register.returnOf(rmaId)).toMatchObject({ status: 'awaiting_refund' });
    expect((await register.settle(rmaId, { method: 'cash' })).body).toMatchObject({ status: 'resolved' });
    expect(await register.memosOf(sale.orderId)).toHaveLength(1);
    await record(rmaId, 'return-resolve-declined-idle');
  });

  test('of two lines, one refunded and one repaired: the memo has the refunded one only, and neither comes back again', async () => {
    const sale = await register.sale('10.00', {
      method: 'checkmo',
      lines: [
        { sku: 'MUG', qty: 1, price: '10.00' },
        { sku: 'PLATE', qty: 1, price: '7.00' },
      ],
    });
    const items = await rows(
      'select item_id, sku from sales_order_item where order_id = ? order by item_id',
      sale.orderId,
    );
    const wanted = items.map(({ item_id }) => ({ order_item_id: item_id, qty_requested: 1 }));
    const body = { orderId: sale.orderId, items: JSON.stringify(wanted), autoApprove: true };
    const rma = await register.call('POST', '/V1/pos/rma', { ...body, locationId: flow.shop.locationId });
    const [mug, plate] = rma.body.items;

    const answer = await resolve(rma.body.id, [
      { rma_item_id: mug.entity_id, resolution_mode: 'store_credit', refund_method: 'store_credit' },
      { rma_item_id: plate.entity_id, resolution_mode: 'repair', refund_method: '' },
    ]);
    const again = await register.call('POST', '/V1/pos/rma', { ...body, locationId: flow.shop.locationId });

    expect(answer.body).toMatchObject({ status: 'resolved', refund_method: 'store_credit', base_refund_total: 10 });
    expect(again.body.parameters).toMatchObject({ outcome: 'return_not_eligible' });
  });

  test('a line without a resolution, two ways of refunding, money for a repair: refused, and nothing is written', async () => {
    const { rmaId, itemId } = await received();

    const answers = [
      await resolve(rmaId, []),
      await resolve(rmaId, [{ rma_item_id: itemId + 1_000, resolution_mode: 'repair' }]),
      await resolve(rmaId, [{ rma_item_id: itemId, resolution_mode: 'repair', refund_method: 'cash' }]),
      await resolve(rmaId, [{ rma_item_id: itemId, resolution_mode: 'burn' }]),
    ];

    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
    expect(await register.returnOf(rmaId)).toMatchObject({ status: 'items_received', comments: [] });
  });

  test('money does not go back before the goods are in', async () => {
    const { rmaId, itemId, sale } = await approved();

    const answer = await resolve(rmaId, [{ rma_item_id: itemId, resolution_mode: 'refund', refund_method: 'cash' }]);

    expect(answer.status).toBe(400);
    expect(await register.returnOf(rmaId)).toMatchObject({ status: 'approved', items: [{ resolution: 'Refund' }] });
    expect(await register.memosOf(sale.orderId)).toEqual([]);
  });
});

describe('cancel-refund', () => {
  test('a parked return goes back to received: goods stay, no memo, an audit line; asked again it is unchanged', async () => {
    const { rmaId, sale } = await parked();
    const floor = await onShelf('floor');

    const answer = await post(rmaId, 'cancel-refund', { comment: 'Customer thinks it over' });
    const again = await post(rmaId, 'cancel-refund', { comment: 'Customer thinks it over' });

    expect(answer.body).toMatchObject({ status: 'received', refund_method: null, credit_memo_id: null });
    expect(answer.body.comments.map(({ comment }: { comment: string }) => comment)).toEqual([
      'The refund was cancelled; the goods stay.',
      'Customer thinks it over',
    ]);
    expect(again.body).toEqual(answer.body);
    expect(await statusLines(rmaId)).toEqual([{ old_value: 'awaiting_refund', new_value: 'received' }]);
    expect(await onShelf('floor')).toBe(floor);
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
    const floor = await onShelf('floor');
    const { body } = await register.returnOne(sale, { refundMethod: 'cash' });
    expect(await onShelf('floor')).toBe(floor + 1);

    const answers = await Promise.all(Array.from({ length: 8 }, () => post(body.id, 'close', { comment: 'Kept it' })));

    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    expect(answers[0]?.body).toMatchObject({ status: 'closed', refund_method: null, credit_memo_id: null });
    expect(await onShelf('floor')).toBe(floor);
    expect(await register.memosOf(sale.orderId)).toEqual([]);
    expect(await statusLines(body.id)).toEqual([{ old_value: 'awaiting_refund', new_value: 'closed' }]);
    const said = (await register.returnOf(body.id)).comments.map(({ comment }: { comment: string }) => comment);
    expect(said).toEqual(['Closed without a refund.', 'Kept it']);
    expect((await register.returnOne(sale, { refundMethod: 'cash' })).status).toBe(200);
  });

  test('a return whose goods never came is just closed', async () => {
    const { rmaId } = await requested();
    const floor = await onShelf('floor');

    expect((await post(rmaId, 'close')).body).toMatchObject({ status: 'closed' });
    expect(await onShelf('floor')).toBe(floor);
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
  expect(await rows('select 1 from sale_return_note')).toEqual([]);
});

test('after all of that the books balance', async () => {
  expect(await verify(flow.api.orm.em.fork())).toEqual([]);
});
