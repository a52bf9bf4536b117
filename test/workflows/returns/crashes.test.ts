import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findServer } from '../../../local/temporal/find-server.ts';
import { startTemporal } from '../../../local/temporal/start-server.ts';
import { freePort } from '../../../local/free-port.ts';
import { booksOf } from '../../support/books.ts';
import { aHalfMadeReturn, finishReturn } from '../../support/builders/half-made-return.ts';
import { aFlow, type Flow } from '../../support/flow.ts';
import { lookNow } from '../../support/housekeeping.ts';
import { recordHistory } from '../../support/record-history.ts';
import { aRegister, type Register } from '../../support/register.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { aWorkerProcess } from '../../support/own-process.ts';
import { setGatewayMode } from '../../support/gateway-mode.ts';

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
}, 120_000);

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
}, 120_000);

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
}, 120_000);

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
}, 120_000);

test('a return left half-made by a crash is found by the sweep and finished', async () => {
  await open();
  const sale = await register.sale('12.00');
  const rmaId = await aHalfMadeReturn(flow, sale);
  await worker();

  await lookNow(flow);

  await waitUntil('the return is closed', async () => (await register.returnOf(rmaId)).status === 'closed');
  expect(refunded()).toBe(1);
}, 120_000);

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
