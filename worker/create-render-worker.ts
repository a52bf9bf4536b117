import { type NativeConnection, Worker, type WorkerDeploymentOptions } from '@temporalio/worker';
import { createMailActivities } from '../activities/mails.ts';
import type { MailDependencies } from '../activities/mails/mail-dependencies.ts';
import { nameActivity } from './name-activity.ts';
import { reportTrouble } from './report-trouble.ts';

export interface RenderWorkerParts {
  connection: NativeConnection;
  namespace: string;
  /** Absent: whoever polls gets the work. */
  build?: WorkerDeploymentOptions | undefined;
  /** The workflows' queue: the name of this worker's queue begins with it. */
  taskQueue: string;
  dependencies: MailDependencies;
  /** Absent: mails that can wait. */
  lane?: keyof typeof mostAtOnce;
}

/**
 * Mail servers are slow. Most mails can wait, but a customer waits at the kiosk for a one-time code. Receipts are
 * large and come in bursts, so short mails have their own slots.
 */
const mostAtOnce = { render: 2, urgent: 8, receipts: 2 };

/**
 * A worker for slow work, with its own queue and slots. So a mail never takes a refund's slot, and a mail that can
 * wait never takes an urgent one's.
 */
export const createRenderWorker = ({
  connection,
  namespace,
  build,
  taskQueue,
  dependencies,
  lane = 'render',
}: RenderWorkerParts) =>
  Worker.create({
    connection,
    namespace,
    ...(build && { workerDeploymentOptions: build }),
    taskQueue: `${taskQueue}-${lane}`,
    activities: createMailActivities(dependencies),
    maxConcurrentActivityTaskExecutions: mostAtOnce[lane],
    // Each heartbeat is sent: held back, as is the default, they reveal a dead worker seconds later.
    maxHeartbeatThrottleInterval: '2s',
    interceptors: { activity: [nameActivity, reportTrouble] },
    shutdownGraceTime: '5s',
    shutdownForceTime: '8s',
  });
