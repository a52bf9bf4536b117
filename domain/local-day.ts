import { isCalendarDay } from './calendar-day.ts';

/**
 * Calendar days in a time zone. A day begins at its first moment there, which is not always a midnight by subtraction:
 * where clocks change at midnight the day has 23 or 25 hours, or begins at 01:00.
 */

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Clocks change by at least this much, and no day flashes up for less. */
const stepMs = 900_000;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  // Swedish writes the date as ISO 8601 does.
  const made = new Intl.DateTimeFormat('sv-SE', {
    ...{ timeZone, calendar: 'iso8601', numberingSystem: 'latn', hourCycle: 'h23' },
    ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' },
  });
  formats.set(timeZone, made);
  return made;
}

/** Whether the zone is known here, such as `Europe/Berlin`. */
export function isTimeZone(zone: string): boolean {
  try {
    return formatOf(zone).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** Whether it is an IANA name, such as `Europe/Berlin` or `UTC`. Offsets and abbreviations mean other things elsewhere. */
export const isNamedTimeZone = (zone: string): boolean =>
  (zone === 'UTC' || /^[A-Z][A-Za-z_]+(?:\/[A-Za-z0-9_+\-]+){1,2}$/v.test(zone)) && isTimeZone(zone);

/** The wall clock at a moment, as if it were UTC, in ms. */
const wallClockOf = (at: number, timeZone: string): number =>
  // Years before 1000 have fewer digits.
  Date.parse(`${formatOf(timeZone).format(at).padStart('2030-12-31 00:00:00'.length, '0').replace(' ', 'T')}Z`);

const isoDate = (wallClock: number) => new Date(wallClock).toISOString().slice(0, 10);

/**
 * The calendar day in a time zone at a moment: `2030-12-31`. Throws `RangeError` for an unknown zone.
 */
export const localDateOf = (at: Date, timeZone: string): string => isoDate(wallClockOf(at.getTime(), timeZone));

/** Another day of the calendar, so many days later; earlier for a negative number. */
export const dateAfter = (date: string, days: number): string => isoDate(midnightUtc(date) + days * dayMs);

const midnightUtc = (date: string): number => {
  if (!isCalendarDay(date)) throw new RangeError(`"${date}" is not a day of the calendar`);
  return Date.parse(`${date}T00:00:00Z`);
};

/**
 * The first moment at which the time zone has this date.
 *
 * Where a zone skips the date altogether, it is the first moment of the next one. Throws `RangeError` for an unknown
 * zone or a text that is not a day.
 */
export function startOfDate(date: string, timeZone: string): Date {
  const midnight = midnightUtc(date);
  // Zones are at most 14 hours ahead and 12 behind.
  const [earliest, latest] = [midnight - 15 * hourMs, midnight + 13 * hourMs];
  const offset = wallClockOf(earliest, timeZone) - earliest;
  if (wallClockOf(latest, timeZone) - latest === offset) return new Date(midnight - offset);
  // A clock change is near: the first step that is in the day, then the moment within that step.
  let within = earliest;
  while (wallClockOf(within, timeZone) < midnight) within += stepMs;
  return new Date(firstBetween(within - stepMs, within, (at) => wallClockOf(at, timeZone) >= midnight));
}

/** The first moment, to the second, that a condition holds: it fails at `before` and holds at `after`. */
function firstBetween(before: number, after: number, holds: (at: number) => boolean): number {
  let [low, high] = [before / 1_000, after / 1_000];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle * 1_000)) high = middle;
    else low = middle;
  }
  return high * 1_000;
}

/** The first moment of the day that a moment is in. Throws `RangeError` for an unknown zone. */
export const startOfDay = (at: Date, timeZone: string): Date => startOfDate(localDateOf(at, timeZone), timeZone);

/**
 * The last second of a date: what is valid until a day is valid until then. The next day begins a second later.
 */
export const endOfDate = (date: string, timeZone: string): Date =>
  new Date(startOfDate(dateAfter(date, 1), timeZone).getTime() - 1_000);
