const dayMs = 86_400_000;

/** Nobody keeps a day for less than a day, nor for longer than a decade. */
const shortestDays = 1;
const longestDays = 3_650;

/** Far enough ahead that a week without a worker costs nothing. */
const daysOpenedAhead = 7;

/** Days are `YYYY-MM-DD`, in UTC. */
export interface TelemetryPlan {
  /** The first day that is kept: what is older goes. */
  keptFrom: string;
  /** The last day that is over. */
  lastClosedDay: string;
  /** Days that get a place of their own, today the first. */
  daysToOpen: string[];
}

/** What a roll-up does at a moment: days are kept for so many days after they are over (spec 8). */
export const telemetryPlan = (now: Date, retentionDays: number): TelemetryPlan => ({
  keptFrom: dayOf(now, -retentionDays),
  lastClosedDay: dayOf(now, -1),
  daysToOpen: Array.from({ length: daysOpenedAhead + 1 }, (_, ahead) => dayOf(now, ahead)),
});

/** The setting `retention_days` as it is meant; what is no number of days is the default. */
export function retentionDaysOf(setting: string, defaultDays: number): number {
  const days = /^\s*\d{1,9}\s*$/.test(setting) ? Number(setting) : defaultDays;
  return Math.min(Math.max(days, shortestDays), longestDays);
}

/** The day of a moment in UTC, or one so many days later. */
export const dayOf = (moment: Date, daysLater = 0): string =>
  new Date(moment.getTime() + daysLater * dayMs).toISOString().slice(0, 10);
