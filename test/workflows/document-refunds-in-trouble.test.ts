import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { NativeConnection, Worker } from '@temporalio/worker';
import { verify } from '../../books/verify/verify.ts';
import { readGatewayLedger } from '../../cli/verify-books.ts';
import { findLimbo } from '../../db/refunds/find-limbo.ts';
import { openDocumentRefund } from '../../db/refunds/document-refunds.ts';
import { claimRefundCall } from '../../db/refunds/refund-intent.ts';
import { readReturned } from '../../db/returns/read-returned.ts';
import { zero, pieces } from '../../domain/money.ts';
import { type CreditSimulator, startCreditSimulator } from '../../local/simulators/app.ts';
import { documentRefundId } from '../../workflows/refunds/messages.ts';
import { booksOf } from '../support/books.ts';
import { waiting, whileHeld } from '../support/books/held.ts';
import { secretKey } from '../support/builders/counter.ts';
import { aCustomerWithCredit } from '../support/builders/credit.ts';
import { aFlow, type Flow } from '../support/flow.ts';
import { setGatewayMode } from '../support/gateway-mode.ts';
import { lookNow } from '../support/housekeeping.ts';
import { inMinutes, minutesAgo } from '../support/moments.ts';
import { anApiProcess, aWorkerProcess } from '../support/own-process.ts';
import { recordHistory } from '../support/record-history.ts';
import { atOnce } from '../support/rivals.ts';
import { waitUntil } from '../support/wait-until.ts';
import { aDocumentDesk, type DocumentDesk, type Sale } from './a-document-desk.ts';
import { anOutsideCredit, type OutsideCredit } from './an-outside-credit.ts';

describe('credit refunds in trouble', () => {
  /** What a refund to credit of a provider outside does while something that it needs is gone, or ends it. */
  let flow: Flow;
  let outside: CreditSimulator;
  let desk: OutsideCredit;
  const stops: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    outside = await startCreditSimulator();
    flow = await aFlow({
      settings: { CREDIT_SERVICE_URL: outside.url, POS_SECRET_KEY: secretKey },
      startsWorker: false,
    });
    desk = anOutsideCredit(flow);
  });
  beforeEach(() => {
    outside.mood = 'answers';
    outside.balances.set('OUT-1', 0);
  });
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop();
  });
  afterAll(async () => {
    await flow.close();
    await outside.stop();
  });

  const books = booksOf(() => flow.api.orm);
  const { change, configure, creditRefundsOf, fork } = books;
  const refundsOf = (orderId: number) => creditRefundsOf(orderId, 'state', 'amount');
  /** The flow's own worker, from the first test on that needs it. */
  let running: ReturnType<Flow['startWorker']> | undefined;
  const worker = () => (running ??= flow.startWorker());

  test('without a worker, with an older one, or over a locked order nothing is reserved, now or later', async () => {
    const [alone, beside, locked] = [await desk.aSale(), await desk.aSale(), await desk.aSale()];
    const tooLate = { success: false, error_message: expect.stringContaining('nothing was done') };
    const connection = await NativeConnection.connect({ address: flow.temporalAddress });
    expect(await desk.refund(desk.asked(alone), 'alone')).toMatchObject(tooLate);
    const older = await Worker.create({
      ...{ connection, namespace: 'pos', taskQueue: flow.taskQueue, activities: {} },
      workflowBundle: { codePath: process.env['TEST_BUNDLE'] ?? '' },
    });
    expect(await older.runUntil(desk.refund(desk.asked(beside), 'beside'))).toMatchObject(tooLate);
    await connection.close();
    await worker();
    const held = whileHeld(books, 'sales_order', { entity_id: locked }, () =>
      desk.refund(desk.asked(locked), 'locked'),
    );
    expect(await held).toMatchObject(tooLate);

    const run = desk.runOf(locked, 'locked');
    expect(await run.result()).toBe('refused');
    expect(await desk.runOf(alone, 'alone').result()).toBe('refused');
    await recordHistory(flow.client, run.workflowId, 'credit-refund-too-late');
    for (const orderId of [alone, beside, locked]) expect(await refundsOf(orderId)).toEqual([]);
    expect(outside.balances.get('OUT-1')).toBe(0);
    expect(await desk.refund(desk.asked(alone), 'alone')).toMatchObject({ success: true });
  });

  test('with Temporal away nothing is reserved, what is decided is answered, and our own credit is given', async () => {
    await worker();
    await configure('vendor_store_credit/general/enabled', '1');
    const env = { TEMPORAL_ADDRESS: '127.0.0.1:1', CREDIT_SERVICE_URL: outside.url, POS_SECRET_KEY: secretKey };
    const api = await anApiProcess(flow, { env });
    stops.push(() => api.kill());
    const there = async (body: object, requestId: string) => {
      const response = await fetch(`${api.url}/rest/V1/pos/credits/refund`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${flow.api.tokens.register}`,
          'content-type': 'application/json',
          'x-request-id': requestId,
        },
        body: JSON.stringify(body),
      });
      return response.json() as Promise<unknown>;
    };
    const orderId = await desk.aSale();
    expect(await there(desk.asked(orderId), 'away')).toMatchObject({
      success: false,
      error_message: expect.any(String),
    });
    expect(await refundsOf(orderId)).toEqual([]);
    const given = await desk.refund(desk.asked(orderId), 'away');
    expect(given).toMatchObject({ success: true });
    expect(await there(desk.asked(orderId), 'away')).toEqual(given);
    const own = { creditType: 'store_credit', provider: '', code: null };
    expect(await there(desk.asked(orderId, own), 'own')).toMatchObject({ success: true, remaining_balance: 10 });
  });

  test('a run that was terminated is taken up by housekeeping, and the credit is given once', async () => {
    await worker();
    const orderId = await desk.aSale();
    outside.mood = 'acts_and_drops';
    expect((await desk.refund(desk.asked(orderId), 'lost')).success).toBe(false);
    const run = desk.runOf(orderId, 'lost');
    await run.terminate('by an operator');
    outside.mood = 'answers';
    await change('credit_refund', { order_id: orderId }, { created_at: minutesAgo(5) });

    await lookNow(flow);
    await waitUntil('the credit is booked', async () => (await refundsOf(orderId))[0]?.state === 'booked');
    expect(await desk.runOf(orderId, 'lost').result()).toBe('booked');
    expect(outside.balances.get('OUT-1')).toBe(100_000);
    await recordHistory(flow.client, run.workflowId, 'credit-refund-taken-up');
  });

  test('after all of it the books hold', async () => {
    expect(await verify(fork(), { lookAgainAfterMs: 1 })).toEqual([]);
  });
});

describe('document refunds in trouble', () => {
  /** What a refund of an invoice does while something that it needs is slow, gone, or dies. */
  let flow: Flow;
  let desk: DocumentDesk;
  const stops: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    flow = await aFlow({ gatewayTimeoutSeconds: 12, reconcileAfterSeconds: 0, startsWorker: false });
    desk = aDocumentDesk(flow);
  });
  afterEach(async () => {
    await setGatewayMode(flow.gateway, { slow_ms: 0 });
    for (const stop of stops.splice(0)) await stop();
  });
  afterAll(async () => {
    await flow.close();
  });

  const books = booksOf(() => flow.api.orm);
  const { fork, change, find } = books;
  const attemptsOf = ({ orderId }: Sale) => find('refund_attempt', { order_id: orderId }, 'attempt_id', 'state');
  /** The flow's own worker, from the first test on that needs it. */
  let running: ReturnType<Flow['startWorker']> | undefined;
  const worker = () => (running ??= flow.startWorker());
  const workerProcess = async () => {
    const started = await aWorkerProcess(flow, { env: { GATEWAY_TIMEOUT_SECONDS: '12' } });
    stops.push(() => started.kill());
    return started;
  };

  /** An API of the same shop in a process of its own, and how it refunds. */
  async function anotherApi(env: Record<string, string> = {}) {
    const api = await anApiProcess(flow, { env });
    stops.push(() => api.kill());
    return async (sale: Sale, { key, price = 12 }: { key: string; price?: number }) => {
      const response = await fetch(`${api.url}/rest/V1/creditmemo/refund`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${flow.api.tokens.register}`,
          'content-type': 'application/json',
          'Idempotency-Key': key,
        },
        body: JSON.stringify(desk.bodyOf(sale, price)),
      });
      const body: unknown = await response.json();
      return { status: response.status, body };
    };
  }

  test('a worker that dies while the gateway gives the money back: another one looks it up and books it once', async () => {
    const first = await workerProcess();
    const sale = await desk.sale('12.81');
    const before = desk.refunded();
    await setGatewayMode(flow.gateway, { slow_ms: 2_500 });
    const answer = desk.withTotals(sale, 12.81);
    await waitUntil('the gateway has refunded', async () => desk.refunded() > before);
    await first.kill();
    await workerProcess();

    expect([200, 409]).toContain((await answer).status);
    const run = await desk.lastRun(sale);
    expect(await run.result()).toBe('booked');
    expect(desk.refunded() - before).toBe(1);
    expect(await desk.memosOf(sale.orderId)).toHaveLength(1);
    await recordHistory(flow.client, run.workflowId, 'document-refund-looked-up');
  });

  test('a worker that is told to end while the gateway gives the money back books it first, and leaves no doubt', async () => {
    const first = await workerProcess();
    const sale = await desk.sale('12.42');
    const before = desk.refunded();
    await setGatewayMode(flow.gateway, { slow_ms: 2_500 });
    const answer = desk.withTotals(sale, 12.42);
    await waitUntil('the gateway has refunded', async () => desk.refunded() > before);
    const ended = once(first.child, 'exit');
    first.child.kill('SIGTERM');

    expect(await ended).toEqual([0, null]);
    expect(first.log()).toContain('worker draining');
    expect(desk.refunded() - before).toBe(1);
    expect((await attemptsOf(sale)).map(({ state }) => state)).toEqual(['booked']);
    await workerProcess();
    expect((await answer).status).toBe(200);
  });

  test('a worker that cannot do this work yet leaves it undone; after its deploy the same request is carried out', async () => {
    const connection = await NativeConnection.connect({ address: flow.temporalAddress });
    const older = await Worker.create({
      ...{ connection, namespace: 'pos', taskQueue: flow.taskQueue, activities: {} },
      workflowBundle: { codePath: process.env['TEST_BUNDLE'] ?? '' },
    });
    const sale = await desk.sale('12.00');
    const key = { 'Idempotency-Key': `older-${sale.orderId}` };
    expect((await older.runUntil(desk.withTotals(sale, 12, key))).status).toBe(503);
    await connection.close();
    const own = await flow.startWorker();
    stops.push(() => own.stop());
    const run = await desk.runOfRequest(sale);
    expect(await run.result()).toBe('refused');
    expect((await desk.withTotals(sale, 12, key)).status).toBe(200);
    expect(await desk.memosOf(sale.orderId)).toHaveLength(1);
  });

  test('without a worker nothing begins, now or later; with one the same request is carried out', async () => {
    const sale = await desk.sale('12.00');
    const key = { 'Idempotency-Key': `nobody-${sale.orderId}` };
    const before = desk.refunded();
    const alone = await desk.withTotals(sale, 12, key);
    expect(alone.status).toBe(503);
    expect(alone.headers.get('retry-after')).not.toBeNull();
    expect(await attemptsOf(sale)).toEqual([]);

    await worker();
    const run = await desk.runOfRequest(sale);
    expect(await run.result()).toBe('refused');
    expect(await attemptsOf(sale)).toEqual([]);
    await recordHistory(flow.client, run.workflowId, 'document-refund-too-late');

    expect((await desk.withTotals(sale, 12, key)).status).toBe(200);
    expect(desk.refunded() - before).toBe(1);
  });

  test('an order that stays locked keeps its refund from beginning, for good', async () => {
    await worker();
    const sale = await desk.sale('12.00');
    const before = desk.refunded();
    const answer = await whileHeld(books, 'sales_order', { entity_id: sale.orderId }, () => desk.withTotals(sale, 12));
    expect(answer.status).toBe(503);
    await waitUntil('nobody waits for the order', async () => (await waiting(books)) === 0);
    expect((await desk.withTotals(sale, 12)).status).toBe(200);
    expect(desk.refunded() - before).toBe(1);
    expect(await desk.memosOf(sale.orderId)).toHaveLength(1);
  });

  test('with Temporal away nothing is written, and what is decided is answered from its row', async () => {
    await worker();
    const sale = await desk.sale('12.00');
    const withoutTemporal = await anotherApi({ TEMPORAL_ADDRESS: '127.0.0.1:1' });
    const key = `away-${sale.orderId}`;
    expect((await withoutTemporal(sale, { key })).status).toBe(503);
    expect(await attemptsOf(sale)).toEqual([]);

    const first = await desk.withTotals(sale, 12, { 'Idempotency-Key': key });
    const noAnswer = { status: null, answer: null, answered_at: null };
    await change(
      'keyed_request',
      { operation_key: await desk.lastKey() },
      { state: 'open', owner: '00000000-0000-4000-8000-000000000000', lease_until: minutesAgo(1), ...noAnswer },
    );
    expect(await withoutTemporal(sale, { key })).toMatchObject({
      status: 200,
      body: { entity_id: first.body.entity_id },
    });
  });

  test('of two APIs that get the same request at once the money goes back once, and both tell the same memo', async () => {
    await worker();
    const sale = await desk.sale('12.81');
    await setGatewayMode(flow.gateway, { slow_ms: 2_500 });
    const [one, other] = [await anotherApi(), await anotherApi()];
    const before = desk.refunded();
    const request = { key: `twins-${sale.orderId}`, price: 12.81 };
    const answers = await Promise.all([one(sale, request), other(sale, request)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect((await other(sale, request)).status).toBe(200);
    expect(desk.refunded() - before).toBe(1);
  });

  test('a gateway that is slower than the caller waits is booked behind the 409; a request to cancel the run changes nothing', async () => {
    await worker();
    const sale = await desk.sale('12.81');
    await setGatewayMode(flow.gateway, { slow_ms: 8_500 });
    const answer = desk.withTotals(sale, 12.81);
    await waitUntil('it is written down', async () => (await attemptsOf(sale)).length === 1);
    await (await desk.lastRun(sale)).cancel();
    // Cancelling the run ends the wait early: 503 or 409, and both say that the refund may still be made.
    expect([409, 503]).toContain((await answer).status);
    await waitUntil('its refund is booked', async () => (await attemptsOf(sale))[0]?.['state'] === 'booked');
  });

  /** As a run leaves it that is terminated after its first step. */
  async function anOpenedRefund() {
    const sale = await desk.sale('12.00');
    const { orderId, invoiceId, itemId } = sale;
    const items = [{ orderItemId: itemId, qty: pieces(1) }];
    const operationKey = `terminated-${orderId}`;
    const { attemptId } = await openDocumentRefund(
      fork(),
      {
        ...{ orderId, invoiceId, operationKey, beginBefore: inMinutes(1).toISOString(), returnToStockItemIds: [] },
        figures: { from: 'collectors', items, adjustmentPositive: zero, adjustmentNegative: zero },
      },
      { canRefundThrough: () => true, refuseUnrefundable: () => undefined, readReturned },
    );
    if (attemptId === null) throw new Error('there is an attempt');
    await change('refund_attempt', { attempt_id: attemptId }, { created_at: minutesAgo(60) });
    return { sale, attemptId, operationKey };
  }

  /** Housekeeping finds it and wakes its run; how that ended. */
  async function sweptUp({ sale: { orderId }, attemptId, operationKey }: Awaited<ReturnType<typeof anOpenedRefund>>) {
    expect((await findLimbo(fork())).memoRefunds).toEqual([{ attemptId, orderId, operationKey }]);
    await lookNow(flow);
    return flow.client.workflow.getHandle(documentRefundId(orderId, operationKey)).result();
  }

  test('what was not called when its run was lost is given up: its goods and its money are free', async () => {
    await worker();
    const lost = await anOpenedRefund();
    const before = desk.refunded();
    expect(await sweptUp(lost)).toBe('failed');
    expect(desk.refunded()).toBe(before);
    await recordHistory(
      flow.client,
      documentRefundId(lost.sale.orderId, lost.operationKey),
      'document-refund-given-up',
    );
    expect((await desk.withTotals(lost.sale, 12)).status).toBe(200);
  });

  test('what may have been called when its run was lost is looked up', async () => {
    await worker();
    const lost = await anOpenedRefund();
    const { attemptId } = lost;
    await claimRefundCall(fork(), { attemptId, timeoutSeconds: 1 });
    await change(
      'refund_attempt',
      { attempt_id: attemptId },
      { call_deadline: minutesAgo(30), call_started_at: minutesAgo(31) },
    );
    expect(await sweptUp(lost)).toBe('uncertain');
    await recordHistory(
      flow.client,
      documentRefundId(lost.sale.orderId, lost.operationKey),
      'document-refund-taken-up',
    );
  });

  test('after all of it the books hold, beside the gateway’s own', async () => {
    const readLedger = () => readGatewayLedger(flow.gateway.url);
    const open = await verify(fork(), { lookAgainAfterMs: 1, readLedger });
    expect(open).toEqual([]);
  });
});

describe('document refunds', () => {
  /** Refunds that the platform's own routes have a gateway make: one workflow, one attempt, one call, one memo. */
  let flow: Flow;
  let desk: DocumentDesk;
  beforeAll(async () => {
    flow = await aFlow({ gatewayTimeoutSeconds: 2, reconcileAfterSeconds: 0 });
    desk = aDocumentDesk(flow);
  });
  afterAll(async () => {
    await flow.close();
  });

  const { fork, shelf, change, findOne, find, memosOf } = booksOf(() => flow.api.orm);

  /** All that went through Temporal, as text. */
  const payloadsOf = (history: Parameters<typeof historyToJSON>[0]) =>
    [...historyToJSON(history).matchAll(/"data":\s*"([^"]*)"/g)]
      .map(([, data = '']) => Buffer.from(data, 'base64').toString())
      .join('\n');

  test('with its caller’s totals: the gateway gives it back once, the memo is online, the goods are on the shelf', async () => {
    const sale = await desk.sale('12.00');
    const [before, mugs] = [desk.refunded(), await shelf()];
    const { status, body } = await desk.withTotals(sale, 12);

    expect(status).toBe(200);
    expect(body).toMatchObject({ grand_total: 12, state: 2, transaction_id: expect.any(String) });
    expect(desk.refunded() - before).toBe(1);
    expect(await shelf()).toBe(mugs + 1);
    expect(await desk.order(sale)).toMatchObject({ total_online_refunded: 12, total_offline_refunded: 0 });
    expect(await desk.invoice(sale)).toMatchObject({ is_used_for_refund: 1, base_total_refunded: 12 });
    const run = await desk.lastRun(sale);
    expect(await run.result()).toBe('booked');
    await recordHistory(flow.client, run.workflowId, 'document-refund-booked');
  });

  test('of an invoice: the same, and what was written about it stands in the books and not in Temporal', async () => {
    const sale = await desk.sale('12.00');
    const [before, mugs] = [desk.refunded(), await shelf()];
    const comment = { comment: 'Mrs Miller called', is_visible_on_front: 1 };
    const { status, body } = await desk.ofInvoice(sale, { appendComment: true, comment });

    expect({ status, body }).toEqual({ status: 200, body: expect.any(Number) });
    expect(desk.refunded() - before).toBe(1);
    expect(await shelf()).toBe(mugs + 1);
    expect(await desk.invoice(sale)).toMatchObject({ is_used_for_refund: 1, base_total_refunded: 12 });
    expect(await find('sales_document_comment', { parent_id: body }, 'comment')).toEqual([
      { comment: 'Mrs Miller called' },
    ]);
    const travelled = payloadsOf(await (await desk.lastRun(sale)).fetchHistory());
    expect(travelled).toContain('sealedComment');
    expect(travelled).not.toContain('Miller');
  });

  test.each([2, 8])('of %i at once of all that is left one asks the gateway', async (count) => {
    const sale = await desk.sale('12.00', { lines: [{ sku: 'MUG', qty: 1, price: '12.00' }] });
    const before = desk.refunded();
    const answers = await atOnce(count, () => desk.withTotals(sale, 12));

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    // 503: it waited for its turn for too long, and never begins.
    for (const { status } of answers) expect([200, 400, 409, 503]).toContain(status);
    expect(desk.refunded() - before).toBe(1);
    expect(await desk.memosOf(sale.orderId)).toHaveLength(1);
  });

  test('sent again under its key it is the same refund', async () => {
    const sale = await desk.sale('12.00');
    const before = desk.refunded();
    const key = { 'Idempotency-Key': `memo-${sale.orderId}` };
    const [first, second] = [await desk.withTotals(sale, 12, key), await desk.withTotals(sale, 12, key)];

    expect(second.body.entity_id).toBe(first.body.entity_id);
    expect(desk.refunded() - before).toBe(1);
  });

  test('of an API that died before it answered, a repeat reads what was booked', async () => {
    const sale = await desk.sale('12.00');
    const key = { 'Idempotency-Key': `died-${sale.orderId}` };
    const first = await desk.withTotals(sale, 12, key);
    const noAnswer = { status: null, answer: null, answered_at: null };
    const unanswered = { state: 'open', owner: randomUUID(), lease_until: minutesAgo(1), ...noAnswer };
    await change('keyed_request', { operation_key: await desk.lastKey() }, unanswered);

    const again = await desk.withTotals(sale, 12, key);

    expect(again).toMatchObject({ status: 200, body: { entity_id: first.body.entity_id } });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await desk.memosOf(sale.orderId)).toHaveLength(1);
  });

  test('paid with credit alone: the memo is booked and the credit is back, and no gateway is asked', async () => {
    const customerId = await aCustomerWithCredit(flow.api.orm, '24');
    const credits = [{ credit_type: 'store_credit', amount: 24 }];
    const sale = await desk.sale('12.00', { customerId, credits });
    const before = desk.refunded();
    const key = { 'Idempotency-Key': `credit-${sale.orderId}` };
    const { status, body } = await desk.withTotals(sale, 12, key);

    expect({ status, total: body.grand_total }).toEqual({ status: 200, total: 12 });
    expect(desk.refunded()).toBe(before);
    const [memo] = await memosOf(sale.orderId, 'entity_id', 'operation_key', 'is_online');
    expect(memo).toMatchObject({ entity_id: body.entity_id, is_online: false });
    const run = flow.client.workflow.getHandle(documentRefundId(sale.orderId, memo?.operation_key));
    expect(await run.result()).toBe('booked');
    await recordHistory(flow.client, run.workflowId, 'document-refund-credit');
  });

  test('a gateway’s no books nothing, and leaves everything to be refunded', async () => {
    const sale = await desk.sale('12.51');
    expect(await desk.withTotals(sale, 12.51)).toMatchObject({
      status: 400,
      body: { parameters: { outcome: 'gateway_refused', refund_attempt_state: 'failed' } },
    });
    expect(await desk.memosOf(sale.orderId)).toEqual([]);
    const run = await desk.lastRun(sale);
    expect(await run.result()).toBe('failed');
    await recordHistory(flow.client, run.workflowId, 'document-refund-declined');
    expect((await desk.call('POST', `/V1/order/${sale.orderId}/refund`, {})).status).toBe(200);
    expect(await desk.order(sale)).toMatchObject({ state: 'closed' });
  });

  test('a doubt keeps its goods and its money; an operator’s word books the memo as it was sent', async () => {
    const sale = await desk.sale('12.73');
    const { status, body } = await desk.withTotals(sale, 12.73);
    expect(status).toBe(409);
    expect(body.parameters).toMatchObject({ outcome: 'gateway_uncertain', refund_attempt_state: 'uncertain' });
    const run = await desk.lastRun(sale);
    expect(await run.result()).toBe('uncertain');
    await recordHistory(flow.client, run.workflowId, 'document-refund-uncertain');
    expect((await desk.withTotals(sale, 12.73)).status).toBe(409);
    const goods = { items: [{ order_item_id: sale.itemId, qty: 2 }] };
    expect((await desk.call('POST', `/V1/order/${sale.orderId}/refund`, goods)).status).toBe(400);

    await desk.call('POST', `/V1/pos/rma/refund-attempts/${body.parameters.refund_attempt_id}/resolve`, {
      resolution: 'refunded',
      staffName: 'Olga',
      note: 'seen in the portal',
    });
    expect(await desk.memosOf(sale.orderId)).toMatchObject([{ grand_total: '12.7300' }]);
    expect(await desk.order(sale)).toMatchObject({ total_online_refunded: 12.73 });
  });

  test('a memo by hand of the same sum takes over a refund that was decided wrong, and the ledgers agree', async () => {
    const sale = await desk.sale('12.72');
    const { body } = await desk.ofInvoice(sale);
    const attemptId = body.parameters.refund_attempt_id as number;
    const decision = { resolution: 'not_refunded', staffName: 'Olga', note: 'not in the portal' };
    await desk.call('POST', `/V1/pos/rma/refund-attempts/${attemptId}/resolve`, decision);
    const stateOf = async () => (await findOne('refund_attempt', { attempt_id: attemptId }, 'state')).state;
    await waitUntil('it takes effect', async () => (await stateOf()) === 'failed');
    const readLedger = () => readGatewayLedger(flow.gateway.url);
    const broken = async () =>
      (await verify(fork(), { lookAgainAfterMs: 1, readLedger })).map(({ id, rows }) => [id, rows[0]?.['order_id']]);
    expect(await broken()).toEqual([['I-11', sale.orderId]]);

    const goods = { items: [{ order_item_id: sale.itemId, qty: 1 }] };
    expect((await desk.call('POST', `/V1/order/${sale.orderId}/refund`, goods)).status).toBe(200);
    await lookNow(flow);

    await waitUntil('it is booked', async () => (await stateOf()) === 'booked');
    expect(await memosOf(sale.orderId, 'refund_attempt_id')).toEqual([{ refund_attempt_id: attemptId }]);
    expect(await broken()).toEqual([]);
  });

  test('of a card without a gateway and of a payment without a reference: told in the platform’s words', async () => {
    const unknown = await desk.sale('12.00', { method: 'somebody_elses_card' });
    const unreferenced = await desk.sale('12.00', { lastTransId: '' });
    for (const refund of [desk.ofInvoice, (sale: Sale) => desk.withTotals(sale, 12)]) {
      expect((await refund(unknown)).body).toEqual({ message: 'The refund action is not available.' });
      expect((await refund(unreferenced)).body).toEqual({
        message: 'If the invoice was created offline, try creating an offline credit memo.',
      });
    }
    expect(await find('refund_attempt', { order_id: unknown.orderId })).toEqual([]);
  });

  test('a refusal and a doubt are told alike for an invoice', async () => {
    const outcomeOf = async (price: string) => (await desk.ofInvoice(await desk.sale(price))).body.parameters.outcome;
    expect(await outcomeOf('12.51')).toBe('gateway_refused');
    expect(await outcomeOf('12.73')).toBe('gateway_uncertain');
  });

  test('what does not fit is refused by reading: no workflow starts', async () => {
    const sale = await desk.sale('12.00');
    const { status } = await desk.withTotals(sale, 999, { 'Idempotency-Key': `too-much-${sale.orderId}` });
    expect(status).toBe(400);
    await expect((await desk.runOfRequest(sale)).describe()).rejects.toThrow();
  });

  test('its page is found by the order and tells who asked, how much, and how it ended', async () => {
    const sale = await desk.sale('12.00');
    await desk.withTotals(sale, 12);
    const run = await desk.lastRun(sale);
    const { orderId } = sale;
    const [{ increment_id: order }, { increment_id: invoice }] = [
      await findOne('sales_order', { entity_id: orderId }, 'increment_id'),
      await findOne('sales_invoice', { entity_id: sale.invoiceId }, 'increment_id'),
    ];
    const { staticSummary, typedSearchAttributes } = await run.describe().then(async (seen) => ({
      staticSummary: await seen.staticSummary(),
      typedSearchAttributes: seen.typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]),
    }));
    expect(staticSummary).toBe(`Refund of invoice ${invoice} · order ${order}`);
    expect(typedSearchAttributes).toEqual(
      expect.arrayContaining([
        ['PosOrderId', orderId],
        ['PosMethod', 'provider_a'],
      ]),
    );
    const { currentDetails } = await run.query<{ currentDetails: string }>('__temporal_workflow_metadata');
    expect(currentDetails).toMatch(
      new RegExp(
        `^The gateway gave \\*\\*12.00 USD\\*\\* of order ${order} by provider_a back, and the credit memo is booked. Asked for by .+ \\(request .+\\).$`,
      ),
    );
  });

  test('after all of it the books hold, beside the gateway’s own', async () => {
    const readLedger = () => readGatewayLedger(flow.gateway.url);
    expect(await verify(fork(), { lookAgainAfterMs: 1, readLedger })).toEqual([]);
  });
});
