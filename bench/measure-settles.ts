import type { EntityManager } from '@mikro-orm/postgresql';
import { Client, Connection, WithStartWorkflowOperation } from '@temporalio/client';
import { createUpdate } from '../workflows/returns/messages.ts';
import { returnId } from '../workflows/support/return-id.ts';
import { namespace, plainQueue, type FlowStage } from './flow-stage.ts';
import { layawayOf } from './money-shop.ts';
import { stepUpdate } from './plain-messages.ts';
import type { BenchProcess } from './processes.ts';
import { park, sell, type Register } from './sell.ts';
import { send } from './send.ts';
import { firstIds } from './shop.ts';
import { median, residentMemory } from './support.ts';

export interface OpenReturns {
  em: EntityManager;
  client: Client;
  count: number;
  /** The worker's present memory, in MB. */
  workerMb: () => number;
  say: (line: string) => void;
}

const firstReturn = 97_000_001;
const requestedAtOnce = 50;
const reportEvery = 5_000;
const longestMs = 2 * 60 * 60_000;
const taskQueue = 'pos';

/**
 * Parked returns, each with a workflow that waits for a cashier: rows by one statement, workflows a few at a time.
 * Each is asked whether it is ready, as the route does, so the worker never falls far behind.
 */
async function openReturns({ em, client, count, workerMb, say }: OpenReturns): Promise<void> {
  say(`Opening ${count} returns …`);
  await em.execute(
    `insert into sale_return (return_id, increment_id, order_id, status, refund_method, requested_refund_method,
      is_auto_approved)
     select ${firstReturn} + n, 'R' || n, ${firstIds.sales_order}, 'awaiting_refund', 'cash', 'cash', true
     from generate_series(0, ${count - 1}) n`,
  );
  await em.execute('analyze sale_return');
  const start = performance.now();
  let next = 0;
  const opener = async () => {
    for (let at = next++; at < count; at = next++) {
      await open(client, firstReturn + at);
      const ms = performance.now() - start;
      if (ms > longestMs) throw new Error(`Only ${at} of ${count} returns are open after two hours.`);
      if ((at + 1) % reportEvery !== 0) continue;
      say(`  ${at + 1} of ${count}, ${Math.round(((at + 1) * 1_000) / ms)} a second, the worker at ${workerMb()} MB`);
    }
  };
  await Promise.all(Array.from({ length: requestedAtOnce }, opener));
  say(`  ${Math.round((count * 1_000) / (performance.now() - start))} a second`);
}

const open = (client: Client, rmaId: number) =>
  client.workflow.executeUpdateWithStart(createUpdate, {
    args: [{ operationKey: `open-${rmaId}`, beginBefore: '2999-01-01', by: 'bench', requestId: `open-${rmaId}` }],
    startWorkflowOperation: new WithStartWorkflowOperation('returnWorkflow', {
      workflowId: returnId(rmaId),
      taskQueue,
      args: [{ rmaId }],
      workflowIdConflictPolicy: 'USE_EXISTING',
    }),
  });

export interface SettlesInput {
  stage: FlowStage;
  api: BenchProcess;
  token: string;
  em: EntityManager;
  rounds: number;
  /** How many returns are open at the second measurement. */
  openReturns: number;
  say: (line: string) => void;
}

/** So many clients at once: the median wait, the slowest of twenty, and the throughput. */
export interface Crowd {
  clients: number;
  p50Ms: number;
  p95Ms: number;
  perSecond: number;
  /** The plain workflow's update with as many clients. */
  plainP50Ms: number;
  plainPerSecond: number;
}

export interface SettlesMeasured {
  settles: Crowd[];
  captures: Crowd[];
  /** One client, before and after so many returns were opened. */
  openReturns: { count: number; before: Crowd; after: Crowd; workerMbBefore: number; workerMbAfter: number };
}

const crowds = [1, 8, 32];
const changesEach = 32;

/**
 * Settles parked returns in cash and captures payments of layaways, each on its own documents, beside a workflow
 * update of one empty step; with one client and with many.
 */
export async function measureSettles(input: SettlesInput): Promise<SettlesMeasured> {
  const connection = await Connection.connect({ address: input.stage.temporal });
  const client = new Client({ connection, namespace });
  const plain = await startPlain(client);
  const parked = await parkMany(input, 'settled', input.rounds * changesEach * (crowds.length + 2));
  try {
    const settles: Crowd[] = [];
    const captures: Crowd[] = [];
    const settle = () => settleOne(input, parked);
    for (const clients of crowds) {
      settles.push(await rounds(input, `settle, ${clients} at once`, { clients, ours: settle, plain }));
      captures.push(
        await rounds(input, `capture, ${clients} at once`, { clients, ours: () => captureOne(input), plain }),
      );
    }
    const one = { clients: 1, ours: settle, plain };
    const before = await rounds(input, 'settle, few returns open', one);
    const workerMb = () => residentMemory(input.stage.worker.pid)?.now ?? Number.NaN;
    const workerMbBefore = workerMb();
    await openReturns({ ...input, client, count: input.openReturns, workerMb });
    const workerMbAfter = workerMb();
    const after = await rounds(input, `settle, ${input.openReturns} returns open`, one);
    return {
      settles,
      captures,
      openReturns: { count: input.openReturns, before, after, workerMbBefore, workerMbAfter },
    };
  } finally {
    await connection.close();
  }
}

async function parkMany({ api, token, say }: SettlesInput, name: string, count: number): Promise<number[]> {
  say(`Parking ${count} returns …`);
  const register: Register = { apiUrl: api.url, token };
  const names = Array.from({ length: count }, (_, n) => `${name}-${n}`);
  return park(register, await sell(register, names));
}

async function settleOne({ api, token }: SettlesInput, parked: number[]): Promise<void> {
  const id = parked.pop();
  if (id === undefined) throw new Error('No parked return is left.');
  const path = `/V1/pos/rma/${id}/settle`;
  const rma = await send(api.url, token, { method: 'POST', path, body: { method: 'cash' } });
  const { status } = rma as { status: string };
  if (status !== 'closed') throw new Error(`Return ${id} is ${status}, not closed.`);
}

let layaway = 0;

/** A layaway's first payment starts its workflow; each layaway gets a few. */
async function captureOne({ api, token }: SettlesInput): Promise<void> {
  const path = `/V1/pos/layaways/${layawayOf(layaway++ % followed)}/payments`;
  await send(api.url, token, { method: 'POST', path, body: { amount: 0.01, paymentMethod: 'cash' } });
}

const followed = 40;

type PlainStep = () => Promise<void>;

/** As many plain workflows as layaways: the updates of one workflow wait for each other. */
async function startPlain(client: Client): Promise<PlainStep> {
  const handles = await Promise.all(
    Array.from({ length: followed }, (_, n) =>
      client.workflow.start('followedWorkflow', { taskQueue: plainQueue, workflowId: `followed-${n}`, args: [] }),
    ),
  );
  let turn = 0;
  return async () => {
    await handles[turn++ % followed]?.executeUpdate(stepUpdate, { args: [null] });
  };
}

interface Rivals {
  clients: number;
  ours: () => Promise<void>;
  plain: PlainStep;
}

/** They alternate, so that both run under the same conditions; medians over the rounds. */
async function rounds({ rounds: count, say }: SettlesInput, name: string, { clients, ours, plain }: Rivals) {
  const mine: Wave[] = [];
  const theirs: Wave[] = [];
  for (let round = 0; round < count; round++) {
    mine.push(await wave(clients, ours));
    theirs.push(await wave(clients, plain));
  }
  const middle = (waves: readonly Wave[], of: keyof Wave) => median(waves.map((one) => one[of]));
  const crowd: Crowd = {
    clients,
    p50Ms: middle(mine, 'p50Ms'),
    p95Ms: middle(mine, 'p95Ms'),
    perSecond: middle(mine, 'perSecond'),
    plainP50Ms: middle(theirs, 'p50Ms'),
    plainPerSecond: middle(theirs, 'perSecond'),
  };
  say(`  ${name}: ${crowd.p50Ms.toFixed(0)} ms beside ${crowd.plainP50Ms.toFixed(0)} ms`);
  return crowd;
}

interface Wave {
  p50Ms: number;
  p95Ms: number;
  perSecond: number;
}

async function wave(clients: number, work: () => Promise<void>): Promise<Wave> {
  const times: number[] = [];
  let left = changesEach;
  const start = performance.now();
  const client = async () => {
    while (left-- > 0) {
      const began = performance.now();
      await work();
      times.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  const sorted = times.toSorted((one, other) => one - other);
  return {
    p50Ms: median(times),
    p95Ms: sorted[Math.ceil(sorted.length * 0.95) - 1] ?? Number.NaN,
    perSecond: (times.length * 1_000) / (performance.now() - start),
  };
}
