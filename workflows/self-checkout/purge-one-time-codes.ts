import { proxyActivities } from '@temporalio/workflow';
import type { SelfCheckoutActivities } from '../../activities/self-checkout/self-checkout-activities.ts';
import { sweeping } from '../support/activity-options.ts';

const { purgeOneTimeCodes: purgeBatch } = proxyActivities<SelfCheckoutActivities>(sweeping);

/** What so many batches leave waits for the next hour. */
const rowsPerBatch = 5_000;
const mostBatches = 100;

/**
 * Each hour: removes one-time codes that can no longer be used, and their mails with them (spec 6). Lateness is harmless:
 * a verification looks at the time itself. Two at once, or one twice, come to the same.
 *
 * @returns how many went, for the Temporal page
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
