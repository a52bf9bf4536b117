import { setTimeout as pause } from 'node:timers/promises';
import { Connection, isGrpcServiceError } from '@temporalio/client';
import { prepareNamespace } from '../providers/temporal/prepare-namespace.ts';
import { temporalConnectionOptions } from '../providers/temporal/connection.ts';
import { required, WrongSetting, type Settings } from '../providers/settings.ts';
import { patienceMs, reasonOf } from '../providers/doctor/check.ts';
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
 * `temporal use`: from now on Temporal gives new work, and every life that goes on, to the workers of this build. Safe to run
 * again; the build before it is the way back.
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
        const isUnknown = isGrpcServiceError(error) && [notFound, failedPrecondition].includes(error.code);
        if (!isUnknown) throw error;
        if (Date.now() > until)
          throw new WrongSetting(
            `No worker of build ${buildId} of "${deploymentName}" asks for work (${error.details}); start one with TEMPORAL_BUILD_ID=${buildId} first.`,
          );
      }
    }
  });
}

/** gRPC's numbers. */
const notFound = 5;
const failedPrecondition = 9;

/**
 * `temporal builds`: the builds that the server knows, and which of them gets the work. One that is drained has nothing left to
 * do: its workers may stop.
 */
export async function listBuilds({ settings }: Pick<CommandContext, 'settings'>): Promise<Answer> {
  const { TEMPORAL_NAMESPACE: namespace, TEMPORAL_DEPLOYMENT: deploymentName } = settings;
  return withServer(settings, async ({ workflowService }) => {
    const requested = workflowService.describeWorkerDeployment({ namespace, deploymentName });
    const found = await requested.catch((error: unknown) => {
      if (isGrpcServiceError(error) && error.code === notFound) return undefined;
      throw error;
    });
    const info = found?.workerDeploymentInfo;
    const current = info?.routingConfig?.currentDeploymentVersion?.buildId;
    const builds = (info?.versionSummaries ?? []).map(({ deploymentVersion, drainageInfo }) => {
      const buildId = deploymentVersion?.buildId ?? '';
      return { buildId, state: buildId === current ? 'current' : (drainage[drainageInfo?.status ?? 0] ?? 'not used') };
    });
    const lines = builds.map(({ buildId, state }) => [buildId, state]);
    return fine(lines.length === 0 ? `No build of "${deploymentName}" is known.` : columns(lines), builds);
  });
}

/** Of `VersionDrainageStatus`. */
const drainage: Readonly<Record<number, string>> = { 1: 'draining', 2: 'drained' };

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
