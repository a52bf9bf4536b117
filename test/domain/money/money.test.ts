import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  amount,
  formatAmount,
  money,
  parseAmount,
  scale,
  coinOf,
  downToCoins,
  minorDigits,
  toCoins,
  upToCoins,
  columnsOfMoney,
  countMoney,
  moneyOf,
  twin,
  twins,
} from '../../../domain/money.ts';
import { inMinorUnits, moneyText } from '../../../domain/currency-texts.ts';
import { aCent } from '../../support/coins.ts';
import { seed } from '../../support/seed.ts';

describe('amount', () => {
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
});

describe('coins', () => {
  test.each([
    ['USD', 2],
    ['JPY', 0],
    ['KRW', 0],
    ['ISK', 0],
    ['KWD', 3],
    ['IQD', 3],
    ['UYW', 4],
    ['kwd', 3],
    // How they are shown has no decimals; cards are charged in hundredths all the same.
    ['HUF', 2],
    ['RSD', 2],
    ['COP', 2],
    ['IDR', 2],
    ['PKR', 2],
  ])('%s has %i decimals', (currency, digits) => {
    expect(minorDigits(currency)).toBe(digits);
  });

  test.each([
    ['USD', '10.125', '10.1300', '10.1300', '10.1200'],
    ['KWD', '10.1245', '10.1250', '10.1250', '10.1240'],
    ['JPY', '333.33', '333.0000', '334.0000', '333.0000'],
    ['JPY', '0.5', '1.0000', '1.0000', '0.0000'],
    ['UYW', '1.2345', '1.2345', '1.2345', '1.2345'],
  ])('%s %s is the nearest %s, at least %s, at most %s', (currency, given, nearest, up, down) => {
    const coin = coinOf(currency);
    expect([toCoins, upToCoins, downToCoins].map((count) => formatAmount(count(money(given), coin)))).toEqual([
      nearest,
      up,
      down,
    ]);
  });

  test('what a gateway is asked for is a count of coins', () => {
    expect(inMinorUnits(money('10.13'), 'USD')).toBe(1_013);
    expect(inMinorUnits(money('10.124'), 'KWD')).toBe(10_124);
    expect(inMinorUnits(money('333'), 'JPY')).toBe(333);
    expect(inMinorUnits(money('2025.50'), 'HUF')).toBe(202_550);
    expect(inMinorUnits(money('333.33'), 'JPY')).toBeUndefined();
  });
});

describe('money text', () => {
  const written: [string, string, string, number][] = [
    ['USD', '10', '$10.00', 2],
    ['CAD', '13.6', 'CA$13.60', 2],
    ['JPY', '1261', '¥1,261', 0],
    ['KWD', '1.234', 'KWD 1.234', 3],
    ['EUR', '-0.05', '-€0.05', 2],
  ];

  test.each(written)('money in %s is written as people read it, each time anew', (currency, value, text, digits) => {
    for (let n = 0; n < 2; n++) {
      expect(moneyText(money(value), currency).replaceAll('\u00A0', ' ')).toBe(text);
      expect(minorDigits(currency)).toBe(digits);
    }
  });

  test('more currencies than there are leave the known ones as they were', () => {
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('');
    for (const code of letters.flatMap((one) => letters.map((two) => `X${one}${two}`))) moneyText(money('1'), code);
    expect(moneyText(money('10'), 'USD')).toBe('$10.00');
  });
});

describe('twins', () => {
  const figures = { ...twins('taxAmount'), rows: { order: 'rowTotal', base: 'baseRowSum' } } as const;
  const row = () => ({
    taxAmount: money('2'),
    baseTaxAmount: money('1'),
    rowTotal: money('20'),
    baseRowSum: null,
  });

  test('a row tells its figures in one currency, and a column that is null is nothing', () => {
    expect(moneyOf(row(), figures, 'order')).toEqual({ taxAmount: money('2'), rows: money('20') });
    expect(moneyOf(row(), figures, 'base')).toEqual({ taxAmount: money('1'), rows: money('0') });
  });

  test('figures in both currencies become the columns they came from', () => {
    const both = {
      order: { taxAmount: money('2'), rows: money('20') },
      base: { taxAmount: money('1'), rows: money('9') },
    };
    expect(columnsOfMoney(figures, both)).toEqual({ ...row(), baseRowSum: money('9') });
  });

  test('what is counted into registers and out of them again leaves them as they were', () => {
    const order = { totalPaid: money('5'), baseTotalPaid: money('4') };
    const paid = { order: { total: money('1.10') }, base: { total: money('0.90') } };
    countMoney(order, { total: twin('totalPaid') }, paid);
    expect(order).toEqual({ totalPaid: money('6.10'), baseTotalPaid: money('4.90') });
    countMoney(order, { total: twin('totalPaid') }, paid, 'out');
    expect(order).toEqual({ totalPaid: money('5'), baseTotalPaid: money('4') });
  });
});
