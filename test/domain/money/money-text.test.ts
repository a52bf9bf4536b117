import { expect, test } from 'vitest';
import { money } from '../../../domain/money/amount.ts';
import { minorDigits } from '../../../domain/money/coins.ts';
import { moneyText } from '../../../domain/money/money-text.ts';

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
