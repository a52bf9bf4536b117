import { proxyActivities, workflowInfo, type ActivityOptions } from '@temporalio/workflow';
import type { ReceiptActivities } from '../../activities/receipts/receipt-activities.ts';
import { printingPdf } from '../support/activity-options.ts';

/** The activities of the browser's own queue: a mail never waits for a PDF. */
export const makingPdf = (options: ActivityOptions = printingPdf) =>
  proxyActivities<ReceiptActivities>({ ...options, taskQueue: `${workflowInfo().taskQueue}-pdf` });
