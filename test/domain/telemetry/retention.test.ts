import { expect, test } from '@jest/globals';
import { retentionDaysOf, telemetryPlan, isPlausible, readValue } from '../../../domain/telemetry.ts';

test('at four in the morning yesterday is over, and what is older than the shop keeps goes', () => {
  expect(telemetryPlan(new Date('2026-03-01T04:00:00Z'), 90)).toEqual({
    keptFrom: '2025-12-01',
    lastClosedDay: '2026-02-28',
    daysToOpen: [
      '2026-03-01',
      '2026-03-02',
      '2026-03-03',
      '2026-03-04',
      '2026-03-05',
      '2026-03-06',
      '2026-03-07',
      '2026-03-08',
    ],
  });
});

test.each([
  ['90', 90],
  [' 30 ', 30],
  ['0', 1],
  ['-5', 90],
  ['', 90],
  ['ever', 90],
  ['1.5', 90],
  ['999999999', 3_650],
])('a setting of %j keeps %d days', (setting, days) => {
  expect(retentionDaysOf(setting, 90)).toBe(days);
});

test.each([
  [1, '1.000000'],
  ['2.5', '2.500000'],
  [1e-7, '0.000000'],
  ['1e3', '1000.000000'],
  [999_999_999_999_999, '999999999999999.000000'],
  [1e18, undefined],
  [Number.NaN, undefined],
  ['Infinity', undefined],
  ['0x10', undefined],
  [true, undefined],
  [[], undefined],
])('a value of %j is kept as %p', (given, kept) => {
  expect(readValue(given)).toBe(kept);
});

test.each([
  ['1999-12-31T23:59:59Z', false],
  ['2000-01-01T00:00:00Z', true],
  ['2026-03-02T04:00:00Z', true],
  ['2026-03-02T04:00:01Z', false],
])('recorded at %s on 1 March 2026 at four: %j', (recordedAt, plausible) => {
  expect(isPlausible(new Date(recordedAt), new Date('2026-03-01T04:00:00Z'))).toBe(plausible);
});
