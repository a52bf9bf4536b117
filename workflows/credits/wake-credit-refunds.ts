import { proxyActivities } from '@temporalio/workflow';
import type { CreditRefundActivities } from '../../activities/credits/credit-refund-activities.ts';
import type { creditRefundWorkflow } from '../credit-refunds.ts';
import { sweeping } from '../support/activity-options.ts';
import { posOrderId } from '../support/search-attributes.ts';
import { startDetached } from '../support/start-detached.ts';
import { creditRefundId } from './messages.ts';

const { findReservedCredit } = proxyActivities<CreditRefundActivities>(sweeping);

/** Starts the workflows of undecided refunds to credit, where they do not run. */
export async function wakeCreditRefunds(): Promise<void> {
  for (const { refundId, orderId, requestKey } of await findReservedCredit()) {
    await startDetached<typeof creditRefundWorkflow>('creditRefundWorkflow', {
      workflowId: creditRefundId(orderId, requestKey),
      args: [{ orderId, requestKey, refundId }],
      staticSummary: `Refund ${refundId} to credit, taken up again`,
      typedSearchAttributes: [{ key: posOrderId, value: orderId }],
    });
  }
}
