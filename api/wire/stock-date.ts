import { isCalendarDay } from '../../domain/calendar-day.ts';

const written = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:?\d{2})?)?$/;

/** A moment as the platform writes it: `2026-11-21 09:30:00`, in UTC (platform facts 4.3). Raw rows carry text. */
export function toStockDate(moment: Date | string): string {
  if (typeof moment === 'string' && moment[10] === ' ' && moment.endsWith('+00')) return moment.slice(0, 19);
  return new Date(moment).toISOString().slice(0, 19).replace('T', ' ');
}

/**
 * Reads `YYYY-MM-DD`, `YYYY-MM-DD HH:MM:SS` (UTC) and ISO 8601 with or without an offset.
 *
 * @returns undefined for anything else, for a day the calendar lacks and for years outside 1 to 9999
 */
export function readStockDate(given: unknown): Date | undefined {
  const match = typeof given === 'string' ? written.exec(given) : null;
  if (!match) return undefined;
  const [, day = '', time = '00:00:00', zone = 'Z'] = match;
  const date = new Date(`${day}T${time}${zone}`);
  // 30 February would become a day in March.
  return isCalendarDay(day) && !Number.isNaN(date.getTime()) ? date : undefined;
}
