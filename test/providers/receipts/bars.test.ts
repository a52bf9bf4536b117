import { expect, test } from 'vitest';
import { barsOf } from '../../../providers/receipts/bars.ts';

/** Widths of the bars and gaps, as a scanner measures them: without the quiet zones. */
function widthsOf(path: string): string {
  const bars = [...path.matchAll(/M(\d+) 0h(\d+)v40h-\2z/g)].map(
    ([, at, width]) => [Number(at), Number(width)] as const,
  );
  return bars
    .map(([at, width], place) => {
      const next = bars[place + 1];
      return next ? `${width}${next[0] - at - width}` : `${width}`;
    })
    .join('');
}

/** Code 128, set B: the published widths of some signs, from ISO/IEC 15417. */
const published: Readonly<Record<string, string>> = {
  ' ': '212222',
  '-': '122132',
  '0': '123122',
  '1': '123221',
  '9': '321122',
  A: '111323',
  z: '214121',
  '~': '131141',
};
const start = '211214';
const stop = '2331112';

test.each(Object.entries(published))('the sign %j has the bars that every scanner knows', (sign, widths) => {
  const read = widthsOf(barsOf(sign)?.path ?? '');
  expect([read.slice(0, 6), read.slice(6, 12), read.slice(-7)]).toEqual([start, widths, stop]);
  expect(read).toHaveLength(6 + 6 + 6 + 7);
});

test('the check sign is that of the standard: the weighted sum, by 103', () => {
  const read = widthsOf(barsOf('000000042')?.path ?? '');
  const sum = '000000042'.split('').reduce((all, sign, at) => all + (sign.charCodeAt(0) - 32) * (at + 1), 104) % 103;
  const alone = widthsOf(barsOf(String.fromCharCode(32 + sum))?.path ?? '').slice(6, 12);
  expect(read.slice(-13, -7)).toBe(alone);
});

test('the whole code keeps ten units free at both ends', () => {
  const bars = barsOf('000000042');
  expect(bars?.path.startsWith('M10 0')).toBe(true);
  expect(bars?.width).toBe(10 + 11 * 11 + 13 + 10);
});

test.each(['', 'ü', 'a\nb', 'x'.repeat(25)])('%j is not drawn: no scanner could read it', (text) => {
  expect(barsOf(text)).toBeUndefined();
});
