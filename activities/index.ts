import { createRefundActivities } from './refunds/refund-activities.ts';
import { createRepairActivities } from './repair/repair-activities.ts';
import { createReturnActivities } from './returns/return-activities.ts';
import { createTelemetryActivities } from './telemetry/telemetry-activities.ts';
import type { ActivityDependencies } from './support/dependencies.ts';

/** Everything a worker can do, by name. */
export const createActivities = (dependencies: ActivityDependencies) => ({
  ...createReturnActivities(dependencies),
  ...createRefundActivities(dependencies),
  ...createRepairActivities(dependencies),
  ...createTelemetryActivities(dependencies),
});
