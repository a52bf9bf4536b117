import { expect, test } from 'vitest';
import { formatAmount, money } from '../../../domain/money/amount.ts';
import { coinOf, downToCoins, minorDigits, toCoins, upToCoins } from '../../../domain/money/coins.ts';
import { inMinorUnits } from '../../../domain/money/minor-units.ts';

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
