import { expect, test } from '@jest/globals';
import { dateAfter, endOfDate, isTimeZone, localDateOf, startOfDate, startOfDay } from '../../domain/local-day.ts';

const [first, last] = ['2024-01-01', '2031-01-01'];

/** Difference between the wall clocks of a zone and of UTC at noon of a day, in minutes. Only `Intl` is asked. */
function offsetOf(date: string, zone: Intl.DateTimeFormat): number {
  const noon = Date.parse(`${date}T12:00:00Z`);
  return (Date.parse(`${zone.format(noon).replace(' ', 'T')}Z`) - noon) / 60_000;
}

/** The days of a zone that lie around a clock change. Everywhere else a day is 24 hours after the one before. */
function daysOfChange(timeZone: string): string[] {
  const zone = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  const days = new Set<string>();
  const step = 5;
  for (let date = first; date < last; date = dateAfter(date, step)) {
    const isFixed = offsetOf(date, zone) === offsetOf(dateAfter(date, step), zone);
    if (!isFixed) for (let day = -1; day <= step + 1; day++) days.add(dateAfter(date, day));
  }
  return [...days];
}

/** Those of the given days that begin at another moment than their first one. */
const wrongDays = (timeZone: string, dates: readonly string[]): string[] =>
  dates.flatMap((date) => {
    const start = startOfDate(date, timeZone);
    const before = new Date(start.getTime() - 1_000);
    const isFirst = localDateOf(start, timeZone) === date && localDateOf(before, timeZone) === dateAfter(date, -1);
    return isFirst ? [] : [`${timeZone} ${date} ${start.toISOString()}`];
  });

test('a day begins at its first moment, in every time zone of 2024 to 2030', () => {
  const wrong = Intl.supportedValuesOf('timeZone').flatMap((zone) =>
    wrongDays(zone, [...daysOfChange(zone), first, '2027-07-15', '2030-12-31']),
  );
  expect(wrong).toEqual([]);
});

test.each([
  ['spring forward at midnight: the day begins at 01:00', 'America/Havana', '2024-03-10', '2024-03-10T05:00:00'],
  ['midnight comes twice: the first one counts', 'America/Havana', '2024-11-03', '2024-11-03T04:00:00'],
  ['midnight comes twice in the Azores', 'Atlantic/Azores', '2024-10-27', '2024-10-27T00:00:00'],
  ['the Azores skip midnight', 'Atlantic/Azores', '2025-03-30', '2025-03-30T01:00:00'],
  ['Cairo skips midnight', 'Africa/Cairo', '2024-04-26', '2024-04-25T22:00:00'],
  ['Cairo has the last hour of Thursday twice', 'Africa/Cairo', '2024-11-01', '2024-10-31T22:00:00'],
  ['Lord Howe moves half an hour', 'Australia/Lord_Howe', '2024-10-06', '2024-10-05T13:30:00'],
])('%s', (_what, zone, date, start) => {
  expect(startOfDate(date, zone).toISOString()).toBe(`${start}.000Z`);
});

test('a sale at half past midnight is on its day where the clocks have just changed', () => {
  const firstHalf = new Date('2024-11-03T04:30:00Z');
  const secondHalf = new Date('2024-11-03T05:30:00Z');
  for (const at of [firstHalf, secondHalf])
    expect(startOfDay(at, 'America/Havana').toISOString()).toBe('2024-11-03T04:00:00.000Z');
});

test('a day lasts until the last second of its zone', () => {
  expect(endOfDate('2026-12-31', 'America/New_York').toISOString()).toBe('2027-01-01T04:59:59.000Z');
  expect(endOfDate('2026-12-31', 'Pacific/Kiritimati').toISOString()).toBe('2026-12-31T09:59:59.000Z');
  expect(endOfDate('2024-11-03', 'America/Havana').toISOString()).toBe('2024-11-04T04:59:59.000Z');
});

test('what is no day and what is no zone is refused', () => {
  expect(() => startOfDate('2026-02-30', 'UTC')).toThrow(RangeError);
  expect(() => startOfDate('2026-02-28', 'Mars/Olympus')).toThrow(RangeError);
  expect(['Europe/Berlin', 'Mars/Olympus', ''].map(isTimeZone)).toEqual([true, false, false]);
});
