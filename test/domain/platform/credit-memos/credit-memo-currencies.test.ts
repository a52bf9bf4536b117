import { expect, test } from 'vitest';
import { money } from '../../../../domain/money/amount.ts';
import { givenInBase, givenInOrderCurrency } from '../../../../domain/platform/credit-memos/credit-memo-currencies.ts';
import { rated } from '../../../support/coins.ts';

test.each([
  { base: '9.95', rate: '1.360000000000', order: '13.53' },
  { base: '0.005', rate: '1', order: '0.01' },
  { base: '29.46', rate: '1.36', order: '40.07' },
  { base: '100', rate: '0.007352941176', order: '0.74' },
  { base: '5', rate: '0', order: '5' },
  { base: '5', rate: '', order: '5' },
])('$base of the base currency at $rate is $order', ({ base, rate, order }) => {
  expect(givenInBase(money(base), rated(rate)).order).toBe(money(order));
});

test('an amount in the order’s currency stays as it is', () => {
  expect(givenInOrderCurrency(money('40.06'), rated('1.36'))).toEqual({ order: money('40.06'), base: money('29.46') });
  expect(givenInOrderCurrency(money('1491'), rated('150'))).toEqual({ order: money('1491'), base: money('9.94') });
});
