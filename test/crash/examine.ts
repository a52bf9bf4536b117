import { setTimeout as pause } from 'node:timers/promises';
import { readGatewayLedger } from '../../cli/verify-books.ts';
import { verify } from '../../books/verify/verify.ts';
import type { FlowRun } from './crash-flow.ts';
import { processNames, type Lane } from './lane.ts';

const restWithinMs = 120_000;
const lookEveryMs = 50;

/** Waits until nothing is under way: both processes live, the workflows of the flow have ended. */
export async function untilQuiet(lane: Lane, run: FlowRun): Promise<void> {
  await Promise.all([lane.processes.api.untilReady(), lane.processes.worker.untilReady()]);
  for (const workflowId of run.workflows()) await untilEnded(lane, workflowId);
}

async function untilEnded({ client }: Lane, workflowId: string): Promise<void> {
  for (const until = Date.now() + restWithinMs; Date.now() < until; await pause(lookEveryMs))
    if ((await statusOf(client, workflowId)) !== 'RUNNING') return;
  throw new Error(`${workflowId} was still running after ${restWithinMs / 1000} s`);
}

async function statusOf(client: Lane['client'], workflowId: string): Promise<string> {
  try {
    return (await client.workflow.getHandle(workflowId).describe()).status.name;
  } catch (error) {
    if (error instanceof Error && error.name === 'WorkflowNotFoundError') return 'NEVER_STARTED';
    throw error;
  }
}

/** Every rule of the books that does not hold, the gateway's ledger beside them, a line each. */
export async function bookFaults({ orm, gateway }: Lane): Promise<string[]> {
  const findings = await verify(orm.em.fork(), { readLedger: () => readGatewayLedger(gateway.url) });
  return findings.map(({ id, sentence, rows }) => `${id} ${sentence} ${JSON.stringify(rows.slice(0, 3))}`);
}

/**
 * Everything that is wrong once all is quiet: the books and the gateway's ledger, the answers, the flow's own rules.
 */
export async function examine(lane: Lane, run: FlowRun): Promise<string[]> {
  const books = await bookFaults(lane);
  const { faults } = lane.teller;
  const ends = processNames.flatMap((name) => lane.processes[name].ownEnds);
  return [
    ...books,
    ...(await followedFaults(lane)),
    ...(await run.faults()),
    ...faults.splice(0, faults.length),
    ...ends,
  ];
}

/** W-1: an attempt that is decided has no open workflow; an undecided one is followed by one. */
export async function followedFaults({ orm, client }: Lane): Promise<string[]> {
  const attempts = await orm.em
    .fork()
    .execute<{ attempt_id: number; state: string }[]>(
      `select attempt_id, state from refund_attempt order by attempt_id desc limit 3`,
    );
  const found = await Promise.all(
    attempts.map(async ({ attempt_id, state }) => ({
      id: `refund-attempt-${attempt_id}`,
      isOpen: (await statusOf(client, `refund-attempt-${attempt_id}`)) === 'RUNNING',
      isWanted: state === 'uncertain',
      state,
    })),
  );
  return found
    .filter(({ isOpen, isWanted }) => isOpen !== isWanted)
    .map(({ id, isOpen, state }) => `W-1 ${id} is ${isOpen ? 'open' : 'not open'} while its attempt is ${state}`);
}
