import { type NativeConnection, Worker, type WorkerDeploymentOptions } from '@temporalio/worker';
import { createBulkActivities, type BulkDependencies } from '../activities/bulk.ts';
import { nameActivity } from './name-activity.ts';
import { reportTrouble } from './report-trouble.ts';

export interface BulkWorkerParts {
  connection: NativeConnection;
  namespace: string;
  /** Absent: whoever polls gets the work. */
  build?: WorkerDeploymentOptions | undefined;
  /** The queue of the other workflows; the bulk queue's name is made from it. */
  taskQueue: string;
  dependencies: BulkDependencies;
}

/** Bulks carried out at the same time. More wait, so that registers keep most of the database. */
const mostAtOnce = 2;

/** A separate worker for bulks: an import of fifty thousand products must not delay refunds. */
export const createBulkWorker = ({ connection, namespace, build, taskQueue, dependencies }: BulkWorkerParts) =>
  Worker.create({
    connection,
    namespace,
    ...(build && { workerDeploymentOptions: build }),
    taskQueue: `${taskQueue}-bulk`,
    activities: createBulkActivities(dependencies),
    maxConcurrentActivityTaskExecutions: mostAtOnce,
    interceptors: { activity: [nameActivity, reportTrouble] },
    shutdownGraceTime: '5s',
    shutdownForceTime: '8s',
  });
