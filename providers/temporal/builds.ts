import { setTimeout as pause } from 'node:timers/promises';
import { isGrpcServiceError, type WorkflowService } from '@temporalio/client';
import { WrongSetting, type Settings } from '../settings.ts';

/**
 * Highest number of builds that a server keeps of one deployment: the default of `matching.maxVersionsInDeployment`.
 * It does not say which number it has. At it, each poll of a new build's workers fails after a minute, and the SDK polls
 * forever: its warnings are all that shows.
 */
export const usualMaxBuilds = 100;

/** Number of builds from which operators are warned: some months of releases before the limit. */
export const warnFromBuilds = 80;

/** gRPC's numbers. */
export const grpc = { notFound: 5, failedPrecondition: 9 } as const;

type Place = Pick<Settings, 'TEMPORAL_NAMESPACE' | 'TEMPORAL_DEPLOYMENT'>;

/** The builds that the server knows of our deployment, or undefined where it knows no such deployment. */
export async function findDeployment(workflowService: WorkflowService, place: Place) {
  const { TEMPORAL_NAMESPACE: namespace, TEMPORAL_DEPLOYMENT: deploymentName } = place;
  try {
    const { workerDeploymentInfo: info } = await workflowService.describeWorkerDeployment({
      namespace,
      deploymentName,
    });
    return {
      current: info?.routingConfig?.currentDeploymentVersion?.buildId,
      versions: (info?.versionSummaries ?? []).map(({ deploymentVersion, drainageInfo }) => ({
        buildId: deploymentVersion?.buildId ?? '',
        drainage: drainageInfo?.status ?? 0,
      })),
    };
  } catch (error) {
    if (isGrpcServiceError(error) && error.code === Number(grpc.notFound)) return undefined;
    throw error;
  }
}

/** What to do about a server that keeps too many builds. */
export const howToForget =
  'list them with `temporal builds`, and remove old ones with `temporal forget <build>`, or raise the limit of the ' +
  'server (matching.maxVersionsInDeployment)';

/** A worker is registered within seconds; a busy server takes longer. */
const registeredWithinMs = 60_000;

const countOf = (builds: number) => `${builds} build${builds === 1 ? '' : 's'}`;

interface Registration {
  workflowService: WorkflowService;
  settings: Place & Pick<Settings, 'TEMPORAL_BUILD_ID'>;
  /** Ends the look-up, as when the worker stops. */
  signal: AbortSignal;
  withinMs?: number;
  everyMs?: number;
}

/**
 * Waits until the server has registered the build of this worker. Returns at once for a worker without a build.
 *
 * Throws `WrongSetting` when the server knows other builds and not this one: its limit is reached, and the worker would
 * poll and get nothing. A server that does not answer is asked again.
 */
export async function refuseUnregistered({
  workflowService,
  settings,
  signal,
  withinMs = registeredWithinMs,
  everyMs = 1_000,
}: Registration): Promise<void> {
  const { TEMPORAL_BUILD_ID: buildId, TEMPORAL_DEPLOYMENT: deploymentName } = settings;
  if (buildId === undefined) return;
  let askedSince: number | undefined;
  while (!signal.aborted) {
    const deployment = await findDeployment(workflowService, settings).catch(() => undefined);
    if (deployment?.versions.some((version) => version.buildId === buildId)) return;
    // Only the time in which the server answers counts.
    if (deployment === undefined) askedSince = undefined;
    else if (performance.now() - (askedSince ??= performance.now()) > withinMs)
      throw new WrongSetting(
        `The Temporal server does not register build ${buildId} of "${deploymentName}", so this worker gets no work: ` +
          `it knows ${countOf(deployment.versions.length)} and takes no new one at its limit (${usualMaxBuilds} by ` +
          `default); ${howToForget}.`,
      );
    await pause(everyMs, undefined, { signal }).catch(() => undefined);
  }
}
