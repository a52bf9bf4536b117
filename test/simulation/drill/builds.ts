import { setTimeout as pause } from 'node:timers/promises';
import { listBuilds, moveFrom, useBuild, type KnownBuild } from '../../../cli/set-up-temporal.ts';
import { parseSettings } from '../../../providers/settings.ts';
import type { CrashFlow, FlowRun } from '../../crash/crash-flow.ts';
import { followedFaults, untilQuiet } from '../../crash/examine.ts';
import { crashFlows } from '../../crash/flows/index.ts';
import type { KeptProcess } from '../../crash/kept-process.ts';
import type { Lane } from '../../crash/lane.ts';
import { aTeller } from '../../crash/teller.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { evening } from '../evening.ts';
import { findWrong } from '../find-wrong.ts';

/** The builds of a deployment: the lane's own processes are `a`. */
export const [oldBuild, newBuild] = ['a', 'b'] as const;
type Build = typeof oldBuild | typeof newBuild;

export interface BuildsReport {
  flows: number;
  /** Lives that both builds took steps of. */
  crossed: number;
  /** Open or ended, by kind: what stays with its build, and what goes on with the current one. */
  stayed: Record<string, number>;
  wentOn: Record<string, number>;
  /** How long a worker and an API took to end, with their work, in seconds. */
  drained: Record<string, number>;
  wrong: string[];
  [figure: string]: unknown;
}

interface Shift {
  flow: CrashFlow;
  run: FlowRun;
}

const beginWithinMs = 2_000;
const nightNames = ['roll-up-telemetry', 'purge-leftovers', 'purge-one-time-codes', 'expire-layaways', 'check-books'];
/** What ends within the hour, and so stays with the build that began it. */
const short = new Set(['mailWorkflow', 'urgentMailWorkflow', 'receiptPdfWorkflow', 'bulkWorkflow']);
const quietWithinMs = 180_000;
const lateMs = 10_000;

/**
 * A deployment with every flow of a register under way: workers and APIs of two builds beside each other, rolled
 * forward, rolled back, and a build whose workers are lost for good. What is prepared while one build is current goes on
 * while the next one is, so parked returns, open doubts and layaways cross each step. The lane's processes are the old
 * build.
 */
export async function drillBuilds(lane: Lane, flows = everyFlow): Promise<BuildsReport> {
  const wrong: string[] = [];
  const shop = await aDeployment(lane, wrong);
  await shop.use(oldBuild);
  const done: Shift[] = [];
  let ready = await prepare(shop.front, flows);
  const steps = [
    (taken: () => void) => shop.rollTo(newBuild, oldBuild, taken),
    (taken: () => void) => shop.rollTo(oldBuild, newBuild, taken),
    (taken: () => void) => shop.lose(oldBuild, newBuild, taken),
  ];
  for (const [at, step] of steps.entries()) {
    const nextIsCurrent = Promise.withResolvers<void>();
    const under = ready.map(async ({ flow, run }, nth) => {
      // Half of them rest until the next build is the current one: what the first build began, the next one ends.
      if (nth % 2 === 1) await nextIsCurrent.promise;
      await pause((beginWithinMs * nth) / ready.length);
      await run.go().catch((error: unknown) => wrong.push(`${flow.id} in step ${at + 1}: ${String(error)}`));
    });
    await startNights(lane);
    await pause(beginWithinMs / 2);
    await step(nextIsCurrent.resolve);
    await Promise.all(under);
    done.push(...ready);
    ready = at === steps.length - 1 ? [] : await prepare(shop.front, flows);
  }
  await evening(shop.front);
  for (const { flow, run } of done) {
    await untilQuiet(shop.front, run).catch((error: unknown) => wrong.push(`${flow.id}: ${String(error)}`));
    wrong.push(...(await run.faults()).map((fault) => `${flow.id}: ${fault}`));
  }
  wrong.push(...(await findStuck(lane)), ...(await findFailed(lane)), ...(await followedFaults(lane)));
  const kinds = await kindsOf(lane);
  wrong.push(...Object.keys(kinds.stayed).flatMap((kind) => (short.has(kind) ? [] : [`${kind} stays with its build`])));
  wrong.push(...Object.keys(kinds.wentOn).flatMap((kind) => (short.has(kind) ? [`${kind} leaves its build`] : [])));
  const crossed = await countCrossed(lane, done);
  const report = { flows: done.length, crossed, ...kinds, drained: shop.drained, moved: shop.moved() };
  await shop.end();
  return { ...report, wrong: [...wrong, ...shop.front.teller.faults, ...(await findWrong(lane))] };
}

const everyFlow = crashFlows.filter(({ isAlone }) => isAlone !== true);

async function prepare(front: Lane, flows: readonly CrashFlow[]): Promise<Shift[]> {
  const ready: Shift[] = [];
  for (const flow of flows) ready.push({ flow, run: await flow.prepare(front) });
  return ready;
}

const startNights = ({ client, taskQueue }: Lane) =>
  Promise.all(nightNames.map((name) => client.schedule.getHandle(`${name}-${taskQueue}`).trigger()));

/** A shop whose API and worker are there twice, behind one address, and what its operator does. */
async function aDeployment(lane: Lane, wrong: string[]) {
  const settings = parseSettings({ ...lane.environment, WORKFLOW_BUNDLE: undefined });
  const known = async () => (await listBuilds({ settings })).json as KnownBuild[];
  const variables = { TEMPORAL_BUILD_ID: newBuild };
  const [api, worker] = [await lane.another('api', variables), await lane.another('worker', variables)];
  const processes: Record<Build, { api: KeptProcess; worker: KeptProcess; url: string }> = {
    [oldBuild]: { ...lane.processes, url: lane.url },
    [newBuild]: { api: api.kept, worker: worker.kept, url: api.url },
  };
  let open = [lane.url];
  let turn = 0;
  const url = () => open[turn++ % open.length] ?? lane.url;
  const drained: Record<string, number> = {};
  let moved = 0;

  const use = (build: Build) => useBuild({ settings }, build);
  /** What a build began of mails, PDFs and bulks has ended. */
  const untilNothingStays = (build: Build) =>
    waitUntil(
      `nothing stays with build ${build}`,
      async () => (await known()).every(({ buildId, stay }) => buildId !== build || stay === 0),
      quietWithinMs,
    );
  const end = async (one: KeptProcess, name: string) => {
    const began = performance.now();
    const how = await one.stop('SIGTERM');
    drained[name] = Math.round((performance.now() - began) / 100) / 10;
    if (how !== 0) wrong.push(`the ${name} ended with ${how}`);
  };
  const start = async ({ api: one, worker: other }: { api: KeptProcess; worker: KeptProcess }) =>
    void (await Promise.all([one.start(), other.start()]));

  return {
    front: { ...lane, teller: aTeller({ url, token: lane.token }) },
    drained,
    moved: () => moved,
    use,

    /** As `docs/deploy/README.md` says: new ones beside the old ones, the work to the new ones, the old ones end. */
    async rollTo(next: Build, before: Build, taken: () => void): Promise<void> {
      await start(processes[next]);
      open = [processes[before].url, processes[next].url];
      await pause(beginWithinMs);
      await use(next);
      taken();
      await pause(beginWithinMs);
      open = [processes[next].url];
      await end(processes[before].api, `api ${before}`);
      await untilNothingStays(before);
      await end(processes[before].worker, `worker ${before}`);
    },

    /** The machine of the workers is lost with what they had in hand, and that build cannot be started any more. */
    async lose(lost: Build, next: Build, taken: () => void): Promise<void> {
      await processes[lost].worker.stop('SIGKILL');
      await start(processes[next]);
      open = [processes[lost].url, processes[next].url];
      await use(next);
      taken();
      await waitUntil(
        `everything of build ${lost} goes on with build ${next}`,
        async () => {
          const { moved: ids } = (await moveFrom({ settings }, lost)).json as { moved: string[] };
          moved += ids.length;
          return (await known()).every(({ buildId, stay }) => buildId !== lost || stay === 0);
        },
        quietWithinMs,
      );
    },
    end: () => Promise.all([api.kept, worker.kept].map((one) => one.stop())),
  };
}

const ours = ({ taskQueue }: Lane) => `TaskQueue = '${taskQueue}'`;

/** A step that nobody takes, and what stays with a build although all is quiet. */
async function findStuck(lane: Lane): Promise<string[]> {
  const stuck: string[] = [];
  for await (const { workflowId, runId, type } of lane.client.workflow.list({
    query: `${ours(lane)} AND ExecutionStatus = 'Running'`,
  })) {
    const { raw, status } = await lane.client.workflow.getHandle(workflowId, runId).describe();
    if (status.name !== 'RUNNING') continue;
    const { pendingWorkflowTask: step, workflowExecutionInfo: info } = raw;
    const since = Number(step?.originalScheduledTime?.seconds ?? step?.scheduledTime?.seconds ?? 0) * 1_000;
    if (step && Date.now() - since > lateMs) stuck.push(`nobody takes the step of ${workflowId}`);
    if (short.has(type)) stuck.push(`${workflowId} is still open, of build ${info?.versioningInfo?.version}`);
  }
  return stuck;
}

/** Failed always means a fault here: what is refused is a value. */
async function findFailed(lane: Lane): Promise<string[]> {
  const failed: string[] = [];
  for await (const { workflowId, status } of lane.client.workflow.list({
    query: `${ours(lane)} AND ExecutionStatus IN ('Failed', 'TimedOut', 'Terminated')`,
  }))
    failed.push(`${workflowId} ended as ${status.name}`);
  return failed;
}

async function kindsOf(lane: Lane): Promise<{ stayed: Record<string, number>; wentOn: Record<string, number> }> {
  const counted = async (behavior: string) => {
    const counts: Record<string, number> = {};
    const query = `${ours(lane)} AND TemporalWorkflowVersioningBehavior = '${behavior}'`;
    for await (const { type } of lane.client.workflow.list({ query })) counts[type] = (counts[type] ?? 0) + 1;
    return counts;
  };
  return { stayed: await counted('Pinned'), wentOn: await counted('AutoUpgrade') };
}

async function countCrossed(lane: Lane, done: readonly Shift[]): Promise<number> {
  let crossed = 0;
  for (const workflowId of new Set(done.flatMap(({ run }) => run.workflows()))) {
    const history = await lane.client.workflow
      .getHandle(workflowId)
      .fetchHistory()
      .catch(() => undefined);
    const builds = new Set(
      (history?.events ?? []).flatMap(
        ({ workflowTaskCompletedEventAttributes: step }) => step?.deploymentVersion?.buildId ?? [],
      ),
    );
    if (builds.size > 1) crossed++;
  }
  return crossed;
}
