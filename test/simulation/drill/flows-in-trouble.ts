import { setTimeout as pause } from 'node:timers/promises';
import type { CrashFlow, FlowRun } from '../../crash/crash-flow.ts';
import { followedFaults, untilQuiet } from '../../crash/examine.ts';
import { crashFlows } from '../../crash/flows/index.ts';
import { claimOnPage } from '../../crash/flows/receipts.ts';
import type { Lane } from '../../crash/lane.ts';
import type { Servers } from '../../crash/servers.ts';
import type { Pressed } from '../../crash/teller.ts';
import { evening } from '../evening.ts';
import { findWrong } from '../find-wrong.ts';
import { standStill } from './trouble.ts';

export const flowTroubleNames = [
  'temporal-frozen',
  'temporal-away',
  'database-frozen',
  'disk-full',
  'worker-frozen',
  'no-worker',
  'older-worker',
] as const;
export type FlowTrouble = (typeof flowTroubleNames)[number];

interface Parts {
  lane: Lane;
  servers: Servers;
  seconds: number;
}

/** What is away or slow while every flow of a register is under way. Each settles when all is well again. */
const troubles: Record<FlowTrouble, (parts: Parts) => Promise<unknown>> = {
  'temporal-frozen': ({ servers, seconds }) => standStill(servers.temporalPid() ?? 0, seconds),
  async 'temporal-away'({ servers, seconds }) {
    if (!servers.restartTemporal) throw new Error('this drill needs a Temporal server of its own');
    await servers.restartTemporal(seconds * 1_000);
  },
  'database-frozen': ({ servers, seconds }) => standStill(servers.postgresPid ?? 0, seconds),
  /** The tables of PostgreSQL cannot grow. */
  async 'disk-full'({ servers, seconds }) {
    if (!servers.disk) throw new Error('this drill needs a separate disk, which root can mount');
    await servers.disk.fill();
    await pause(seconds * 1_000);
    servers.disk.empty();
  },
  async 'worker-frozen'({ lane, seconds }) {
    lane.processes.worker.standStill();
    await pause(seconds * 1_000);
    lane.processes.worker.goOn();
  },
  async 'no-worker'({ lane, seconds }) {
    await lane.processes.worker.stop();
    await pause(seconds * 1_000);
    await lane.processes.worker.start();
  },
  /** One that lacks activities works beside one that has them, as in the middle of a deployment. */
  async 'older-worker'({ lane, seconds }) {
    const older = await lane.aWorkerWith(new URL('older-worker.ts', import.meta.url).href);
    await older.start();
    await pause(seconds * 1_000);
    await older.stop('SIGTERM');
  },
};

export interface FlowDrill extends Parts {
  trouble: FlowTrouble;
  flows?: readonly CrashFlow[];
}

/** How the routes answered while the trouble lasted. */
interface Answers {
  /** Each status, of all routes. */
  statuses: Map<string, number>;
  /** The slowest answer of each route, in seconds. */
  slowest: Map<string, number>;
  silent: string[];
}

export interface FlowReport {
  flows: number;
  statuses: Record<string, number>;
  /** The routes that took longest, in seconds. */
  slowest: Record<string, number>;
  wrong: string[];
}

/**
 * A caller is answered within this long, or the drill is wrong: the plan's eight seconds, and as much for a busy
 * machine.
 */
const lateSeconds = 16;
const routesTold = 6;
const beginWithinMs = 2_000;

/**
 * Every flow of the matrix is under way while something is away: registers press until they have an answer. Each flow
 * then ended as it should, once; every answer came in time; the books are right.
 */
export async function drillFlows({
  lane,
  servers,
  seconds,
  trouble,
  flows = crashFlows.filter(({ isAlone }) => isAlone !== true),
}: FlowDrill): Promise<FlowReport> {
  const answers: Answers = { statuses: new Map(), slowest: new Map(), silent: [] };
  const runs: { flow: CrashFlow; run: FlowRun }[] = [];
  // A public page takes ten presses in ten minutes; a disk that refuses at once uses them up.
  const fit = trouble === 'disk-full' ? flows.filter(({ id }) => id !== claimOnPage.id) : flows;
  for (const flow of fit) runs.push({ flow, run: await flow.prepare(lane) });
  const faults: string[] = [];
  const under = runs.map(async ({ flow, run }, at) => {
    await pause((beginWithinMs * at) / runs.length);
    await run.go().catch((error: unknown) => faults.push(`${flow.id}: ${String(error)}`));
  });
  lane.teller.watch = noteIn(answers);
  await pause(beginWithinMs / 2);
  await troubles[trouble]({ lane, servers, seconds });
  await Promise.all(under);
  lane.teller.watch = undefined;
  await evening(lane);
  for (const { flow, run } of runs) {
    await untilQuiet(lane, run).catch((error: unknown) => faults.push(`${flow.id}: ${String(error)}`));
    faults.push(...(await run.faults()).map((fault) => `${flow.id}: ${fault}`));
  }
  const slowest = [...answers.slowest].toSorted(([, one], [, other]) => other - one);
  const late = slowest
    .filter(([, took]) => took > lateSeconds)
    .map(([route, took]) => `${route} took ${took.toFixed(1)} s`);
  return {
    flows: runs.length,
    statuses: Object.fromEntries(answers.statuses),
    slowest: Object.fromEntries(
      slowest.slice(0, routesTold).map(([route, took]) => [route, Math.round(took * 10) / 10]),
    ),
    wrong: [...faults, ...late, ...answers.silent, ...(await followedFaults(lane)), ...(await findWrong(lane))],
  };
}

const noteIn =
  ({ statuses, slowest, silent }: Answers) =>
  ({ method, path, answer, seconds }: Pressed): void => {
    const route = `${method} ${path.split('?')[0]?.replaceAll(/\d+/g, ':id')}`;
    const status = String(answer?.status ?? 'silence');
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    slowest.set(route, Math.max(slowest.get(route) ?? 0, seconds));
    if (!answer) silent.push(`${route} had no answer for ${seconds.toFixed(1)} s`);
  };
