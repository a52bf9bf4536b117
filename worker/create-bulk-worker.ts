import { type NativeConnection, Worker } from '@temporalio/worker';
import { createBulkActivities, type BulkDependencies } from '../activities/bulk/bulk-activities.ts';
import { nameActivity } from './name-activity.ts';
import { tellTrouble } from './tell-trouble.ts';

export interface BulkWorkerParts {
  connection: NativeConnection;
  namespace: string;
  /** The queue of the workflows: this one's is named after it. */
  taskQueue: string;
  dependencies: BulkDependencies;
}

/** Each takes one bulk on, operation by operation; a third waits. Registers have the database to themselves but for these. */
const mostAtOnce = 2;

/** A worker for bulks alone: an import of fifty thousand products takes no refund's place. */
export const createBulkWorker = ({ connection, namespace, taskQueue, dependencies }: BulkWorkerParts) =>
  Worker.create({
    connection,
    namespace,
    taskQueue: `${taskQueue}-bulk`,
    activities: createBulkActivities(dependencies),
    maxConcurrentActivityTaskExecutions: mostAtOnce,
    interceptors: { activity: [nameActivity, tellTrouble] },
    shutdownGraceTime: '5s',
    shutdownForceTime: '8s',
  });
