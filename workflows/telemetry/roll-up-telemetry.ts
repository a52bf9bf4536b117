import { proxyActivities } from '@temporalio/workflow';
import type { TelemetryActivities } from '../../activities/telemetry/telemetry-activities.ts';
import { mustHappen, nightly } from '../support/activity-options.ts';

const { planTelemetry } = proxyActivities<TelemetryActivities>(mustHappen);
const { openTelemetryDays, summariseDay, purgeTelemetry } = proxyActivities<TelemetryActivities>(nightly);

/** A batch takes about a second; the next night deletes what so many batches leave. */
const rowsPerBatch = 10_000;
const mostBatches = 500;

/**
 * Each night: sums up finished days with new events, then deletes events past the shop's retention (spec 6, 8).
 * Concurrent and repeated runs are safe.
 *
 * @returns what was done, for the Temporal page
 */
export async function rollUpTelemetry(): Promise<{ summarisedDays: number; removedDays: number; removedRows: number }> {
  const { dueDays, daysToOpen, keptFrom } = await planTelemetry();
  await openTelemetryDays({ days: daysToOpen });
  for (const day of dueDays) await summariseDay({ day });

  let removedDays = 0;
  let removedRows = 0;
  for (let batch = 0; batch < mostBatches; batch++) {
    const { days, rows, isDone } = await purgeTelemetry({ before: keptFrom, limit: rowsPerBatch });
    removedDays += days;
    removedRows += rows;
    if (isDone) break;
  }
  return { summarisedDays: dueDays.length, removedDays, removedRows };
}
