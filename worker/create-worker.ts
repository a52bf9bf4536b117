import { Client } from '@temporalio/client';
import { type NativeConnection, Worker, type WorkerDeploymentOptions } from '@temporalio/worker';
import { createActivities } from '../activities/index.ts';
import type { ActivityDependencies } from '../activities/support.ts';
import { workerEndMs, workerGraceMs } from '../domain/patience.ts';
import type { Settings } from '../providers/settings.ts';
import { nameActivity } from './name-activity.ts';
import { reportTrouble } from './report-trouble.ts';

export interface WorkerParts {
  connection: NativeConnection;
  namespace: string;
  /** Absent: whoever polls gets the work. */
  build?: WorkerDeploymentOptions | undefined;
  taskQueue: string;
  /** A file made by `bundleTo`. */
  bundle: string;
  dependencies: Omit<ActivityDependencies, 'temporal' | 'isStopping'>;
  maxCachedWorkflows?: number;
}

/** A worker with the settings that measurements showed to matter; the others keep the SDK's defaults. */
export async function createWorker({
  connection,
  namespace,
  build,
  taskQueue,
  bundle,
  dependencies,
  maxCachedWorkflows,
}: WorkerParts): Promise<Worker> {
  const worker: Worker = await Worker.create({
    connection,
    namespace,
    ...(build && { workerDeploymentOptions: build }),
    taskQueue,
    workflowBundle: { codePath: bundle },
    activities: createActivities({
      ...dependencies,
      temporal: new Client({ connection, namespace }),
      isStopping: () => !atWork.has(worker.getState()),
    }),
    // After a crash every cached workflow waits this long for its old worker; the default is ten seconds.
    stickyQueueScheduleToStartTimeout: '2s',
    maxCachedWorkflows: maxCachedWorkflows ?? cachedWorkflows,
    interceptors: { activity: [nameActivity, reportTrouble] },
    shutdownGraceTime: workerGraceMs(dependencies),
    shutdownForceTime: workerEndMs(dependencies),
  });
  return worker;
}

/**
 * Which build a worker is, by its settings; undefined where none is named. Lives of weeks and months (returns, refunds, layaways,
 * sweeps) go on with the build that is current. What ends within the hour says in its file that it stays with the build that
 * began it.
 */
export const buildOf = ({
  TEMPORAL_BUILD_ID: buildId,
  TEMPORAL_DEPLOYMENT: deploymentName,
}: Pick<Settings, 'TEMPORAL_BUILD_ID' | 'TEMPORAL_DEPLOYMENT'>): WorkerDeploymentOptions | undefined =>
  buildId === undefined
    ? undefined
    : { useWorkerVersioning: true, version: { deploymentName, buildId }, defaultVersioningBehavior: 'AUTO_UPGRADE' };

/**
 * Workflows kept in memory; the rarest used goes first, and begins again from its history, which is short. A thousand
 * take some 150 MB.
 */
const cachedWorkflows = 1_000;

const atWork: ReadonlySet<string> = new Set(['INITIALIZED', 'RUNNING']);
