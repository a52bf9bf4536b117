import { type NativeConnection, Worker, type WorkerDeploymentOptions } from '@temporalio/worker';
import { createEventActivities, type EventDependencies } from '../activities/events.ts';
import { mostEndpoints } from '../domain/events.ts';
import { webhookQueue } from '../workflows/messages.ts';
import { nameActivity } from './name-activity.ts';
import { reportTrouble } from './report-trouble.ts';

export interface WebhookWorkerParts {
  connection: NativeConnection;
  namespace: string;
  /** Absent: whoever polls gets the work. */
  build?: WorkerDeploymentOptions | undefined;
  /** The queue of the other workflows; the name of this one is made from it. */
  taskQueue: string;
  dependencies: EventDependencies;
}

/**
 * A separate worker for calls to endpoints, with a place for each that there may be: one that hangs holds its own place only,
 * and none of what moves money.
 */
export const createWebhookWorker = ({ connection, namespace, build, taskQueue, dependencies }: WebhookWorkerParts) =>
  Worker.create({
    connection,
    namespace,
    ...(build && { workerDeploymentOptions: build }),
    taskQueue: webhookQueue(taskQueue),
    activities: createEventActivities(dependencies),
    maxConcurrentActivityTaskExecutions: mostEndpoints,
    // Each heartbeat is sent: held back, as is the default, they reveal a dead worker seconds later.
    maxHeartbeatThrottleInterval: '2s',
    interceptors: { activity: [nameActivity, reportTrouble] },
    shutdownGraceTime: '1s',
    shutdownForceTime: '15s',
  });
