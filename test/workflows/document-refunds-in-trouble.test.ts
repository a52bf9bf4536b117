import { NativeConnection, Worker } from '@temporalio/worker';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { verify } from '../../books/verify/verify.ts';
import { readGatewayLedger } from '../../cli/support/read-gateway-ledger.ts';
import { claimRefundCall } from '../../db/refunds/claim-refund-call.ts';
import { findLimbo } from '../../db/refunds/find-limbo.ts';
import { openDocumentRefund } from '../../db/refunds/open-document-refund.ts';
import { readReturned } from '../../db/returns/read-returned.ts';
import { zero } from '../../domain/money/amount.ts';
import { pieces } from '../../domain/money/quantity.ts';
import { documentRefundId } from '../../workflows/refunds/messages.ts';
import { booksOf } from '../support/books.ts';
import { waiting, whileHeld } from '../support/books/held.ts';
import { aFlow, type Flow } from '../support/flow.ts';
import { lookNow } from '../support/housekeeping.ts';
import { setGatewayMode } from '../support/gateway-mode.ts';
import { inMinutes, minutesAgo } from '../support/moments.ts';
import { anApiProcess, aWorkerProcess } from '../support/own-process.ts';
import { recordHistory } from '../support/record-history.ts';
import { waitUntil } from '../support/wait-until.ts';
import { aDocumentDesk, type DocumentDesk, type Sale } from './a-document-desk.ts';

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

test('a gateway that is slower than a transaction is waited for; a request to cancel the run changes nothing', async () => {
  await worker();
  const sale = await desk.sale('12.81');
  await setGatewayMode(flow.gateway, { slow_ms: 8_500 });
  const answer = desk.withTotals(sale, 12.81);
  await waitUntil('it is written down', async () => (await attemptsOf(sale)).length === 1);
  await (await desk.lastRun(sale)).cancel();
  expect((await answer).status).toBe(200);
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
  await recordHistory(flow.client, documentRefundId(lost.sale.orderId, lost.operationKey), 'document-refund-given-up');
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
  await recordHistory(flow.client, documentRefundId(lost.sale.orderId, lost.operationKey), 'document-refund-taken-up');
});

test('after all of it the books hold, beside the gateway’s own', async () => {
  const readLedger = () => readGatewayLedger(flow.gateway.url);
  const open = await verify(fork(), { lookAgainAfterMs: 1, readLedger });
  expect(open).toEqual([]);
});
