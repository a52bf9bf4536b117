import { dateAfter, localDateOf } from './local-day.ts';

/** Bounds of the setting: one day to ten years. */
const shortestDays = 1;
const longestDays = 3_650;

/** Enough days ahead that a week without a worker does no harm. */
const daysOpenedAhead = 7;

/** Days are `YYYY-MM-DD`, each in the time zone of its location's website. */
export interface TelemetryPlan {
  /** The first day that is kept: older days are deleted. */
  keptFrom: string;
  /** The last day that is over in every time zone in use. */
  lastClosedDay: string;
  /** Days that need a partition, beginning with the earliest today. */
  daysToOpen: string[];
}

/** What a roll-up does at a moment: each day is kept for so many days after its end (spec 8). */
export function telemetryPlan(
  now: Date,
  retentionDays: number,
  timeZones: readonly [string, ...string[]] = ['UTC'],
): TelemetryPlan {
  const [today = ''] = timeZones.map((zone) => localDateOf(now, zone)).toSorted();
  return {
    keptFrom: dateAfter(today, -retentionDays),
    lastClosedDay: dateAfter(today, -1),
    daysToOpen: Array.from({ length: daysOpenedAhead + 1 }, (_, ahead) => dateAfter(today, ahead)),
  };
}

/** The setting `retention_days`, brought within its bounds; text that is not a number of days gives the default. */
export function retentionDaysOf(setting: string, defaultDays: number): number {
  const days = /^\s*\d{1,9}\s*$/.test(setting) ? Number(setting) : defaultDays;
  return Math.min(Math.max(days, shortestDays), longestDays);
}

/** The day of a moment in a time zone, UTC by default, or the day so many days later. */
export const dayOf = (moment: Date, daysLater = 0, timeZone = 'UTC'): string =>
  dateAfter(localDateOf(moment, timeZone), daysLater);

/** A count or an event from a register (spec 2.16), ready to be stored. */
export interface TelemetryEvent {
  eventType: string;
  eventName: string;
  /** JSON text. */
  eventData: string | undefined;
  /** Decimal text with six decimals. */
  value: string | undefined;
  period: string | undefined;
  /** ISO 8601 in UTC, with milliseconds. */
  recordedAt: string;
  /** The register's own time, where its clock must be wrong: the event then counts at its arrival. */
  toldAt?: string;
}

/** The source of a batch; a field that the register omits, or sends wrongly, is unknown. */
export interface TelemetrySource {
  locationId: number | undefined;
  terminalId: number | undefined;
  deviceId: string | undefined;
  appVersion: string | undefined;
}

/** No such register existed before; a clock that says so is wrong. */
const earliest = Date.UTC(2000, 0, 1);
/** How far a register's clock may be ahead of ours. */
const mostAheadMs = 86_400_000;

/** Whether an event can have been recorded at that time (our choice). It is kept either way, see `toldAt`. */
export const isPlausible = (recordedAt: Date, now: Date): boolean =>
  recordedAt.getTime() >= earliest && recordedAt.getTime() <= now.getTime() + mostAheadMs;

/** The largest value: as many whole digits as its column holds. */
const largestValue = 1e18;

/** A value as decimal text with six decimals; undefined for anything that cannot be stored as a number. */
export function readValue(input: unknown): string | undefined {
  const isNumeric = typeof input === 'number' || (typeof input === 'string' && numeric.test(input));
  const value = isNumeric ? Number(input) : Number.NaN;
  if (Number.isSafeInteger(value)) return `${value}.000000`;
  return Math.abs(value) < largestValue ? value.toFixed(6) : undefined;
}

const numeric = /^\s*[+-]?\d{1,30}(?:\.\d{1,30})?(?:e[+-]?\d{1,3})?\s*$/i;
