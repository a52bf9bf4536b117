import { proxyActivities } from '@temporalio/workflow';
import type { SelfCheckoutActivities } from '../../activities/self-checkout/self-checkout-activities.ts';
import { sweeping } from '../support/activity-options.ts';

const { purgeOneTimeCodes: purgeBatch } = proxyActivities<SelfCheckoutActivities>(sweeping);

/** The next hour deletes what so many batches leave. */
const rowsPerBatch = 5_000;
const mostBatches = 100;

/**
 * Each hour: deletes expired one-time codes and their mails (spec 6). A late run does no harm, because a verification
 * checks the time itself. Concurrent and repeated runs are safe.
 *
 * @returns how many codes were deleted, for the Temporal page
 */
export async function purgeOneTimeCodes(): Promise<number> {
  let total = 0;
  for (let batch = 0; batch < mostBatches; batch++) {
    const removed = await purgeBatch({ limit: rowsPerBatch });
    total += removed;
    if (removed < rowsPerBatch) break;
  }
  return total;
}
