import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { applicableCredit } from '../../../domain/credits/applicable.ts';
import type { Cart } from '../../../domain/credits/cart-owing.ts';
import type { SpendableCredit } from '../../../domain/credits/spendable-credit.ts';
import { amount, formatAmount, money, zero } from '../../../domain/money/amount.ts';
import { seed } from '../../support/seed.ts';

const credit = (wanted: Partial<SpendableCredit> = {}): SpendableCredit => ({
  kind: 'store_credit',
  providerCode: 'store_credit',
  code: null,
  balance: money('25'),
  points: null,
  appliesAs: 'tender',
  includesTax: true,
  excludedSkus: new Set(),
  whyNot: null,
  ...wanted,
});
const points = (balance: number, more: Partial<NonNullable<SpendableCredit['points']>> = {}) =>
  credit({
    kind: 'reward_points',
    providerCode: 'reward_points',
    balance: zero,
    points: { balance, valueOfPoint: money('0.01'), granularity: 1, minimum: 0, ...more },
  });

/** Two mugs at 50, a plate at 10; 8 tax; 5 for shipping; 3 off: 120 in all. */
const cart = (wanted: Partial<Cart> = {}): Cart => ({
  subtotal: money('110'),
  subtotalInclTax: money('118'),
  discountAmount: money('-3'),
  taxAmount: money('8'),
  grandTotal: money('120'),
  lines: [
    { sku: 'MUG', rowTotal: money('100'), rowTotalInclTax: money('107'), discountAmount: money('3') },
    { sku: 'PLATE', rowTotal: money('10'), rowTotalInclTax: money('11'), discountAmount: zero },
  ],
  appliedCredits: [],
  ...wanted,
});
const dollars = { code: 'USD', baseToCartRate: '1' };
const most = (of: SpendableCredit, on = cart(), currency = dollars) =>
  formatAmount(applicableCredit(of, on, currency).maxAmount);
const applied = (wanted: Partial<Cart['appliedCredits'][number]> = {}): Cart['appliedCredits'][number] => ({
  kind: 'gift_card',
  providerCode: null,
  code: 'CARD',
  amount: money('110'),
  points: null,
  appliesAs: 'tender',
  ...wanted,
});

test.each([
  ['the balance, where the cart owes more', credit(), cart(), '25.0000'],
  ['what the cart owes, where there is more', credit({ balance: money('500') }), cart(), '120.0000'],
  [
    'nothing of the taxes where it pays none',
    credit({ balance: money('500'), includesTax: false }),
    cart(),
    '112.0000',
  ],
  ['what other credits leave', credit(), cart({ appliedCredits: [applied()] }), '10.0000'],
  ['nothing, when all is paid', credit(), cart({ appliedCredits: [applied({ amount: money('120') })] }), '0.0000'],
  [
    'nothing, when more than all is paid',
    credit(),
    cart({ appliedCredits: [applied({ amount: money('999') })] }),
    '0.0000',
  ],
  [
    'what it was not spent on already',
    credit(),
    cart({ appliedCredits: [applied({ kind: 'store_credit', code: null, amount: money('20') })] }),
    '5.0000',
  ],
  [
    'a discount that is on the cart is in its total already',
    credit({ balance: money('500') }),
    cart({ appliedCredits: [applied({ appliesAs: 'discount', amount: money('20') })] }),
    '120.0000',
  ],
  [
    'nothing for what it may not pay',
    credit({ balance: money('500'), excludedSkus: new Set(['MUG']) }),
    cart(),
    '16.0000',
  ],
  ['goods only, as a discount', credit({ balance: money('500'), appliesAs: 'discount' }), cart(), '115.0000'],
  [
    'goods ex tax, as a discount that pays none',
    credit({ balance: money('500'), appliesAs: 'discount', includesTax: false }),
    cart(),
    '107.0000',
  ],
  ['whole cents', credit({ balance: money('10.0099') }), cart(), '10.0000'],
  ['nothing of a cart that owes nothing', credit(), cart({ grandTotal: money('0') }), '0.0000'],
  ['nothing of a cart that owes less than nothing', credit(), cart({ grandTotal: money('-5') }), '0.0000'],
  ['points by their worth', points(725), cart(), '7.2500'],
  ['points up to what is owed', points(1_000_000), cart(), '120.0000'],
  ['points in whole steps', points(725, { granularity: 100 }), cart(), '7.0000'],
  [
    'points that the cart does not hold already, of which only the worth was said',
    points(725, { granularity: 5 }),
    cart({ appliedCredits: [applied({ kind: 'reward_points', code: null, amount: money('5.02') })] }),
    '2.2000',
  ],
  ['no points below the least', points(725, { minimum: 1_000 }), cart(), '0.0000'],
  ['no points that are worth nothing', points(725, { valueOfPoint: zero }), cart(), '0.0000'],
])('a cart may spend %s', (_case, of, on, expected) => {
  expect(most(of, on)).toBe(expected);
});

describe('in another currency', () => {
  const canadian = { code: 'CAD', baseToCartRate: '1.360000000000' };
  test('balance and limit are the cart’s, rounded down', () => {
    const found = applicableCredit(credit({ balance: money('10.01') }), cart(), canadian);
    expect([formatAmount(found.balance), formatAmount(found.maxAmount)]).toEqual(['13.6100', '13.6100']);
  });
  test('points are worth what they are worth there', () => {
    expect(applicableCredit(points(725), cart(), canadian)).toMatchObject({
      points: 725,
      maxPoints: 725,
      maxAmount: money('9.86'),
      pointsRate: 0.0136,
    });
  });
  test('a currency without cents is paid in whole units', () => {
    const yen = { code: 'JPY', baseToCartRate: '149.5' };
    expect(applicableCredit(credit(), cart({ grandTotal: money('9000') }), yen)).toMatchObject({
      maxAmount: money('3737'),
      amountStep: money('1'),
      minAmount: money('1'),
    });
  });
});

test('each line says whether it may be paid, and why not', () => {
  const free = { sku: 'FREE', rowTotal: zero, rowTotalInclTax: zero, discountAmount: zero };
  const found = applicableCredit(
    credit({ excludedSkus: new Set(['plate']) }),
    cart({ lines: [...cart().lines, free] }),
    dollars,
  );
  expect(found.lines).toEqual([
    { sku: 'MUG', isEligible: true, reason: null },
    { sku: 'PLATE', isEligible: false, reason: 'This product cannot be paid with credit.' },
    { sku: 'FREE', isEligible: false, reason: 'There is nothing to pay for this line.' },
  ]);
});

test.each([
  ['no credit', credit({ balance: zero }), 'There is no credit left.'],
  ['nothing to pay', credit(), 'There is nothing left to pay that this credit may pay for.'],
  ['a lapsed card', credit({ whyNot: 'This gift card has expired.' }), 'This gift card has expired.'],
  ['too few points', points(5, { minimum: 100 }), 'At least 100 points have to be spent at once.'],
])('with %s nothing is redeemable, and it says why', (why, of, reason) => {
  const on = why === 'nothing to pay' ? cart({ grandTotal: zero }) : cart();
  expect(applicableCredit(of, on, dollars)).toMatchObject({ isRedeemable: false, maxAmount: zero, reason });
});

test('nothing answered is ever above the balance, above what is owed, or off the step', () => {
  const cents = fc.integer({ min: 0, max: 10_000_000 });
  const rates = fc.constantFrom('1', '1.36', '0.85', '149.5', '0.000073');
  fc.assert(
    fc.property(cents, cents, cents, cents, rates, fc.boolean(), (balance, total, tax, other, rate, isPoints) => {
      const of = isPoints ? points(balance) : credit({ balance: amount(balance) });
      const on = cart({
        lines: [],
        grandTotal: amount(total),
        taxAmount: amount(Math.min(tax, total)),
        appliedCredits: [applied({ amount: amount(other) })],
      });
      const found = applicableCredit(of, on, { code: 'USD', baseToCartRate: rate });
      const worth = isPoints ? balance * 100 : balance;
      expect(found.maxAmount).toBeGreaterThanOrEqual(0);
      expect(found.maxAmount).toBeLessThanOrEqual(Math.max(0, total - other));
      expect(found.maxAmount).toBeLessThanOrEqual(Math.ceil(worth * Number(rate)) + 1);
      expect(found.maxAmount % found.amountStep).toBe(0);
      expect(found.isRedeemable).toBe(found.maxAmount > 0);
    }),
    { seed, numRuns: 500 },
  );
});
