import { NativeConnection, Worker } from '@temporalio/worker';
import { createActivities } from '../activities/index.ts';
import { keepShopClock } from '../db/support/shop-clock.ts';
import type { ActivityDependencies } from '../activities/support/dependencies.ts';
import { nameActivity } from './name-activity.ts';
import { reportTrouble } from './report-trouble.ts';

export interface WorkerParts {
  connection: NativeConnection;
  namespace: string;
  taskQueue: string;
  /** A file made by `bundleTo`. */
  bundle: string;
  dependencies: ActivityDependencies;
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
  const worker = await Worker.create({
    connection,
    namespace,
    taskQueue,
    workflowBundle: { codePath: bundle },
    activities: createActivities(dependencies),
    // After a crash every cached workflow waits this long for its old worker; the default is ten seconds.
    stickyQueueScheduleToStartTimeout: '2s',
    maxCachedWorkflows: maxCachedWorkflows ?? 500,
    interceptors: { activity: [nameActivity, reportTrouble] },
    shutdownGraceTime: '5s',
    shutdownForceTime: '8s',
  });
  keepShopClock(
    () => dependencies.orm.em.fork(),
    () => ['STOPPED', 'FAILED'].includes(worker.getState()),
  );
  return worker;
}
