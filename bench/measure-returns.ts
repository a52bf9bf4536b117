import { Client, Connection, WithStartWorkflowOperation } from '@temporalio/client';
import { namespace, plainQueue, type FlowStage } from './flow-stage.ts';
import { stepUpdate } from './plain-messages.ts';
import type { BenchProcess } from './processes.ts';
import { giveBack, returnInOneCall, returnInSteps, sell, type Register, type Sold } from './sell.ts';
import { cpuOf, databaseMs, median } from './support.ts';

export interface ReturnsInput {
  stage: FlowStage;
  api: BenchProcess;
  token: string;
  postgresPid: number;
  rounds: number;
  say: (line: string) => void;
}

/** Milliseconds of a processor that one return takes, by where it takes them; and how many were done in a second. */
export interface Cost {
  api: number;
  worker: number;
  engine: number;
  database: number;
  perSecond: number;
  /** From the first message to the end, the median. */
  p50Ms: number;
}

export interface FlowMeasured {
  name: string;
  rounds: { ours: Cost; bare: Cost }[];
  events: number;
  mostEvents: number;
}

export interface ReturnsMeasured {
  flows: FlowMeasured[];
  /** A return by card, one after the other: its time without the gateway's own, and that of eight remote steps. */
  byCard: { returnMs: number; plainMs: number; gatewayMs: number }[];
}

interface Flow {
  name: string;
  mostEvents: number;
  /** A whole return; answers its id. */
  ours(register: Register, sale: Sold): Promise<number>;
  bare: { workflow: string; updates: number };
}

const flows: readonly Flow[] = [
  {
    name: 'in one call, cash',
    mostEvents: 9,
    bare: { workflow: 'oneLocalWorkflow', updates: 1 },
    ours: returnInOneCall,
  },
  {
    name: 'by card',
    mostEvents: 14,
    bare: { workflow: 'oneRemoteWorkflow', updates: 1 },
    ours: (register, sale) => close(register, sale),
  },
  {
    name: 'in four steps, cash',
    mostEvents: 30,
    bare: { workflow: 'fourLocalWorkflow', updates: 4 },
    ours: returnInSteps,
  },
];

const clients = 8;
const eachRound = 48;
const byCardEachRound = 25;
/** So many rounds warm up compilers and caches. */
const warmUpRounds = 2;

/** Each way of a return beside its bare flow, in turns, so that both run on the machine in the same state. */
export async function measureReturns(input: ReturnsInput): Promise<ReturnsMeasured> {
  const { stage, api, token, rounds, say } = input;
  const connection = await Connection.connect({ address: stage.temporal });
  const client = new Client({ connection, namespace });
  try {
    const register = { apiUrl: api.url, token };
    const all = rounds + warmUpRounds;
    const count = all * (flows.length * eachRound + byCardEachRound);
    say(`Selling ${count} times …`);
    const sold = await sell(
      register,
      Array.from({ length: count }, (_, n) => `returned-${n}`),
    );
    const measured: FlowMeasured[] = [];
    for (const flow of flows) {
      const done: FlowMeasured['rounds'] = [];
      let lastReturnId = 0;
      for (let round = 1 - warmUpRounds; round <= rounds; round++) {
        const ours = await crowd(input, sold.splice(0, eachRound), async (sale) => {
          lastReturnId = await flow.ours(register, sale);
        });
        const numbers = Array.from({ length: eachRound }, (_, n) => n);
        const bare = await crowd(input, numbers, (n) => runBare(client, flow, `${round}-${n}`), true);
        if (round > 0) done.push({ ours, bare });
        const [mine, theirs] = [sumOf(ours), sumOf(bare)].map((ms) => ms.toFixed(0));
        say(`  return ${flow.name}, ${round > 0 ? `round ${round}` : 'warming up'}: ${mine} ms beside ${theirs} ms`);
      }
      const events = await eventsOf(client, lastReturnId);
      measured.push({ name: flow.name, rounds: done, events, mostEvents: flow.mostEvents });
    }
    const byCard: ReturnsMeasured['byCard'] = [];
    for (let round = 1; round <= rounds; round++)
      byCard.push(await oneByOne(input, client, sold.splice(0, byCardEachRound)));
    return { flows: measured, byCard };
  } finally {
    await connection.close();
  }
}

export const sumOf = ({ api, worker, engine, database }: Cost): number => api + worker + engine + database;

/** Clients that begin again when they are done. What a bare flow's client takes is this process's. */
async function crowd<Item>(
  { stage, api, postgresPid }: ReturnsInput,
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
  isBare = false,
): Promise<Cost> {
  const used = () => ({
    api: isBare ? cpuOf([process.pid]) : cpuOf([api.pid]),
    worker: cpuOf([isBare ? stage.plainWorker.pid : stage.worker.pid]),
    engine: stage.temporalPid === undefined ? 0 : cpuOf([stage.temporalPid]),
    database: isBare ? 0 : databaseMs(postgresPid),
  });
  const waiting = [...items];
  const took: number[] = [];
  const [before, start] = [used(), performance.now()];
  const one = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
      const began = performance.now();
      await work(item);
      took.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: clients }, one));
  const [after, seconds] = [used(), (performance.now() - start) / 1_000];
  const each = (of: 'api' | 'worker' | 'engine' | 'database') => (after[of] - before[of]) / items.length;
  return {
    api: each('api'),
    worker: each('worker'),
    engine: each('engine'),
    database: each('database'),
    perSecond: items.length / seconds,
    p50Ms: median(took),
  };
}

async function runBare(client: Client, { bare: { workflow, updates } }: Flow, name: string): Promise<void> {
  const workflowId = `${workflow}-${name}`;
  await client.workflow.executeUpdateWithStart(stepUpdate, {
    args: [null],
    startWorkflowOperation: new WithStartWorkflowOperation(workflow, {
      taskQueue: plainQueue,
      workflowId,
      args: [],
      workflowIdConflictPolicy: 'USE_EXISTING',
    }),
  });
  for (let n = 1; n < updates; n++)
    await client.workflow.getHandle(workflowId).executeUpdate(stepUpdate, { args: [null] });
}

/** One client: what a cashier waits for. */
async function oneByOne({ stage, api, token }: ReturnsInput, client: Client, sales: readonly Sold[]) {
  const times = { returnMs: [] as number[], plainMs: [] as number[], gatewayMs: [] as number[] };
  for (const sale of sales) {
    times.returnMs.push(await timed(() => close({ apiUrl: api.url, token }, sale)));
    times.plainMs.push(await timed(() => runPlain(client, sale)));
    times.gatewayMs.push(await timed(() => askGateway(stage.gateway, sale)));
  }
  return {
    returnMs: median(times.returnMs),
    plainMs: median(times.plainMs),
    gatewayMs: median(times.gatewayMs),
  };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function eventsOf(client: Client, rmaId: number): Promise<number> {
  return (await client.workflow.getHandle(`return-${rmaId}`).fetchHistory()).events?.length ?? 0;
}

async function close(register: Register, sale: Sold): Promise<number> {
  const { id, status } = await giveBack(register, sale, 'original_payment');
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
