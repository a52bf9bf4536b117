import { expect, test } from 'vitest';
import type { CustomOption, OptionPrice } from '../../../../domain/platform/catalog/custom-option.ts';
import { shownOptions, skuWithOptions } from '../../../../domain/platform/catalog/option-figures.ts';
import { priceOfPiece } from '../../../../domain/platform/carts/piece-price.ts';
import { money, zero, type Amount } from '../../../../domain/money/amount.ts';
import { coinOf } from '../../../../domain/money/coins.ts';
import { pieces } from '../../../../domain/money/quantity.ts';

const option = (optionId: number, more: Partial<CustomOption>): CustomOption => ({
  ...{
    optionId,
    type: 'field',
    title: `O${optionId}`,
    sortOrder: 0,
    isRequire: false,
    price: zero,
    priceType: 'fixed',
  },
  ...{ sku: null, maxCharacters: 0, fileExtension: null, imageSizeX: 0, imageSizeY: 0, values: [], ...more },
});
const value = (optionTypeId: number, price: string, priceType: OptionPrice['priceType'], sku: string | null) => ({
  ...{ optionTypeId, title: `V${optionTypeId}`, sortOrder: 0, price: money(price), priceType, sku },
});
const options = [
  option(1, { price: money('5'), sku: 'ENGR' }),
  option(2, { price: money('12.5'), priceType: 'percent' }),
  option(3, { type: 'checkbox', values: [value(31, '10', 'percent', 'A'), value(32, '-3', 'fixed', 'B')] }),
  option(4, { price: money('-90') }),
];
const lower: Amount[] = [money('8.10')];
const costs = (...entered: [number, string][]) =>
  priceOfPiece(
    {
      price: money('10'),
      tiers: [],
      lower,
      options,
      entered: entered.map(([optionId, optionValue]) => ({ optionId, optionValue })),
    },
    { qty: pieces(1), groupId: 1, websiteId: 1, coin: coinOf('USD') },
  );

test('options are added to the price for this buyer; percentages are of it, and rounded once', () => {
  expect(costs()).toBe(money('8.10'));
  expect(costs([1, 'x'])).toBe(money('13.10'));
  // 12.5 % and 10 % of 8.10 are 1.8225.
  expect(costs([2, 'x'], [3, '31'])).toBe(money('9.92'));
  expect(costs([3, '31,32'])).toBe(money('5.91'));
  expect(costs([4, 'x'])).toBe(zero);
});

test('what the product no longer has counts for nothing', () => {
  expect(costs([9, 'x'], [3, '77'], [1, 'x'])).toBe(money('13.10'));
  const line = {
    options,
    entered: [
      { optionId: 9, optionValue: 'x' },
      { optionId: 3, optionValue: '77' },
    ],
  };
  expect([skuWithOptions('MUG', line), shownOptions(line)]).toEqual(['MUG', [{ label: 'O3', value: '' }]]);
});

test('SKUs follow the one of the product, in the order of the options', () => {
  const line = { options, entered: [1, 2, 3].map((optionId) => ({ optionId, optionValue: '31,32' })) };
  expect(skuWithOptions('MUG', line)).toBe('MUG-ENGR-A-B');
  expect(shownOptions(line).at(-1)).toEqual({ label: 'O3', value: 'V31, V32' });
});

test('a price beyond what can be counted is refused', () => {
  const values = Array.from({ length: 100 }, (_, at) => value(at, '99999999', 'fixed', null));
  const dear = {
    options: [option(1, { type: 'multiple', values })],
    entered: [{ optionId: 1, optionValue: [...values.keys()].join() }],
  };
  const buyer = { qty: pieces(1), groupId: 1, websiteId: 1, coin: coinOf('USD') };
  expect(() => priceOfPiece({ price: money('1'), tiers: [], ...dear }, buyer)).toThrow(
    'The cart is worth more than can be counted.',
  );
});
