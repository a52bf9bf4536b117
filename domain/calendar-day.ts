/** Whether the calendar has the day: of `2026-02-30` and `0000-01-01` it has none. */
export function isCalendarDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text.startsWith('0000')) return false;
  const read = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(read.getTime()) && read.toISOString().startsWith(text);
}

const written = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;

/**
 * A day, or a day with its time, as the platform keeps it: `2030-12-31 00:00:00`. The time is the one that is written,
 * whatever its zone.
 *
 * @returns undefined for anything else: `31.12.2030` and 30 February are no days
 */
export function readDayAndTime(text: string): string | undefined {
  const [, day = '', hours = '00', minutes = '00', seconds = '00'] = written.exec(text) ?? [];
  if (!isCalendarDay(day) || Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return undefined;
  return `${day} ${hours}:${minutes}:${seconds}`;
}
