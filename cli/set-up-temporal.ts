import { setTimeout as pause } from 'node:timers/promises';
import { Connection, isGrpcServiceError } from '@temporalio/client';
import { prepareNamespace } from '../providers/temporal/prepare-namespace.ts';
import { temporalConnectionOptions } from '../providers/temporal/connection.ts';
import { required, WrongSetting, type Settings } from '../providers/settings.ts';
import { patienceMs, reasonOf } from '../providers/doctor/check.ts';
import { findDeployment, grpc, howToForget, usualMaxBuilds, warnFromBuilds } from '../providers/temporal/builds.ts';
import { columns, fine, type Answer, type CommandContext } from './support.ts';

/**
 * `temporal set-up`: makes on a server of your own what API and worker need. Safe to run again.
 *
 * Throws `WrongSetting` when no server answers, or when it does not let us.
 */
export async function setUpTemporal({ settings }: CommandContext): Promise<Answer> {
  const address = required(settings, 'TEMPORAL_ADDRESS');
  const namespace = settings.TEMPORAL_NAMESPACE;
  return withServer(settings, async (connection) => {
    try {
      const made = await prepareNamespace(connection, namespace);
      const what = made.length === 0 ? 'nothing was missing' : `made ${made.join('; ')}`;
      return fine(`The namespace "${namespace}" at ${address} is ready: ${what}.`, { namespace, address, made });
    } catch (error) {
      throw new WrongSetting(
        `The namespace "${namespace}" at ${address} could not be made (${reasonOf(error)}); on a server of others let its owner make it.`,
      );
    }
  });
}

/** A worker that was just started is known to the server after some seconds. */
const usuallyKnownWithinMs = 30_000;
const askAgainMs = 500;

/**
 * `temporal use`: from now on Temporal gives new work, and every life that goes on, to the workers of this build. Safe
 * to run again; the build before it is the way back.
 *
 * Throws `WrongSetting` when no worker of this build asks for work, or when no server answers.
 */
export async function useBuild(
  { settings }: Pick<CommandContext, 'settings'>,
  buildId: string,
  knownWithinMs = usuallyKnownWithinMs,
): Promise<Answer> {
  const { TEMPORAL_NAMESPACE: namespace, TEMPORAL_DEPLOYMENT: deploymentName } = settings;
  return withServer(settings, async ({ workflowService }) => {
    for (const until = Date.now() + knownWithinMs; ; await pause(askAgainMs)) {
      try {
        await workflowService.setWorkerDeploymentCurrentVersion({
          namespace,
          deploymentName,
          buildId,
          identity: 'pos',
        });
        return fine(`The workers of build ${buildId} of "${deploymentName}" get the work.`, {
          deploymentName,
          buildId,
        });
      } catch (error) {
        const isUnknown = isGrpcServiceError(error) && isUnknownOrBusy(error.code);
        if (!isUnknown) throw error;
        if (Date.now() > until)
          throw new WrongSetting(
            `No worker of build ${buildId} of "${deploymentName}" asks for work (${error.details}); start one with TEMPORAL_BUILD_ID=${buildId} first. If one runs, the server keeps as many builds as it may: ${howToForget}.`,
          );
      }
    }
  });
}

const isUnknownOrBusy = (code: number) => code === Number(grpc.notFound) || code === Number(grpc.failedPrecondition);

/** A build that the server knows. */
export interface KnownBuild {
  buildId: string;
  state: string;
  /** Mails, PDFs and bulks that it began and that only its workers end. */
  stay: number;
  /** Workers of it that ask for work. */
  workers: number;
}

/**
 * `temporal builds`: the builds that the server knows, and which of them gets the work. One that is drained has nothing left to
 * do: its workers may stop. One without workers that has work left needs a person, and the answer says what to do.
 */
export async function listBuilds({ settings }: Pick<CommandContext, 'settings'>, now = Date.now()): Promise<Answer> {
  const { TEMPORAL_DEPLOYMENT: deploymentName } = settings;
  return withServer(settings, async (connection) => {
    const builds = await readBuilds(connection, settings, now);
    const lines = builds.map(({ buildId, state, stay, workers }) => [
      ...[buildId, state, counted(workers, 'worker')],
      ...(stay === 0 ? [] : [`${stay} of its own to end`]),
      ...(stay > 0 && workers === 0 ? [`start a worker of it, or run: temporal move ${buildId}`] : []),
    ]);
    if (lines.length === 0) return fine(`No build of "${deploymentName}" is known.`, builds);
    const isNearlyFull = builds.length >= warnFromBuilds;
    return fine(isNearlyFull ? `${columns(lines)}\n${nearlyFull(builds.length)}` : columns(lines), builds);
  });
}

const nearlyFull = (count: number) =>
  `The server knows ${count} builds. At its limit, ${usualMaxBuilds} by default, workers of a new one get no work: ` +
  'remove old ones with temporal forget <build>.';

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** A poll lasts a minute: who asked longer ago has gone. */
const asksWithinMs = 75_000;

async function readBuilds({ workflowService }: Connection, settings: Settings, now: number): Promise<KnownBuild[]> {
  const { TEMPORAL_NAMESPACE: namespace, TEMPORAL_DEPLOYMENT: deploymentName, TEMPORAL_TASK_QUEUE: name } = settings;
  const found = await findDeployment(workflowService, settings);
  const { pollers } = await workflowService.describeTaskQueue({ namespace, taskQueue: { name }, taskQueueType: 1 });
  const builds: KnownBuild[] = [];
  for (const { buildId, drainage } of found?.versions ?? []) {
    const stay = await workflowService.countWorkflowExecutions({ namespace, query: staying(settings, buildId) });
    const asking = (pollers ?? []).filter(
      ({ deploymentOptions, lastAccessTime }) =>
        deploymentOptions?.deploymentName === deploymentName &&
        deploymentOptions.buildId === buildId &&
        Number(lastAccessTime?.seconds ?? 0) * 1_000 > now - asksWithinMs,
    );
    builds.push({
      buildId,
      state: buildId === found?.current ? 'current' : (drainageNames[drainage] ?? 'not used'),
      stay: Number(stay.count),
      workers: new Set(asking.map(({ identity }) => identity)).size,
    });
  }
  return builds;
}

/** What is open and stays with the build that began it. */
const staying = ({ TEMPORAL_DEPLOYMENT: deployment }: Settings, build: string) =>
  `ExecutionStatus = 'Running' AND TemporalWorkflowVersioningBehavior = 'Pinned' AND TemporalWorkerDeploymentVersion = '${deployment}:${build}'`;

/** Of one page; a second run takes the next. */
const mostMoved = 1_000;

/**
 * `temporal move`: what a build began and only its workers would end goes on with the build that is current. For a build whose
 * workers nobody can start any more. Safe to run again.
 *
 * Throws `WrongSetting` when the build is current, or when no server answers.
 */
export async function moveFrom({ settings }: Pick<CommandContext, 'settings'>, buildId: string): Promise<Answer> {
  const { TEMPORAL_NAMESPACE: namespace, TEMPORAL_DEPLOYMENT: deploymentName } = settings;
  return withServer(settings, async (connection) => {
    const builds = await readBuilds(connection, settings, Date.now());
    const [current] = builds.filter(({ state }) => state === 'current');
    if (!builds.some((build) => build.buildId === buildId) || current?.buildId === buildId || !current)
      throw new WrongSetting(
        `Nothing moves from build "${buildId}" of "${deploymentName}": it is not known, or no other one is current; temporal builds lists them.`,
      );
    const { workflowService } = connection;
    const { executions } = await workflowService.listWorkflowExecutions({
      ...{ namespace, query: staying(settings, buildId), pageSize: mostMoved },
    });
    const moved: string[] = [];
    for (const { execution } of executions) {
      const changed = workflowService.updateWorkflowExecutionOptions({
        ...{ namespace, workflowExecution: execution ?? null, identity: 'pos' },
        workflowExecutionOptions: { versioningOverride: { autoUpgrade: true } },
        updateMask: { paths: ['versioning_override'] },
      });
      const isThere = await changed.then(
        () => true,
        (error: unknown) => {
          // It has ended meanwhile.
          if (isGrpcServiceError(error) && isUnknownOrBusy(error.code)) return false;
          throw error;
        },
      );
      if (isThere) moved.push(execution?.workflowId ?? '');
    }
    const what = moved.length === 0 ? 'Nothing was left of' : `${moved.length} of`;
    return fine(`${what} build ${buildId}${moved.length === 0 ? '' : ` go on with build ${current.buildId}`}.`, {
      ...{ from: buildId, to: current.buildId, moved },
    });
  });
}

/**
 * `temporal forget`: removes a build from the server, which keeps a limited number of them. Returns, refunds and layaways
 * that it began continue with the current build.
 *
 * Throws `WrongSetting` when the build is current, has workers or work that only its workers end, or when the server still
 * counts workers that were stopped: it does so for some minutes.
 */
export async function forgetBuild(
  { settings }: Pick<CommandContext, 'settings'>,
  buildId: string,
  now = Date.now(),
): Promise<Answer> {
  const { TEMPORAL_NAMESPACE: namespace, TEMPORAL_DEPLOYMENT: deploymentName } = settings;
  return withServer(settings, async (connection) => {
    const build = (await readBuilds(connection, settings, now)).find((known) => known.buildId === buildId);
    const why = refusalToForget(build);
    if (why !== undefined) throw new WrongSetting(`Build "${buildId}" of "${deploymentName}" is not removed: ${why}.`);
    const removal = connection.workflowService.deleteWorkerDeploymentVersion({
      ...{ namespace, deploymentVersion: { deploymentName, buildId }, identity: 'pos' },
      // What is left of it is known: nothing stays with it.
      skipDrainage: true,
    });
    await removal.catch((error: unknown) => {
      if (!isGrpcServiceError(error) || !isUnknownOrBusy(error.code)) throw error;
      throw new WrongSetting(
        `Build "${buildId}" of "${deploymentName}" is not removed: ${error.details}. Workers that were stopped count for some minutes; try again then.`,
      );
    });
    return fine(`The server no longer knows build ${buildId} of "${deploymentName}".`, { deploymentName, buildId });
  });
}

function refusalToForget(build: KnownBuild | undefined): string | undefined {
  if (!build) return 'the server does not know it; temporal builds lists those it knows';
  if (build.state === 'current') return 'it gets the work';
  if (build.workers > 0) return `${counted(build.workers, 'worker')} of it asks for work; stop them first`;
  return build.stay === 0
    ? undefined
    : `${build.stay} of its workflows have not ended; run temporal move ${build.buildId} first`;
}

/** Of `VersionDrainageStatus`. */
const drainageNames: Readonly<Record<number, string>> = { 1: 'draining', 2: 'drained' };

async function withServer<Result>(
  settings: Settings,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const address = required(settings, 'TEMPORAL_ADDRESS');
  const options = { ...temporalConnectionOptions(settings, address), connectTimeout: patienceMs };
  const connection = await Connection.connect(options).catch((error: unknown) => {
    throw new WrongSetting(
      `No Temporal server answers at ${address} (${reasonOf(error)}); start it, or correct TEMPORAL_ADDRESS.`,
    );
  });
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}
