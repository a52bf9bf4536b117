import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { amount, formatAmount, money, parseAmount, scale } from '../../../domain/money/amount.ts';
import { toCoins } from '../../../domain/money/coins.ts';
import { seed } from '../../support/seed.ts';
import { aCent } from '../../support/coins.ts';

const units = fc.integer({ min: -(10 ** 12), max: 10 ** 12 });

describe('to the cent, half away from zero, as the platform rounds prices', () => {
  test.each([
    ['1.0050', '1.0100'],
    ['1.0049', '1.0000'],
    ['-1.0050', '-1.0100'],
    ['-1.0049', '-1.0000'],
    ['0.0050', '0.0100'],
    ['2.6750', '2.6800'],
    ['0.0049', '0.0000'],
  ])('%s becomes %s', (given, rounded) => {
    expect(formatAmount(toCoins(money(given), aCent))).toBe(rounded);
  });

  test('never further away than half a cent, and twice changes nothing', () => {
    fc.assert(
      fc.property(units, (value) => {
        const rounded = toCoins(amount(value), aCent);
        expect(Math.abs(rounded - value)).toBeLessThanOrEqual(50);
        expect(Math.abs(rounded % 100)).toBe(0);
        expect(toCoins(rounded, aCent)).toBe(rounded);
      }),
      { seed },
    );
  });
});

test('a part of an amount is what exact fractions come to', () => {
  fc.assert(
    fc.property(
      // Ten million, so that ten thousand times it can still be counted.
      fc.integer({ min: -(10 ** 11), max: 10 ** 11 }),
      fc.integer({ min: 0, max: 10_000 }),
      fc.integer({ min: 1, max: 10_000 }),
      (value, over, under) => {
        const product = BigInt(Math.abs(value)) * BigInt(over);
        const cents = (2n * product + BigInt(under) * 100n) / (BigInt(under) * 200n);
        expect(Math.abs(scale(amount(value), over, under, aCent))).toBe(Number(cents) * 100);
      },
    ),
    { seed },
  );
});

test('written money is read back the same, and a text that is not money is refused', () => {
  fc.assert(
    fc.property(units, (value) => parseAmount(formatAmount(amount(value))) === value),
    { seed },
  );
  expect(['', ' 1', '1e3', '1.00001', 'NaN', '0x1', '1,5', '--1'].map(parseAmount)).toEqual(Array(8).fill(undefined));
});

describe('what the arithmetic of a register’s JavaScript adds to a figure is not seen', () => {
  const ordinary = fc.integer({ min: -(10 ** 10), max: 10 ** 10 });

  test('a sum, a difference and a product of figures with four decimals are read as the exact ones', () => {
    fc.assert(
      fc.property(ordinary, ordinary, fc.integer({ min: 1, max: 999 }), (one, other, count) => {
        expect(parseAmount(String(one / 10_000 + other / 10_000))).toBe(one + other);
        expect(parseAmount(String((one / 10_000) * count))).toBe(one * count || 0);
      }),
      { seed },
    );
  });

  test.each([
    ['0.30000000000000004', 3_000],
    ['59.970000000000006', 599_700],
    ['-1.9999999999999998', -20_000],
    ['99.99999999999999', 1_000_000],
    ['0.0009000001009553671', 9],
    ['5.551115123125783e-17', 0],
    ['-2.7755575615628914e-17', 0],
    ['10000000000.000002', 10 ** 14],
  ])('%s', (written, meant) => {
    expect(parseAmount(written)).toBe(meant);
  });

  test.each(['1.00001', '33.33333', '33.333333333333336', '0.00001', '1e-7', '1.0000001', '800000000000.00001'])(
    'but %s has further decimals',
    (written) => {
      expect(parseAmount(written)).toBeUndefined();
    },
  );
});

test('zeros before and behind a figure say nothing', () => {
  expect(['0000000000000010', '000000000000010.00000000000'].map(parseAmount)).toEqual([undefined, 100_000]);
});

test('a count that is not whole, or too large to be exact, is a bug and no amount', () => {
  for (const wrong of [0.5, Number.NaN, Infinity, 2 ** 53]) expect(() => amount(wrong)).toThrow('is not an amount');
});
