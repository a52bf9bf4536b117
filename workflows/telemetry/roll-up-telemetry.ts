import { proxyActivities } from '@temporalio/workflow';
import type { TelemetryActivities } from '../../activities/telemetry/telemetry-activities.ts';
import { mustHappen, nightly } from '../support/activity-options.ts';

const { planTelemetry } = proxyActivities<TelemetryActivities>(mustHappen);
const { openTelemetryDays, summariseDay, purgeTelemetry } = proxyActivities<TelemetryActivities>(nightly);

/** A batch is over in a second; what so many batches leave is old enough to wait for the next night. */
const rowsPerBatch = 10_000;
const mostBatches = 500;

/**
 * Each night: sums up the days that are over and got new events, then removes what is older than the shop keeps
 * (spec 6, 8). Two at once, or one twice, come to the same.
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
