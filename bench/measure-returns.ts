import { Client, Connection } from '@temporalio/client';
import { namespace, plainQueue, type FlowStage } from './flow-stage.ts';
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
 * A card return, created and closed in one call, beside a plain workflow of eight empty steps and the gateway's own
 * call; one after the other in turn, so that all three meet the same machine.
 */
export async function measureReturns({ stage, api, token, rounds, say }: ReturnsWish): Promise<ReturnsMeasured> {
  const connection = await Connection.connect({ address: stage.temporal });
  const client = new Client({ connection, namespace });
  try {
    const sold = await sell({ apiUrl: api.url, token, count: (rounds + warmUpRounds) * returnsEachRound, say });
    const done: ReturnsMeasured['rounds'] = [];
    let rmaId = 0;
    for (let round = 0; round < rounds + warmUpRounds; round++) {
      const [ours, theirs] = [[api.pid, stage.worker.pid], [stage.plainWorker.pid]];
      const before = { ours: cpuOf(ours), theirs: cpuOf(theirs) };
      const times = { returns: [] as number[], plain: [] as number[], gateway: [] as number[] };
      for (const sale of sold.slice(round * returnsEachRound, (round + 1) * returnsEachRound)) {
        times.returns.push(await timed(async () => (rmaId = await giveBack(api.url, token, sale))));
        times.plain.push(await timed(() => runPlain(client, sale)));
        times.gateway.push(await timed(() => askGateway(stage.gateway, sale)));
      }
      const figures = {
        cpuMs: (cpuOf(ours) - before.ours) / returnsEachRound,
        plainCpuMs: (cpuOf(theirs) - before.theirs) / returnsEachRound,
        returnMs: median(times.returns),
        plainMs: median(times.plain),
        gatewayMs: median(times.gateway),
      };
      const isWarm = round >= warmUpRounds;
      if (isWarm) done.push(figures);
      say(
        `  return create to closed, ${isWarm ? `round ${round - warmUpRounds + 1}` : 'warming up'}: ${figures.returnMs.toFixed(0)} ms beside ${figures.plainMs.toFixed(0)} ms`,
      );
    }
    const { events } = await client.workflow.getHandle(`return-${rmaId}`).fetchHistory();
    return { rounds: done, historyEvents: events?.length ?? 0 };
  } finally {
    await connection.close();
  }
}

const cpuOf = (pids: readonly number[]) => pids.reduce((sum, pid) => sum + (cpuTimeMs(pid) ?? Number.NaN), 0);

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
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
