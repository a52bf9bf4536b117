import { type NativeConnection, Worker } from '@temporalio/worker';
import { createReceiptActivities, type PdfDependencies } from '../activities/receipts/receipt-activities.ts';
import { nameActivity } from './name-activity.ts';
import { tellTrouble } from './tell-trouble.ts';

export interface PdfWorkerParts {
  connection: NativeConnection;
  namespace: string;
  /** The queue of the workflows: this one's is named after it. */
  taskQueue: string;
  dependencies: PdfDependencies;
}

/** A browser takes a core to itself. */
const mostAtOnce = 2;

/** A worker for PDFs alone: whatever a browser does with its time, no mail and no refund waits for it. */
export const createPdfWorker = ({ connection, namespace, taskQueue, dependencies }: PdfWorkerParts) =>
  Worker.create({
    connection,
    namespace,
    taskQueue: `${taskQueue}-pdf`,
    activities: createReceiptActivities(dependencies),
    maxConcurrentActivityTaskExecutions: mostAtOnce,
    interceptors: { activity: [nameActivity, tellTrouble] },
    shutdownGraceTime: '5s',
    shutdownForceTime: '8s',
  });
