import { type NativeConnection, Worker, type WorkerDeploymentOptions } from '@temporalio/worker';
import { createReceiptActivities, type PdfDependencies } from '../activities/receipts.ts';
import { nameActivity } from './name-activity.ts';
import { reportTrouble } from './report-trouble.ts';

export interface PdfWorkerParts {
  connection: NativeConnection;
  namespace: string;
  /** Absent: whoever polls gets the work. */
  build?: WorkerDeploymentOptions | undefined;
  /** The workflows' queue: the name of this worker's queue begins with it. */
  taskQueue: string;
  dependencies: PdfDependencies;
}

/** A browser uses a whole core. */
const mostAtOnce = 2;

/**
 * A worker only for PDFs: a slow browser delays no mail and no refund. Its browser starts at once, so that the first
 * receipt does not wait for it.
 */
export const createPdfWorker = ({ connection, namespace, build, taskQueue, dependencies }: PdfWorkerParts) => {
  void warm(dependencies);
  return Worker.create({
    connection,
    namespace,
    ...(build && { workerDeploymentOptions: build }),
    taskQueue: `${taskQueue}-pdf`,
    activities: createReceiptActivities(dependencies),
    maxConcurrentActivityTaskExecutions: mostAtOnce,
    // Each heartbeat is sent: held back, as is the default, they reveal a dead worker seconds later.
    maxHeartbeatThrottleInterval: '2s',
    interceptors: { activity: [nameActivity, reportTrouble] },
    shutdownGraceTime: '5s',
    shutdownForceTime: '8s',
  });
};

async function warm({ printer, log }: PdfDependencies): Promise<void> {
  const reason = await printer.missing().catch((error: unknown) => String(error));
  if (reason !== null) log.warn({ reason }, 'receipts have no PDF at the moment');
}
