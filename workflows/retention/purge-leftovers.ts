import { proxyActivities } from '@temporalio/workflow';
import type { RetentionActivities } from '../../activities/retention/retention-activities.ts';
import { nightly } from '../support/activity-options.ts';

const { purgeLeftovers: purgeBatch } = proxyActivities<RetentionActivities>(nightly);

/** A batch takes about a second; the next night deletes what so many batches leave. */
const rowsPerBatch = 5_000;
const mostBatches = 200;

/**
 * Each night: deletes notes, payloads, tokens, sessions, counters and mails past their retention
 * (`domain/retention/retention.ts`). Concurrent and repeated runs are safe.
 *
 * @returns how many rows of each table were deleted, for the Temporal page
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
