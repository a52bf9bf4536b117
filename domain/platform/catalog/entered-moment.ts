import { isCalendarDay } from '../../calendar-day.ts';
import type { OptionType } from './custom-option.ts';

const dayText = /^(\d{4})-(\d{2})-(\d{2})(?:$|[ T])/;
const timeText = /(?:^|[ T])(\d{2}):(\d{2})(?::(\d{2}))?$/;

const noDay = 'Please specify date required option(s).';
const noTime = 'Please specify time required option(s).';

/**
 * Reads a day, a time or both as the platform keeps them: `2026-12-24 00:00:00`. A value that was shown and comes back,
 * `12/24/2026,2026-12-24 00:00:00`, is read by its second part. Of a time alone no day is kept (our choice): the same time
 * tomorrow is the same wish.
 *
 * @returns the value, or the platform's words for what is wrong
 */
export function enteredMoment(type: OptionType, given: string): { value?: string; fault?: string } {
  const text = given.slice(given.lastIndexOf(',') + 1).trim();
  const day = type === 'time' ? '' : readDay(text);
  const time = type === 'date' ? '00:00:00' : readTime(text);
  if (day === undefined) return { fault: noDay };
  if (time === undefined) return { fault: noTime };
  return { value: `${day} ${time}`.trim() };
}

function readDay(text: string): string | undefined {
  const [, year, month, day] = dayText.exec(text) ?? [];
  const written = `${year}-${month}-${day}`;
  return isCalendarDay(written) ? written : undefined;
}

function readTime(text: string): string | undefined {
  const [, hours, minutes, seconds = '00'] = timeText.exec(text) ?? [];
  return Number(hours) < 24 && Number(minutes) < 60 && Number(seconds) < 60
    ? `${hours}:${minutes}:${seconds}`
    : undefined;
}
