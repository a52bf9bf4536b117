/** Something a register counted or noticed (spec 2.16), fit to be stored. */
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
  /** What the register said, where its clock must be wrong: such an event counts at the moment it came. */
  toldAt?: string;
}

/** Where a batch comes from; what a register does not say, or says wrongly, is not known. */
export interface TelemetrySource {
  locationId: number | undefined;
  terminalId: number | undefined;
  deviceId: string | undefined;
  appVersion: string | undefined;
}

/** Before there were registers like these; a clock that says so is wrong. */
const earliest = Date.UTC(2000, 0, 1);
/** How far a register's clock may be ahead of ours. */
const mostAheadMs = 86_400_000;

/** Whether something can have been recorded then (our choice). An event is kept either way, see `toldAt`. */
export const isPlausible = (recordedAt: Date, now: Date): boolean =>
  recordedAt.getTime() >= earliest && recordedAt.getTime() <= now.getTime() + mostAheadMs;

/** What a value may come to: the whole digits of its column. */
const largestValue = 1e18;

/** A value as decimal text with six decimals; undefined for what is no number that can be kept. */
export function readValue(given: unknown): string | undefined {
  const isNumeric = typeof given === 'number' || (typeof given === 'string' && numeric.test(given));
  const value = isNumeric ? Number(given) : Number.NaN;
  if (Number.isSafeInteger(value)) return `${value}.000000`;
  return Math.abs(value) < largestValue ? value.toFixed(6) : undefined;
}

const numeric = /^\s*[+-]?\d{1,30}(?:\.\d{1,30})?(?:e[+-]?\d{1,3})?\s*$/i;
