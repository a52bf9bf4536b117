import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import type { PostedCredit } from '../../../domain/credits/posted-credit.ts';
import { priceCredits, type OrderToPay } from '../../../domain/credits/price-credits.ts';
import { add, amount, formatAmount, money, scale, zero } from '../../../domain/money/amount.ts';
import { seed } from '../../support/seed.ts';
import { aCent, rated } from '../../support/coins.ts';

const aCredit = (value: string, over: Partial<PostedCredit> = {}): PostedCredit => ({
  kind: 'store_credit',
  providerCode: null,
  code: null,
  amount: money(value),
  points: null,
  appliesAs: 'tender',
  ...over,
});

const anOrder = (over: Partial<OrderToPay> = {}): OrderToPay => ({
  grandTotal: money('108'),
  baseGrandTotal: money('108'),
  totalPaid: zero,
  baseTotalPaid: zero,
  ...rated('1'),
  ...over,
});

const canadian = anOrder({ grandTotal: money('146.88'), baseGrandTotal: money('108'), baseToOrderRate: '1.36' });
const based = (credits: readonly PostedCredit[], order: OrderToPay) =>
  priceCredits(credits, order).map(({ baseAmount }) => formatAmount(baseAmount));

describe('what a credit is worth in the base currency', () => {
  test.each([
    ['in one currency it is what it is', anOrder(), ['25'], ['25.0000']],
    ['by the rate, to the cent', canadian, ['34', '10'], ['25.0000', '7.3500']],
    ['what pays all pays all in both currencies', canadian, ['100', '46.88'], ['73.5300', '34.4700']],
    ['a rate that is absent counts as one', anOrder({ baseToOrderRate: '0' }), ['25'], ['25.0000']],
  ])('%s', (_case, order, credits, expected) => {
    expect(
      based(
        credits.map((value) => aCredit(value)),
        order,
      ),
    ).toEqual(expected);
  });

  test('a discount takes nothing of what is left to pay', () => {
    const points = aCredit('50', { kind: 'reward_points', points: 5_000, appliesAs: 'discount' });
    expect(based([points, aCredit('108')], anOrder())).toEqual(['50.0000', '108.0000']);
  });
});

test.each([
  ['more than the order costs', [aCredit('108.01')], anOrder()],
  ['two that are more together', [aCredit('60'), aCredit('48.01')], anOrder()],
  ['more than the money left to pay', [aCredit('50')], anOrder({ totalPaid: money('60'), baseTotalPaid: money('60') })],
  ['less than a cent of the base currency', [aCredit('0.0040')], anOrder()],
  ['a payment with a part of a cent', [aCredit('10.555')], anOrder()],
  ['more than can be counted together', Array.from({ length: 20 }, () => aCredit('900000000000')), anOrder()],
])('%s is refused with 400', (_case, credits, order) => {
  expect(() => priceCredits(credits, order)).toThrow(expect.objectContaining({ status: 400 }));
});

test('what pays exactly all that is left may have a part of a cent, as the order has it', () => {
  const order = anOrder({ grandTotal: money('10.555'), baseGrandTotal: money('10.555') });
  expect(based([aCredit('10.555')], order)).toEqual(['10.5550']);
});

test('credits never come to more than the order in either currency, and those that pay it all pay it all', () => {
  const cents = (max: number) => fc.integer({ min: 1, max }).map((value) => amount(value * 100));
  fc.assert(
    fc.property(
      cents(50_000),
      fc.integer({ min: 50, max: 250 }),
      fc.array(cents(40_000), { maxLength: 5 }),
      (base, percent, wanted) => {
        const baseToOrderRate = (percent / 100).toFixed(2);
        const order = anOrder({ baseGrandTotal: base, grandTotal: scale(base, percent, 100, aCent), baseToOrderRate });
        let left: number = order.grandTotal;
        const fitting = wanted.filter((value) => (left -= value) >= 0 || ((left += value), false));
        fc.pre(fitting.every((value) => scale(value, 100, percent, aCent) > 0));
        const credits = fitting.map((value) => ({ ...aCredit('1'), amount: value }));
        let priced: ReturnType<typeof priceCredits>;
        try {
          priced = priceCredits(credits, order);
        } catch (error) {
          // All of the base total is spent by rounding: such a cent is refused, not given away.
          expect(error).toMatchObject({ status: 400 });
          return;
        }
        const baseSum = add(zero, ...priced.map(({ baseAmount }) => baseAmount));
        expect(baseSum).toBeLessThanOrEqual(order.baseGrandTotal);
        if (left === 0) expect(baseSum).toBe(order.baseGrandTotal);
      },
    ),
    { seed, numRuns: 500 },
  );
});
