import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { freePort } from '../../../local/free-port.ts';
import { findServer } from '../../../local/temporal/find-server.ts';
import { startTemporal } from '../../../local/temporal/start-server.ts';
import { returnDetails } from '../../../workflows/returns.ts';
import { booksOf } from '../../support/books.ts';
import { aHalfMadeReturn, finishReturn } from '../../support/builders/half-made-return.ts';
import { aFlow, type Flow } from '../../support/flow.ts';
import { setGatewayMode } from '../../support/gateway-mode.ts';
import { lookNow } from '../../support/housekeeping.ts';
import { aWorkerProcess } from '../../support/own-process.ts';
import { recordHistory } from '../../support/record-history.ts';
import { aRegister, type Register } from '../../support/register.ts';
import { patiently } from '../../support/patiently.ts';
import { eightAtOnce } from '../../support/rivals.ts';
import { waitUntil } from '../../support/wait-until.ts';

describe('crashes', () => {
  let flow: Flow;
  let register: Register;
  let workers: { kill(): Promise<void> }[] = [];

  const { find, stallWrites, stalledWrites } = booksOf(() => flow.api.orm);

  const worker = async () => {
    const started = await aWorkerProcess(flow);
    workers.push(started);
    return started;
  };

  async function open(options: Parameters<typeof aFlow>[0] = {}): Promise<void> {
    flow = await aFlow({ startsWorker: false, ...options });
    register = aRegister(flow);
    await control({ slow_ms: 2_500, silence_ms: 20_000 });
  }

  beforeEach(() => {
    workers = [];
  });
  afterEach(async () => {
    await Promise.all(workers.map((one) => one.kill()));
    await flow.close();
  });

  const control = (mode: object) => setGatewayMode(flow.gateway, mode);

  const refunded = () => flow.gateway.ledger.refunds.filter(({ state }) => state === 'refunded').length;
  const attempts = () => find('refund_attempt', {}, 'attempt_id', 'state', 'return_id', 'call_started_at');

  test('a worker killed after the gateway refunded and before the memo loses nothing and refunds nothing twice', async () => {
    await open();
    const first = await worker();
    const sale = await register.sale('12.81');

    const rmaId = await aHalfMadeReturn(flow, sale);
    const answer = finishReturn(flow, rmaId);
    await waitUntil('the gateway has refunded', async () => refunded() === 1);
    await first.kill();
    await worker();

    expect(await answer).toEqual({ status: 'closed' });
    expect(await register.returnOf(rmaId)).toMatchObject({ status: 'closed', refund_attempt_state: 'booked' });
    expect(await register.memosOf(sale.orderId)).toHaveLength(1);
    expect(refunded()).toBe(1);
  });

  test('a worker killed before it claimed the call: provably nothing was sent, and the next worker finishes the return', async () => {
    await open();
    const isClaim = 'old.call_started_at is null and new.call_started_at is not null';
    const goOn = await stallWrites({ on: 'change', to: 'refund_attempt', when: isClaim });
    const first = await worker();
    const sale = await register.sale('12.00');

    const rmaId = await aHalfMadeReturn(flow, sale);
    const answer = finishReturn(flow, rmaId);
    await waitUntil('the claim is under way', async () => (await stalledWrites()) === 1);
    await first.kill();
    await goOn();
    expect((await attempts())[0]).toMatchObject({ state: 'started', call_started_at: null });
    await worker();

    await answer;
    const again = await register.settle(rmaId, { method: 'original_payment' });
    expect(again.body).toMatchObject({ status: 'closed', refund_attempt_state: 'booked' });
    expect((await attempts()).map(({ state }) => state)).toEqual(['failed', 'booked']);
    expect(await register.memosOf(sale.orderId)).toHaveLength(1);
    expect(refunded()).toBe(1);
  });

  test('a workflow terminated while the gateway works is rebuilt by the next settle, with one memo', async () => {
    await open();
    await worker();
    const sale = await register.sale('12.81');
    const rmaId = await aHalfMadeReturn(flow, sale);
    const answer = finishReturn(flow, rmaId).catch(() => 'ended');
    await waitUntil('the gateway has refunded', async () => refunded() === 1);
    await flow.client.workflow.getHandle(`return-${rmaId}`).terminate('an operator was in a hurry');

    const settled = await register.settle(rmaId, { method: 'original_payment' });

    expect(settled.body).toMatchObject({ status: 'closed', refund_attempt_state: 'booked' });
    expect(await answer).toBe('ended');
    expect(await register.memosOf(sale.orderId)).toHaveLength(1);
    expect(refunded()).toBe(1);
  });

  test('the Temporal server stopped and started during a settle: the settle goes on, reads never stopped', async () => {
    const found = await findServer({ environment: process.env, say: () => undefined });
    if (!('binary' in found)) return;
    const place = {
      binary: found.binary,
      port: await freePort(),
      dataFile: join(mkdtempSync(join(tmpdir(), 'pos-temporal-')), 'dev.db'),
    };
    let temporal = await startTemporal(place);
    try {
      await open({ temporalAddress: temporal.address });
      await worker();
      const sale = await register.sale('12.81');
      const rmaId = await aHalfMadeReturn(flow, sale);
      const answer = finishReturn(flow, rmaId).catch(() => 'lost');
      await waitUntil('the gateway has refunded', async () => refunded() === 1);

      process.kill(temporal.pid, 'SIGKILL');
      await temporal.ended;
      expect((await register.call('GET', `/V1/pos/rma/${rmaId}`)).status).toBe(200);
      temporal = await startTemporal(place);
      await answer;

      const settled = await register.settle(rmaId, { method: 'original_payment' });
      expect(settled.body).toMatchObject({ status: 'closed', refund_attempt_state: 'booked' });
      expect(await register.memosOf(sale.orderId)).toHaveLength(1);
      expect(refunded()).toBe(1);
    } finally {
      await Promise.all(workers.map((one) => one.kill()));
      workers = [];
      await temporal.stop();
    }
  });

  test('a return left half-made by a crash is found by the sweep and finished', async () => {
    await open();
    const sale = await register.sale('12.00');
    const rmaId = await aHalfMadeReturn(flow, sale);
    await worker();

    await lookNow(flow);

    await waitUntil('the return is closed', async () => (await register.returnOf(rmaId)).status === 'closed');
    expect(refunded()).toBe(1);
  });

  test('an uncertain refund is asked about unasked, and “not refunded” frees the return once it is surely over', async () => {
    await open({ startsWorker: true, gatewayTimeoutSeconds: 1, reconcileAfterSeconds: 7 });
    await control({ silence_ms: 3_000 });
    const sale = await register.sale('12.63');

    const unsaid = await register.returnOne(sale, { refundMethod: 'original_payment' });
    expect(unsaid.body.parameters).toMatchObject({ outcome: 'gateway_uncertain' });
    const { refund_attempt_id: attemptId, return_id: rmaId } = unsaid.body.parameters;

    expect(await flow.client.workflow.getHandle(`refund-attempt-${attemptId}`).result()).toBe('failed');
    await recordHistory(flow.client, `refund-attempt-${attemptId}`, 'attempt-asked-unasked');
    expect(await register.returnOf(rmaId)).toMatchObject({ status: 'awaiting_refund', refund_attempt_state: 'failed' });
    expect(refunded()).toBe(0);
  });
});

describe('lives', () => {
  /** Whole lives of returns, verb by verb: each is one task of the workflow, and its history one of each branch. */
  let flow: Flow;
  let register: Register;
  beforeAll(async () => {
    flow = await aFlow({ gatewayTimeoutSeconds: 2 });
    register = aRegister(flow);
  });
  afterAll(() => flow.close());

  const verb = async (rmaId: number, path: string, body: object, method = 'POST') => {
    const answer = await register.call(method, `/V1/pos/rma/${rmaId}/${path}`, body);
    expect(answer.status).toBe(200);
    return answer.body;
  };

  async function pending(price = '12.00', method = 'checkmo') {
    const sale = await register.sale(price, { method });
    const { body } = await register.returnOne(sale, { autoApprove: false });
    return { id: Number(body.id), line: Number(body.items[0].entity_id) };
  }

  const approve = (id: number) => verb(id, 'status', { status: 'approved' }, 'PUT');
  const receive = ({ id, line }: { id: number; line: number }) =>
    verb(id, 'receive', {
      locationId: flow.shop.locationId,
      itemsJson: JSON.stringify([{ rma_item_id: line, condition: 'Unopened' }]),
    });

  /** The run has ended; its history has so many events. */
  async function recorded(id: number, name: string) {
    const handle = flow.client.workflow.getHandle(`return-${id}`);
    await waitUntil('the workflow has ended', async () => (await handle.describe()).status.name === 'COMPLETED');
    return recordHistory(flow.client, `return-${id}`, name);
  }

  test('a return by steps is open in the list from its row to its end, in at most 30 events', async () => {
    const rma = await pending();
    const handle = flow.client.workflow.getHandle(`return-${rma.id}`);
    expect((await handle.describe()).status.name).toBe('RUNNING');
    await approve(rma.id);
    await receive(rma);
    const settled = await verb(rma.id, 'settle', { method: 'cash' });
    expect(settled).toMatchObject({ status: 'closed', refund_method: 'cash', base_refund_total: 12 });
    expect(await recorded(rma.id, 'return-by-steps')).toBeLessThanOrEqual(30);
  });

  test('a return of which every line is repaired ends as resolved, and no money moves', async () => {
    const rma = await pending();
    await approve(rma.id);
    await receive(rma);
    const resolutionsJson = JSON.stringify([{ rma_item_id: rma.line, resolution_mode: 'repair' }]);
    expect(await verb(rma.id, 'resolve', { resolutionsJson })).toMatchObject({
      status: 'resolved',
      credit_memo_id: null,
    });
    await recorded(rma.id, 'return-resolved-repair');
  });

  test('a line that is refunded to its card by a resolution ends the return as resolved', async () => {
    const rma = await pending('12.00', 'provider_a');
    await approve(rma.id);
    await receive(rma);
    const decided = { rma_item_id: rma.line, resolution_mode: 'refund', refund_method: 'original_payment' };
    const body = await verb(rma.id, 'resolve', { resolutionsJson: JSON.stringify([decided]) });
    expect(body).toMatchObject({ status: 'resolved', refund_attempt_state: 'booked' });
    await recorded(rma.id, 'return-resolved-card');
  });

  test('a declined card leaves the return parked and its workflow open; cash ends both', async () => {
    const sale = await register.sale('12.51');
    const created = await register.returnOne(sale, { refundMethod: 'original_payment' });
    expect(created).toMatchObject({ status: 400, body: { parameters: { outcome: 'gateway_refused' } } });
    const id = Number(created.body.parameters.return_id);
    expect((await flow.client.workflow.getHandle(`return-${id}`).describe()).status.name).toBe('RUNNING');
    expect(await verb(id, 'settle', { method: 'cash' })).toMatchObject({ status: 'closed' });
    await recorded(id, 'return-declined-then-cash');
  });

  test('a refund that is cancelled leaves the goods, and the return is settled later', async () => {
    const sale = await register.sale('12.00', { method: 'checkmo' });
    const parked = await register.returnOne(sale, { refundMethod: 'cash' });
    const id = Number(parked.body.id);
    expect(await verb(id, 'cancel-refund', { comment: 'The customer thinks it over.' })).toMatchObject({
      status: 'received',
      refund_method: null,
    });
    expect(await verb(id, 'settle', { method: 'store_credit' })).toMatchObject({ status: 'closed' });
    await recorded(id, 'return-cancelled-then-settled');
  });

  test('a return that is closed without a refund, and one that is refused, end at once', async () => {
    const [closed, refused] = [await pending(), await pending()];
    expect(await verb(closed.id, 'close', { comment: 'Taken home again.' })).toMatchObject({ status: 'closed' });
    await verb(refused.id, 'status', { status: 'rejected' }, 'PUT');
    await recorded(closed.id, 'return-closed-without-refund');
    await recorded(refused.id, 'return-rejected');
  });

  test('a run with a long history goes on as a new one, and is found as before', async () => {
    const rma = await pending();
    const handle = flow.client.workflow.getHandle(`return-${rma.id}`);
    const first = await handle.describe();
    const tooMany = 50;
    for (let at = 0; at < tooMany; at++) await handle.signal('refresh');
    // The length of a history is known at the next task.
    const isAnew = async () => {
      await flow.client.workflow.getHandle(`return-${rma.id}`).signal('refresh');
      return (await flow.client.workflow.getHandle(`return-${rma.id}`).describe()).runId !== first.runId;
    };
    await waitUntil('a new run goes on', isAnew);

    const now = await flow.client.workflow.getHandle(`return-${rma.id}`).describe();
    const { currentDetails } = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
    expect(currentDetails).toContain('Waits for the shop to approve it or to refuse it.');
    expect(now.searchAttributes).toMatchObject({ PosReturnId: [rma.id], PosStatus: ['pending'] });
    await approve(rma.id);
    await receive(rma);
    expect(await verb(rma.id, 'settle', { method: 'cash' })).toMatchObject({ status: 'closed' });
    await recorded(rma.id, 'return-continued');
  });

  test('a request to cancel the run is no end of an open return', async () => {
    const rma = await pending();
    await flow.client.workflow.getHandle(`return-${rma.id}`).cancel();
    await approve(rma.id);
    expect(await verb(rma.id, 'close', {})).toMatchObject({ status: 'closed' });
    await recorded(rma.id, 'return-asked-to-cancel');
  });

  test('a refused creation leaves no return, and its run ends with the sentence', async () => {
    const sale = await register.sale('12.00', { method: 'checkmo' });
    const answer = await register.returnOne(sale, {}, { target_source_code: 'nowhere' });
    expect(answer).toMatchObject({
      status: 400,
      body: { message: 'Invalid value of "%value" provided for the %fieldName field.' },
    });
    expect((await register.call('GET', `/V1/pos/rma/order/${sale.orderId}`)).body).toEqual([]);
  });
});

describe('return details', () => {
  type Shown = Parameters<typeof returnDetails>[0];

  const aSnapshot = (wanted: Partial<Shown>): Shown => ({
    returnId: 42,
    incrementId: '000000042',
    orderId: 9,
    orderIncrementId: '000000009',
    status: 'pending',
    isReady: true,
    refundMethod: null,
    attemptId: null,
    amount: null,
    ...wanted,
  });

  const quiet = { status: 'pending', attemptId: null, lastRefusal: null, lastAskedBy: null };

  test('a return whose creation is refused each time is not said to go on by itself: its reason and the way out are', () => {
    const details = returnDetails(aSnapshot({ isReady: false }), quiet);

    expect(details).toMatch(
      /If its history says why it is held, fix that, or close it: `POST \/V1\/pos\/rma\/42\/close`/,
    );
    expect(details).not.toContain('by itself');
  });

  test('a parked return says how much it waits to give back and how, and who asked last', () => {
    const parked = aSnapshot({ status: 'awaiting_refund', refundMethod: 'cash', amount: '54.00 USD' });

    const details = returnDetails(parked, { ...quiet, lastAskedBy: 'Front register' });

    expect(details).toContain('- 54.00 USD is to go back by `cash`, before goodwill and fees.');
    expect(details).toContain('Last asked by: Front register');
  });

  test('a return that is over says no amount: nothing more goes back', () => {
    const over = aSnapshot({ status: 'closed', refundMethod: 'cash', amount: '54.00 USD' });

    expect(returnDetails(over, quiet)).not.toContain('54.00');
  });

  test('a return with an undecided refund names its attempt, and where to resolve it', () => {
    const details = returnDetails(aSnapshot({ status: 'awaiting_refund', attemptId: 7 }), quiet);

    expect(details).toContain('`refund-attempt-7`');
  });
});

describe('return flow', () => {
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

    const answers = await eightAtOnce(() => patiently(() => register.settle(parked.body.id, { method: 'cash' })));

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
    expect(await register.attempt(attemptId)).toMatchObject({
      resolved_by: 'Ada',
      resolution_note: 'on the statement',
    });
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
});
