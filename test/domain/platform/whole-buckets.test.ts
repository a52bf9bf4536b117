import { expect, test } from 'vitest';
import { bucketSizes, cutSpan, endOf, startOf, type Span } from '../../../domain/platform/whole-buckets.ts';

const at = (text: string) => new Date(`${text}Z`);
const spanText = ({ from, to }: Span) => `${from ? short(from) : '…'} – ${to ? short(to) : '…'}`;
const short = (moment: Date) => moment.toISOString().slice(0, 16).replace('T', ' ');
const cut = (span: Span, sizes = bucketSizes.slice()) => {
  const { runs, edges } = cutSpan(span, sizes);
  return { runs: runs.map((run) => `${run.size} ${spanText(run)}`), edges: edges.map(spanText) };
};

test('all of time is one run of months', () => {
  expect(cut({})).toEqual({ runs: ['month … – …'], edges: [] });
});

test('a long span is months, with days and hours on both sides and a part of an hour at each end', () => {
  expect(cut({ from: at('2026-01-30T22:15:00'), to: at('2026-04-02T01:30:00') })).toEqual({
    runs: [
      'hour 2026-01-30 23:00 – 2026-01-31 00:00',
      'hour 2026-04-02 00:00 – 2026-04-02 01:00',
      'day 2026-01-31 00:00 – 2026-02-01 00:00',
      'day 2026-04-01 00:00 – 2026-04-02 00:00',
      'month 2026-02-01 00:00 – 2026-04-01 00:00',
    ],
    edges: ['2026-01-30 22:00 – 2026-01-30 23:00', '2026-04-02 01:00 – 2026-04-02 02:00'],
  });
});

test.each<[what: string, span: Span, runs: string[], edges: string[]]>([
  ['an open end has coarse buckets only', { from: at('2025-12-01T00:00:00') }, ['month 2025-12-01 00:00 – …'], []],
  [
    'a span inside an hour is all edge',
    { from: at('2026-01-01T10:10:00'), to: at('2026-01-01T10:50:00') },
    [],
    ['2026-01-01 10:00 – 2026-01-01 11:00'],
  ],
  [
    'a span over a full hour that fills none is two hours of edge',
    { from: at('2026-01-01T10:10:00'), to: at('2026-01-01T11:50:00') },
    [],
    ['2026-01-01 10:00 – 2026-01-01 12:00'],
  ],
  [
    'a whole hour is a run of one',
    { from: at('2026-01-01T10:00:00'), to: at('2026-01-01T11:00:00') },
    ['hour 2026-01-01 10:00 – 2026-01-01 11:00'],
    [],
  ],
  [
    'up to a moment',
    { to: at('2026-01-01T00:30:00') },
    ['month … – 2026-01-01 00:00'],
    ['2026-01-01 00:00 – 2026-01-01 01:00'],
  ],
])('%s', (_what, span, runs, edges) => {
  expect(cut(span)).toEqual({ runs, edges });
});

test('without hours the edges are days', () => {
  expect(cut({ from: at('2026-01-30T22:15:00'), to: at('2026-02-03T00:00:00') }, ['day', 'month'])).toEqual({
    runs: ['day 2026-01-31 00:00 – 2026-02-03 00:00'],
    edges: ['2026-01-30 00:00 – 2026-01-31 00:00'],
  });
});

test('buckets are those of the calendar in UTC, also in a leap year and before the year 100', () => {
  expect(short(endOf('month', at('2028-02-10T05:00:00')))).toBe('2028-03-01 00:00');
  expect(short(endOf('day', at('2028-02-28T05:00:00')))).toBe('2028-02-29 00:00');
  expect(short(startOf('month', at('0042-12-10T05:00:00')))).toBe('0042-12-01 00:00');
});
