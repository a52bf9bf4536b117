import { expect, test } from 'vitest';
import fc from 'fast-check';
import { amount, money, toWire } from '../../../domain/money/amount.ts';
import { givenInBase, givenInOrderCurrency } from '../../../domain/platform/credit-memos/credit-memo-currencies.ts';
import { absorbed, stillPays } from '../../../domain/store-credit/cart-credit.ts';
import { seed } from '../../support/seed.ts';
import { rated } from '../../support/coins.ts';

const due = (baseAmount: string, own = baseAmount) => ({ baseAmount: money(baseAmount), amount: money(own) });

test.each([
  ['nothing of nothing', '0', due('10'), '1', [0, 0]],
  ['all it has', '4', due('10'), '1', [4, 4]],
  ['no more than is due', '40', due('10'), '1', [10, 10]],
  ['whole cents of it', '4.9999', due('10'), '1', [4.99, 4.99]],
  ['nothing of an empty cart', '4', due('0'), '1', [0, 0]],
  ['the worth of it in another currency', '25', due('118', '160.48'), '1.36', [25, 34]],
  ['all that is due in both, however that was rounded', '118', due('118', '160.47'), '1.36', [118, 160.47]],
  ['never the last cent when it is a cent short', '9.99', due('10', '0.10'), '0.01', [9, 0.09]],
  ['nothing where it is worth less than a coin', '0.40', due('10', '0.10'), '0.01', [0, 0]],
])('absorbs %s', (_case, balance, what, rate, expected) => {
  const { baseAmount, amount: own } = absorbed(money(balance), what, rated(rate));
  expect([baseAmount, own].map(toWire)).toEqual(expected);
});

test('whatever the rate: never more than the balance or the cart, and the same when it is counted back', () => {
  const cents = (max: number) => fc.integer({ min: 0, max }).map((count) => amount(count * 100));
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 50_000_000 }).map(amount),
      cents(100_000),
      fc.integer({ min: 1, max: 300_000 }).map((units) => (units / 1_000).toFixed(3)),
      (balance, baseDue, rate) => {
        const what = { baseAmount: baseDue, amount: givenInBase(baseDue, rated(rate)).order };
        const part = absorbed(balance, what, rated(rate));

        expect(part.baseAmount).toBeLessThanOrEqual(Math.min(balance, baseDue));
        expect(part.amount).toBeLessThanOrEqual(what.amount);
        if (part.amount !== what.amount)
          expect(part.baseAmount).toBe(givenInOrderCurrency(part.amount, rated(rate)).base);
      },
    ),
    { seed },
  );
});

test.each([
  ['25', '25', '118', true],
  ['30', '25', '118', true],
  ['20', '25', '118', false],
  ['20', '25', '20', true],
  ['0', '25', '0', true],
  ['0', '25', '118', false],
])('a balance of %s where %s was seen, %s due: %s', (balance, seen, baseDue, expected) => {
  expect(stillPays(money(balance), money(seen), money(baseDue))).toBe(expected);
});
