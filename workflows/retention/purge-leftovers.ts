import { proxyActivities } from '@temporalio/workflow';
import type { RetentionActivities } from '../../activities/retention/retention-activities.ts';
import { nightly } from '../support/activity-options.ts';

const { purgeLeftovers: purgeBatch } = proxyActivities<RetentionActivities>(nightly);

/** A batch is over in a second; what so many batches leave waits for the next night. */
const rowsPerBatch = 5_000;
const mostBatches = 200;

/**
 * Each night: removes notes, payloads, tokens, sessions, counters and mails that are older than they are kept
 * (`domain/retention/retention.ts`). Two at once, or one twice, come to the same.
 *
 * @returns how many rows of each table went, for the Temporal page
 */
export async function purgeLeftovers(): Promise<Record<string, number>> {
  const total: Record<string, number> = {};
  for (let batch = 0; batch < mostBatches; batch++) {
    const { removed, isDone } = await purgeBatch({ limit: rowsPerBatch });
    for (const [table, rows] of Object.entries(removed)) total[table] = (total[table] ?? 0) + rows;
    if (isDone) break;
  }
  return total;
}
