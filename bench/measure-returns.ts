import { Client, Connection, WithStartWorkflowOperation } from '@temporalio/client';
import { namespace, plainQueue, type FlowStage } from './flow-stage.ts';
import { readyUpdate } from './plain-messages.ts';
import { orderOf } from './scenarios/create-order.ts';
import type { BenchProcess } from './processes.ts';
import { send } from './send.ts';
import { firstIds } from './shop.ts';
import { cpuTimeMs } from './support/cpu-time.ts';
import { median } from './support/statistics.ts';

export interface ReturnsWish {
  stage: FlowStage;
  api: BenchProcess;
  token: string;
  rounds: number;
  say: (line: string) => void;
}

export interface ReturnsRound {
  returnMs: number;
  plainMs: number;
  gatewayMs: number;
  /** The least a flow of one remote step can take. */
  leastMs: number;
  /** Processor time of API and worker together, and of the plain worker, each. */
  cpuMs: number;
  plainCpuMs: number;
}

export interface ReturnsMeasured {
  rounds: ReturnsRound[];
  historyEvents: number;
}

const returnsEachRound = 25;
/** Compilers and caches need so many rounds before a figure means anything. */
const warmUpRounds = 2;

interface Sold {
  orderId: number;
  orderItemId: number;
}

/**
 * A card return, created and closed in one call, beside a plain workflow of eight empty steps, the least workflow there
 * can be, and the gateway's own call; one after the other in turn, so that all meet the same machine.
 */
export async function measureReturns(wish: ReturnsWish): Promise<ReturnsMeasured> {
  const { stage, api, token, rounds, say } = wish;
  const connection = await Connection.connect({ address: stage.temporal });
  const client = new Client({ connection, namespace });
  try {
    const sold = await sell({ apiUrl: api.url, token, count: (rounds + warmUpRounds) * returnsEachRound, say });
    const done: ReturnsRound[] = [];
    for (let round = 1 - warmUpRounds; round <= rounds; round++) {
      const sales = sold.splice(0, returnsEachRound);
      const figures = await measureRound(wish, client, sales);
      if (round > 0) done.push(figures);
      const [ours, theirs] = [figures.returnMs.toFixed(0), figures.plainMs.toFixed(0)];
      say(`  return create to closed, ${round > 0 ? `round ${round}` : 'warming up'}: ${ours} ms beside ${theirs} ms`);
      if (round === rounds) return { rounds: done, historyEvents: await eventsOf(client, figures.lastReturnId) };
    }
    throw new Error('At least one round is needed.');
  } finally {
    await connection.close();
  }
}

async function measureRound({ stage, api, token }: ReturnsWish, client: Client, sales: readonly Sold[]) {
  const [ours, theirs] = [[api.pid, stage.worker.pid], [stage.plainWorker.pid]];
  const times = { returns: [] as Timed[], plain: [] as Timed[], least: [] as Timed[], gateway: [] as Timed[] };
  let lastReturnId = 0;
  for (const sale of sales) {
    times.returns.push(await timed(ours, async () => (lastReturnId = await giveBack(api.url, token, sale))));
    times.plain.push(await timed(theirs, () => runPlain(client, sale)));
    times.least.push(await timed(theirs, () => runLeast(client, sale)));
    times.gateway.push(await timed([], () => askGateway(stage.gateway, sale)));
  }
  const middle = (measured: readonly Timed[]) => median(measured.map(({ ms }) => ms));
  const mean = (measured: readonly Timed[]) => measured.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / measured.length;
  return {
    returnMs: middle(times.returns),
    plainMs: middle(times.plain),
    leastMs: middle(times.least),
    gatewayMs: middle(times.gateway),
    cpuMs: mean(times.returns),
    plainCpuMs: mean(times.plain),
    lastReturnId,
  };
}

const eventsOf = async (client: Client, rmaId: number): Promise<number> =>
  (await client.workflow.getHandle(`return-${rmaId}`).fetchHistory()).events?.length ?? 0;

interface Timed {
  ms: number;
  /** Of the processes that did it; ticks are coarse, so only a mean over many says something. */
  cpuMs: number;
}

const cpuOf = (pids: readonly number[]) => pids.reduce((sum, pid) => sum + (cpuTimeMs(pid) ?? Number.NaN), 0);

async function timed(pids: readonly number[], work: () => Promise<unknown>): Promise<Timed> {
  const [start, cpuBefore] = [performance.now(), cpuOf(pids)];
  await work();
  return { ms: performance.now() - start, cpuMs: cpuOf(pids) - cpuBefore };
}

/** Paid by card, invoiced, handed over: sales that can come back. */
async function sell({
  apiUrl,
  token,
  count,
  say,
}: {
  apiUrl: string;
  token: string;
  count: number;
  say: (line: string) => void;
}): Promise<Sold[]> {
  say(`Selling ${count} times by card …`);
  const sold: Sold[] = [];
  for (let n = 0; n < count; n++) {
    const entity = { ...orderOf(`returned-${n}`, 'provider_a') };
    const payment = { ...entity.payment, last_trans_id: `pay-${n}` };
    const order = await send(apiUrl, token, {
      method: 'POST',
      path: '/V1/orders',
      body: { entity: { ...entity, payment } },
    });
    const { entity_id: orderId, items } = order as { entity_id: number; items: { item_id: number }[] };
    await send(apiUrl, token, { method: 'POST', path: `/V1/order/${orderId}/invoice`, body: { capture: true } });
    const from = { arguments: { extension_attributes: { source_code: 'floor' } } };
    await send(apiUrl, token, { method: 'POST', path: `/V1/order/${orderId}/ship`, body: from });
    sold.push({ orderId, orderItemId: items[0]?.item_id ?? 0 });
  }
  return sold;
}

async function giveBack(apiUrl: string, token: string, { orderId, orderItemId }: Sold): Promise<number> {
  const row = { order_item_id: orderItemId, qty_requested: 1, resolution: 'Refund', inspected_condition: 'pristine' };
  const body = {
    orderId,
    items: JSON.stringify([row]),
    autoApprove: true,
    locationId: firstIds.pos_location,
    refundMethod: 'original_payment',
    posSaleId: `return-of-${orderId}`,
  };
  const rma = await send(apiUrl, token, { method: 'POST', path: '/V1/pos/rma', body });
  const { id, status } = rma as { id: number; status: string };
  if (status !== 'closed') throw new Error(`Return ${id} is ${status}, not closed.`);
  return id;
}

const runPlain = (client: Client, { orderId }: Sold) =>
  client.workflow.execute('plainWorkflow', { taskQueue: plainQueue, workflowId: `plain-${orderId}` });

const runLeast = (client: Client, { orderId }: Sold) =>
  client.workflow.executeUpdateWithStart(readyUpdate, {
    args: [null],
    startWorkflowOperation: new WithStartWorkflowOperation('leastWorkflow', {
      taskQueue: plainQueue,
      workflowId: `least-${orderId}`,
      args: [],
      workflowIdConflictPolicy: 'USE_EXISTING',
    }),
  });

async function askGateway(url: string, { orderId }: Sold): Promise<void> {
  const amount = { value: '10.80', currency: 'USD' };
  const response = await fetch(`${url}/provider_a/v1/refunds`, {
    method: 'POST',
    headers: {
      authorization: 'Bearer bench',
      'idempotency-key': `direct-${orderId}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      payment_id: `direct-${orderId}`,
      amount,
      captured_amount: amount,
      reference: `direct-${orderId}`,
    }),
  });
  await response.text();
  if (!response.ok) throw new Error(`The gateway answered ${response.status}.`);
}
