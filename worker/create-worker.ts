import { Client } from '@temporalio/client';
import { type NativeConnection, Worker } from '@temporalio/worker';
import { createActivities } from '../activities/index.ts';
import type { ActivityDependencies } from '../activities/support.ts';
import { workerEndMs, workerGraceMs } from '../domain/patience.ts';
import { nameActivity } from './name-activity.ts';
import { reportTrouble } from './report-trouble.ts';

export interface WorkerParts {
  connection: NativeConnection;
  namespace: string;
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
  taskQueue,
  bundle,
  dependencies,
  maxCachedWorkflows,
}: WorkerParts): Promise<Worker> {
  const worker: Worker = await Worker.create({
    connection,
    namespace,
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
 * Workflows kept in memory; the rarest used goes first, and begins again from its history, which is short. A thousand
 * take some 150 MB.
 */
const cachedWorkflows = 1_000;

const atWork: ReadonlySet<string> = new Set(['INITIALIZED', 'RUNNING']);
