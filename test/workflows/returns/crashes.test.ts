import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findServer } from '../../../local/temporal/find-server.ts';
import { startTemporal } from '../../../local/temporal/start-server.ts';
import { freePort } from '../../../local/free-port.ts';
import { booksOf } from '../../support/books.ts';
import { aFlow, type Flow } from '../../support/flow.ts';
import { recordHistory } from '../../support/record-history.ts';
import { aRegister, type Register } from '../../support/register.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { aWorkerProcess } from '../../support/worker-process.ts';
import { minutesAgo } from '../../support/moments.ts';

let flow: Flow;
let register: Register;
let workers: { kill(): Promise<void> }[] = [];

const { find, stallWrites, stalledWrites, insert } = booksOf(() => flow.api.orm);

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

const control = (mode: object) =>
  fetch(`${flow.gateway.url}/control/mode`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(mode),
  });

const refunded = () => flow.gateway.ledger.refunds.filter(({ state }) => state === 'refunded').length;
const attempts = () => find('refund_attempt', {}, 'attempt_id', 'state', 'return_id', 'call_started_at');

test('a worker killed after the gateway refunded and before the memo loses nothing and refunds nothing twice', async () => {
  await open();
  const first = await worker();
  const sale = await register.sale('12.81');

  const answer = register.returnOne(sale, { refundMethod: 'original_payment' });
  await waitUntil('the gateway has refunded', async () => refunded() === 1);
  await first.kill();
  await worker();

  expect((await answer).body).toMatchObject({ status: 'closed', refund_attempt_state: 'booked' });
  expect(await register.memosOf(sale.orderId)).toHaveLength(1);
  expect(refunded()).toBe(1);
}, 120_000);

test('a worker killed before it claimed the call: provably nothing was sent, and the next worker finishes the return', async () => {
  await open();
  const isClaim = 'old.call_started_at is null and new.call_started_at is not null';
  const goOn = await stallWrites({ on: 'change', to: 'refund_attempt', when: isClaim });
  const first = await worker();
  const sale = await register.sale('12.00');

  const answer = register.returnOne(sale, { refundMethod: 'original_payment', posSaleId: `unclaimed-${sale.orderId}` });
  await waitUntil('the claim is under way', async () => (await stalledWrites()) === 1);
  await first.kill();
  await goOn();
  expect((await attempts())[0]).toMatchObject({ state: 'started', call_started_at: null });
  await worker();

  await answer;
  const again = await register.returnOne(sale, {
    refundMethod: 'original_payment',
    posSaleId: `unclaimed-${sale.orderId}`,
  });
  expect(again.body).toMatchObject({ status: 'closed', reused: true, ready: true });
  expect((await attempts()).map(({ state }) => state)).toEqual(['failed', 'booked']);
  expect(await register.memosOf(sale.orderId)).toHaveLength(1);
  expect(refunded()).toBe(1);
}, 120_000);

test('a workflow terminated while the gateway works is rebuilt by the next settle, with one memo', async () => {
  await open();
  await worker();
  const sale = await register.sale('12.81');
  const answer = register.returnOne(sale, { refundMethod: 'original_payment' });
  await waitUntil('the gateway has refunded', async () => refunded() === 1);
  const [attempt] = await attempts();
  const rmaId = attempt!.return_id;
  await flow.client.workflow.getHandle(`return-${rmaId}`).terminate('an operator was in a hurry');

  const settled = await register.settle(rmaId, { method: 'original_payment' });

  expect(settled.body).toMatchObject({ status: 'closed', refund_attempt_state: 'booked' });
  expect((await answer).status).toBe(200);
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
    const answer = register.returnOne(sale, { refundMethod: 'original_payment' });
    await waitUntil('the gateway has refunded', async () => refunded() === 1);

    process.kill(temporal.pid, 'SIGKILL');
    await temporal.ended;
    const [attempt] = await attempts();
    expect((await register.call('GET', `/V1/pos/rma/${attempt!.return_id}`)).status).toBe(200);
    temporal = await startTemporal(place);
    await answer;

    const settled = await register.settle(attempt!.return_id, { method: 'original_payment' });
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
  const { return_id: rmaId } = await insert('sale_return', {
    ...{ increment_id: 'R-1', order_id: sale.orderId, location_id: flow.shop.locationId, is_auto_approved: true },
    ...{ requested_refund_method: 'original_payment', is_ready: false, updated_at: minutesAgo(5) },
  });
  const line = { order_item_id: sale.itemId, product_sku: 'MUG', qty_requested: 1 };
  await insert('sale_return_item', { return_id: rmaId, ...line });
  await worker();

  await flow.client.workflow.execute('repairLimbo', {
    taskQueue: flow.taskQueue,
    workflowId: `sweep-${rmaId}`,
    args: [],
  });

  await recordHistory(flow.client, `sweep-${rmaId}`, 'repair-limbo');

  await waitUntil('the return is closed', async () => (await register.returnOf(Number(rmaId))).status === 'closed');
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
