import { afterAll, beforeAll, expect, test } from 'vitest';
import { booksOf } from '../../support/books.ts';
import { aFlow, type Flow } from '../../support/flow.ts';
import { recordHistory } from '../../support/record-history.ts';
import { aRegister, type Register } from '../../support/register.ts';
import { eightAtOnce } from '../../support/rivals.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { setGatewayMode } from '../../support/gateway-mode.ts';

let flow: Flow;
let register: Register;
beforeAll(async () => {
  flow = await aFlow({ gatewayTimeoutSeconds: 2 });
  register = aRegister(flow);
  await control({ slow_ms: 100, silence_ms: 4_000 });
});
afterAll(() => flow.close());

const { shelf } = booksOf(() => flow.api.orm);

const control = (mode: object) => setGatewayMode(flow.gateway, mode);

const refunded = () => flow.gateway.ledger.refunds.filter(({ state }) => state === 'refunded');
const isClosed = (workflowId: string) => async () =>
  (await flow.client.workflow.getHandle(workflowId).describe()).status.name !== 'RUNNING';

test('a card return is approved, received, refunded and closed in one call, without a workflow', async () => {
  const sale = await register.sale('12.00');
  const before = refunded().length;

  const answer = await register.returnOne(sale, {
    refundMethod: 'original_payment',
    posSaleId: `sale-${sale.orderId}`,
  });

  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({
    status: 'closed',
    refund_method: 'original_payment',
    base_refund_total: 12,
    base_handback: 12,
    refund_attempt_state: 'booked',
    ready: true,
    reused: false,
  });
  expect(refunded().length - before).toBe(1);
  expect(await register.memosOf(sale.orderId)).toHaveLength(1);
  expect(await recordHistory(flow.client, `return-${answer.body.id}`, 'return-card-closed')).toBeLessThanOrEqual(14);
});

test('a cash return is parked, settled once, and answered unchanged ever after', async () => {
  const sale = await register.sale('10.00', { method: 'checkmo' });
  const parked = await register.returnOne(sale, { refundMethod: 'cash' });
  expect(parked.body).toMatchObject({ status: 'awaiting_refund', refund_method: 'cash', credit_memo_id: null });

  const settled = await register.settle(parked.body.id, { method: 'cash' });
  const again = await register.settle(parked.body.id, { method: 'terminal', reference: 'T-9' });

  expect(settled.body).toMatchObject({ status: 'closed', refund_method: 'cash', base_refund_total: 10 });
  expect(again.body).toEqual(settled.body);
  expect(await register.memosOf(sale.orderId)).toHaveLength(1);
  expect(await recordHistory(flow.client, `return-${parked.body.id}`, 'return-parked-cash')).toBeLessThanOrEqual(16);
});

test('eight settles at once book one memo', async () => {
  const sale = await register.sale('10.00', { method: 'checkmo' });
  const parked = await register.returnOne(sale, { refundMethod: 'cash' });

  const answers = await eightAtOnce(() => register.settle(parked.body.id, { method: 'cash' }));

  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
  expect(new Set(answers.map(({ body }) => body.credit_memo_id)).size).toBe(1);
  expect(await register.memosOf(sale.orderId)).toHaveLength(1);
});

test('eight creates with one sale id are one return and one refund', async () => {
  const sale = await register.sale('12.00');
  const before = refunded().length;

  const answers = await eightAtOnce(() =>
    register.returnOne(sale, { refundMethod: 'original_payment', posSaleId: `many-${sale.orderId}` }),
  );

  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  expect(answers.filter(({ body }) => body.reused === false)).toHaveLength(1);
  expect(refunded().length - before).toBe(1);
  expect(await register.memosOf(sale.orderId)).toHaveLength(1);
});

test('a declined refund leaves the return parked, tells why, and cash settles it', async () => {
  const sale = await register.sale('12.51');

  const declined = await register.returnOne(sale, { refundMethod: 'original_payment' });

  expect(declined.status).toBe(400);
  expect(declined.body.parameters).toMatchObject({ outcome: 'gateway_refused', refund_attempt_state: 'failed' });
  const rmaId: number = declined.body.parameters.return_id;
  expect(await register.returnOf(rmaId)).toMatchObject({ status: 'awaiting_refund', refund_attempt_state: 'failed' });
  expect(await register.memosOf(sale.orderId)).toHaveLength(0);

  expect((await register.settle(rmaId, { method: 'cash' })).body).toMatchObject({
    status: 'closed',
    refund_method: 'cash',
  });
});

/** Every row of the simulator's table whose truth can be found out while the cashier waits. */
test.each([
  ['12.52', 'declined, the answer lost', 'failed', 0],
  ['12.61', 'refunded, the answer lost', 'booked', 1],
  ['12.62', 'refunded, no answer in time', 'booked', 1],
  ['12.64', 'refunded, answered 500', 'booked', 1],
  ['12.65', 'refunded, answered garbage', 'booked', 1],
  ['12.71', 'in progress for a while, then yes', 'booked', 1],
  ['12.81', 'slow', 'booked', 1],
] as const)('a refund of %s (%s) is found out at once: %s', async (price, _what, state, memos) => {
  const sale = await register.sale(price);
  const before = refunded().length;

  const answer = await register.returnOne(sale, { refundMethod: 'original_payment' });

  const rmaId: number = answer.body.id ?? answer.body.parameters.return_id;
  expect(await register.returnOf(rmaId)).toMatchObject({
    status: memos === 1 ? 'closed' : 'awaiting_refund',
    refund_attempt_state: state,
  });
  expect(await register.memosOf(sale.orderId)).toHaveLength(memos);
  expect(refunded().length - before).toBe(memos);
  if (price === '12.61') await recordHistory(flow.client, `return-${rmaId}`, 'return-answer-lost-looked-up');
});

test('nobody can say: 409, nothing more is refunded, and an operator’s signal settles it with one memo', async () => {
  const sale = await register.sale('12.73');
  const before = refunded().length;

  const unsaid = await register.returnOne(sale, { refundMethod: 'original_payment' });
  expect(unsaid.status).toBe(409);
  const { return_id: rmaId, refund_attempt_id: attemptId } = unsaid.body.parameters;
  expect(unsaid.body.parameters).toEqual({
    outcome: 'gateway_uncertain',
    refund_attempt_id: attemptId,
    refund_attempt_state: 'uncertain',
    return_id: rmaId,
  });

  const again = await register.settle(rmaId, { method: 'cash' });
  expect(again).toMatchObject({ status: 409, body: { parameters: { outcome: 'gateway_uncertain' } } });
  expect(await register.memosOf(sale.orderId)).toHaveLength(0);

  const attempt = flow.client.workflow.getHandle(`refund-attempt-${attemptId}`);
  await attempt.signal('resolve', { resolution: 'maybe', staffName: 'Ada' });
  await attempt.signal('resolve', { resolution: 'refunded', staffName: 'Ada', note: 'on the statement' });

  expect(await attempt.result()).toBe('booked');
  expect(await register.returnOf(rmaId)).toMatchObject({ status: 'closed', refund_attempt_state: 'booked' });
  expect(await register.attempt(attemptId)).toMatchObject({ resolved_by: 'Ada', resolution_note: 'on the statement' });
  expect(await register.memosOf(sale.orderId)).toHaveLength(1);
  expect(refunded().length - before).toBe(1);
  await waitUntil('the return has ended', isClosed(`return-${rmaId}`));
  await recordHistory(flow.client, `refund-attempt-${attemptId}`, 'attempt-resolved-by-signal');
  await recordHistory(flow.client, `return-${rmaId}`, 'return-uncertain-idle');
});

test('the resolve route answers the attempt, and after “not refunded” the money can go back another way', async () => {
  const sale = await register.sale('12.73');
  const unsaid = await register.returnOne(sale, { refundMethod: 'original_payment' });
  const { return_id: rmaId, refund_attempt_id: attemptId } = unsaid.body.parameters;
  const path = `/V1/pos/rma/refund-attempts/${attemptId}`;

  const wrong = await register.call('POST', `${path}/resolve`, { resolution: 'perhaps', staffName: 'Ada', note: '' });
  expect(wrong.status).toBe(400);
  const unclear = await register.call('POST', `${path}/reconcile`);
  expect(unclear.body).toMatchObject({ state: 'uncertain' });
  const resolved = await register.call('POST', `${path}/resolve`, {
    resolution: 'not_refunded',
    staffName: 'Ada',
    note: 'not there',
  });
  expect(resolved.body).toMatchObject({ state: 'failed', resolved_by: 'Ada', resolution_note: 'not there' });

  const late = await register.call('POST', `${path}/resolve`, { resolution: 'refunded', staffName: 'Bob', note: '' });
  expect(late.body).toEqual(resolved.body);
  expect((await register.settle(rmaId, { method: 'cash' })).body).toMatchObject({ status: 'closed' });
  expect(await register.memosOf(sale.orderId)).toHaveLength(1);
  await recordHistory(flow.client, `refund-attempt-${attemptId}`, 'attempt-resolved-by-update');
});

test('a gateway that first says no and then yes is not believed too early', async () => {
  const sale = await register.sale('12.72');
  const unsaid = await register.returnOne(sale, { refundMethod: 'original_payment' });
  expect(unsaid.body.parameters).toMatchObject({ outcome: 'gateway_uncertain' });

  const attemptId: number = unsaid.body.parameters.refund_attempt_id;
  const reconciled = await register.call('POST', `/V1/pos/rma/refund-attempts/${attemptId}/reconcile`);

  expect(reconciled.body).toMatchObject({ state: 'booked' });
  expect(await register.memosOf(sale.orderId)).toHaveLength(1);
  await recordHistory(flow.client, `refund-attempt-${attemptId}`, 'attempt-reconciled');
});

test('goods go where their condition sends them', async () => {
  const sale = await register.sale('10.00', { method: 'checkmo', lines: [{ sku: 'MUG', qty: 3, price: '10.00' }] });
  const [floor, damaged] = [await shelf('MUG', 'floor'), await shelf('MUG', 'damaged')];

  for (const inspected_condition of ['pristine', 'damaged', 'dispose']) {
    expect((await register.returnOne(sale, { refundMethod: 'cash' }, { inspected_condition })).status).toBe(200);
  }

  expect([await shelf('MUG', 'floor'), await shelf('MUG', 'damaged')]).toEqual([floor + 1, damaged + 1]);
});

test('more than is left to return is refused, and nothing is written', async () => {
  const sale = await register.sale('10.00', { method: 'checkmo' });

  const answer = await register.returnOne(sale, {}, { qty_requested: 3 });

  expect(answer.status).toBe(400);
  expect(answer.body.parameters).toEqual({
    outcome: 'return_not_eligible',
    reason_code: 'quantity',
    period_days: 0,
    order_item_id: sale.itemId,
  });
  expect((await register.call('GET', `/V1/pos/rma/order/${sale.orderId}`)).body).toEqual([]);
});
