import { Client, Connection, WithStartWorkflowOperation } from '@temporalio/client';
import { namespace, plainQueue, type FlowStage } from './flow-stage.ts';
import { readyUpdate } from './plain-messages.ts';
import type { BenchProcess } from './processes.ts';
import { giveBack, sell, type Register, type Sold } from './sell.ts';
import { cpuTimeMs, median } from './support.ts';

export interface ReturnsInput {
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
  /** The minimum time of a flow with one remote step. */
  leastMs: number;
  /** Processor time of API and worker together, and of the plain worker. */
  cpuMs: number;
  plainCpuMs: number;
}

export interface ReturnsMeasured {
  rounds: ReturnsRound[];
  historyEvents: number;
}

const returnsEachRound = 25;
/** So many rounds warm up compilers and caches. */
const warmUpRounds = 2;

/**
 * A card return, created and closed in one call, beside a plain workflow of eight empty steps, the minimal workflow,
 * and the gateway's own call. They alternate, so that all run under the same conditions.
 */
export async function measureReturns(input: ReturnsInput): Promise<ReturnsMeasured> {
  const { stage, api, token, rounds, say } = input;
  const connection = await Connection.connect({ address: stage.temporal });
  const client = new Client({ connection, namespace });
  try {
    const count = (rounds + warmUpRounds) * returnsEachRound;
    say(`Selling ${count} times by card …`);
    const names = Array.from({ length: count }, (_, n) => `returned-${n}`);
    const sold = await sell({ apiUrl: api.url, token }, names);
    const done: ReturnsRound[] = [];
    for (let round = 1 - warmUpRounds; round <= rounds; round++) {
      const sales = sold.splice(0, returnsEachRound);
      const figures = await measureRound(input, client, sales);
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

async function measureRound({ stage, api, token }: ReturnsInput, client: Client, sales: readonly Sold[]) {
  const [ours, theirs] = [[api.pid, stage.worker.pid], [stage.plainWorker.pid]];
  const times = { returns: [] as Timed[], plain: [] as Timed[], least: [] as Timed[], gateway: [] as Timed[] };
  let lastReturnId = 0;
  for (const sale of sales) {
    times.returns.push(await timed(ours, async () => (lastReturnId = await close({ apiUrl: api.url, token }, sale))));
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

/** None where the route got the gateway's answer itself: then the return has no workflow. */
async function eventsOf(client: Client, rmaId: number): Promise<number> {
  try {
    return (await client.workflow.getHandle(`return-${rmaId}`).fetchHistory()).events?.length ?? 0;
  } catch (error) {
    if (error instanceof Error && error.message.includes('not found')) return 0;
    throw error;
  }
}

interface Timed {
  ms: number;
  /** Of the processes involved; ticks are coarse, so only a mean over many is meaningful. */
  cpuMs: number;
}

const cpuOf = (pids: readonly number[]) => pids.reduce((sum, pid) => sum + (cpuTimeMs(pid) ?? Number.NaN), 0);

async function timed(pids: readonly number[], work: () => Promise<unknown>): Promise<Timed> {
  const [start, cpuBefore] = [performance.now(), cpuOf(pids)];
  await work();
  return { ms: performance.now() - start, cpuMs: cpuOf(pids) - cpuBefore };
}

async function close(register: Register, sale: Sold): Promise<number> {
  const { id, status } = await giveBack(register, sale, 'original_payment');
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
