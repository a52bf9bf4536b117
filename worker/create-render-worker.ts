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
  /** Absent: what can wait. */
  lane?: keyof typeof mostAtOnce;
}

/**
 * Mail servers are slow. For most mails nobody waits; for a one-time code somebody stands at the kiosk. Receipts are large,
 * and a sale's end brings many: short mails do not queue behind them.
 */
const mostAtOnce = { render: 2, urgent: 8, receipts: 2 };

/**
 * A worker for what may be slow, over a queue and with slots of its own: a mail never takes a refund's place, and what can
 * wait never that of a mail that cannot.
 */
export const createRenderWorker = ({
  connection,
  namespace,
  taskQueue,
  dependencies,
  lane = 'render',
}: RenderWorkerParts) =>
  Worker.create({
    connection,
    namespace,
    taskQueue: `${taskQueue}-${lane}`,
    activities: createMailActivities(dependencies),
    maxConcurrentActivityTaskExecutions: mostAtOnce[lane],
    interceptors: { activity: [nameActivity, tellTrouble] },
    shutdownGraceTime: '5s',
    shutdownForceTime: '8s',
  });
