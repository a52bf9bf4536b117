import { type NativeConnection, Worker } from '@temporalio/worker';
import { createMailActivities, type MailDependencies } from '../activities/mails/mail-activities.ts';
import { nameActivity } from './name-activity.ts';
import { tellTrouble } from './tell-trouble.ts';

export interface RenderWorkerParts {
  connection: NativeConnection;
  namespace: string;
  /** The queue of the workflows: this one's is named after it. */
  taskQueue: string;
  dependencies: MailDependencies;
}

/** Mail servers are slow and nobody waits for them. */
const mostAtOnce = 2;

/** A worker for what may be slow, over a queue and with slots of its own: a mail never takes a refund's place. */
export const createRenderWorker = ({ connection, namespace, taskQueue, dependencies }: RenderWorkerParts) =>
  Worker.create({
    connection,
    namespace,
    taskQueue: `${taskQueue}-render`,
    activities: createMailActivities(dependencies),
    maxConcurrentActivityTaskExecutions: mostAtOnce,
    interceptors: { activity: [nameActivity, tellTrouble] },
    shutdownGraceTime: '5s',
    shutdownForceTime: '8s',
  });
