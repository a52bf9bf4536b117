const dayMs = 86_400_000;

/** Bounds of the setting: one day to ten years. */
const shortestDays = 1;
const longestDays = 3_650;

/** Enough days ahead that a week without a worker does no harm. */
const daysOpenedAhead = 7;

/** Days are `YYYY-MM-DD`, in UTC. */
export interface TelemetryPlan {
  /** The first day that is kept: older days are deleted. */
  keptFrom: string;
  /** The last day that is over. */
  lastClosedDay: string;
  /** Days that need a partition, beginning with today. */
  daysToOpen: string[];
}

/** What a roll-up does at a moment: each day is kept for so many days after its end (spec 8). */
export const telemetryPlan = (now: Date, retentionDays: number): TelemetryPlan => ({
  keptFrom: dayOf(now, -retentionDays),
  lastClosedDay: dayOf(now, -1),
  daysToOpen: Array.from({ length: daysOpenedAhead + 1 }, (_, ahead) => dayOf(now, ahead)),
});

/** The setting `retention_days`, brought within its bounds; text that is not a number of days gives the default. */
export function retentionDaysOf(setting: string, defaultDays: number): number {
  const days = /^\s*\d{1,9}\s*$/.test(setting) ? Number(setting) : defaultDays;
  return Math.min(Math.max(days, shortestDays), longestDays);
}

/** The day of a moment in UTC, or the day so many days later. */
export const dayOf = (moment: Date, daysLater = 0): string =>
  new Date(moment.getTime() + daysLater * dayMs).toISOString().slice(0, 10);
