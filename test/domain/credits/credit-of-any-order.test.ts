import { expect, test } from 'vitest';
import fc from 'fast-check';
import { type AppliedCredit, type CreditLeg } from '../../../domain/credits/applied-credit.ts';
import { legsOfPartCancel, legsOfRefund } from '../../../domain/credits/credit-legs.ts';
import { handbackOf } from '../../../domain/credits/handback.ts';
import { add, amount, money, scale, subtract, zero, type Amount } from '../../../domain/money/amount.ts';
import { seed } from '../../support/seed.ts';
import { aCent, inCents } from '../../support/coins.ts';
import { aCredit, both, cents } from './an-order-on-credit.ts';

interface Shop {
  credits: AppliedCredit[];
  paid: { base: Amount; order: Amount };
  refunded: { base: Amount; order: Amount };
  goods: { total: Amount; refunded: Amount; cancelled: Amount };
}

/** An order paid with some credits and some money, in a currency of its own. */
const paidOrder = fc
  .record({
    credits: fc.array(
      fc.record({
        value: cents(1, 30_000),
        points: fc.option(fc.integer({ min: 1, max: 5_000 })),
        isDiscount: fc.boolean(),
      }),
      { maxLength: 4 },
    ),
    captured: fc.oneof(fc.constant(zero), cents(0, 50_000)),
    percent: fc.integer({ min: 40, max: 260 }),
    total: cents(1, 90_000),
  })
  .map(({ credits: wanted, captured, percent, total }): Shop => {
    const credits = wanted.map(({ value, points, isDiscount }) =>
      aCredit(value, {
        baseAmount: value,
        amount: add(scale(value, percent, 100, aCent), money('0.01')),
        points,
        ...(points === null ? {} : { kind: 'reward_points', appliesAs: isDiscount ? 'discount' : 'tender' }),
      }),
    );
    const tenders = credits.filter(({ appliesAs }) => appliesAs === 'tender');
    return {
      credits,
      paid: {
        base: add(captured, ...tenders.map(({ baseAmount }) => baseAmount)),
        order: add(scale(captured, percent, 100, aCent), ...tenders.map(({ amount: own }) => own)),
      },
      refunded: { base: zero, order: zero },
      goods: { total, refunded: zero, cancelled: zero },
    };
  })
  .filter(({ paid }) => paid.base > 0 && paid.order > 0);

/** Parts of a thousand of what is left; the last refund takes all. */
const parts = fc.array(fc.integer({ min: 0, max: 999 }), { maxLength: 6 });

const take = (whole: Amount, part: number) => scale(whole, part, 1_000, aCent);

function refundPart(shop: Shop, part: number | 'all') {
  const of = (whole: Amount, taken: Amount) =>
    part === 'all' ? subtract(whole, taken) : take(subtract(whole, taken), part);
  const refund = { base: of(shop.paid.base, shop.refunded.base), order: of(shop.paid.order, shop.refunded.order) };
  const goods = { ...shop.goods, refund: of(shop.goods.total, add(shop.goods.refunded, shop.goods.cancelled)) };
  return { refund, goods, legs: legsOfRefund({ ...shop, coins: inCents, refund, goods }) };
}

function given(shop: Shop, { refund, goods, legs }: ReturnType<typeof refundPart>, sign = 1): Shop {
  const moved = (value: Amount, by: Amount) => amount(value + sign * by);
  return {
    ...shop,
    refunded: { base: moved(shop.refunded.base, refund.base), order: moved(shop.refunded.order, refund.order) },
    goods: { ...shop.goods, refunded: moved(shop.goods.refunded, goods.refund) },
    credits: withLegs(shop.credits, legs, sign),
  };
}

const withLegs = (credits: readonly AppliedCredit[], legs: readonly CreditLeg[], sign = 1): AppliedCredit[] =>
  credits.map((credit) => {
    const leg = legs.find(({ creditId }) => creditId === credit.creditId);
    if (!leg) return credit;
    return {
      ...credit,
      baseReturned: amount(credit.baseReturned + sign * leg.baseAmount),
      amountReturned: amount(credit.amountReturned + sign * leg.amount),
      pointsReturned: credit.pointsReturned + sign * (leg.points ?? 0),
    };
  });

/** A part of the goods that are left is cancelled; what was paid stays where it is. */
function cancelPart(shop: Shop, part: number) {
  const left = subtract(shop.goods.total, shop.goods.refunded, shop.goods.cancelled);
  const goods = { ...shop.goods, cancelled: add(shop.goods.cancelled, take(left, part)) };
  const legs = legsOfPartCancel(shop.credits, goods, inCents);
  return { legs, after: { ...shop, goods, credits: withLegs(shop.credits, legs) } };
}

const moneyOf = ({ credits, paid }: Shop) => {
  const tenders = credits.filter(({ appliesAs }) => appliesAs === 'tender');
  return {
    base: subtract(paid.base, ...tenders.map(({ baseAmount }) => baseAmount)),
    order: subtract(paid.order, ...tenders.map(({ amount: own }) => own)),
  };
};

/** What is wrong with one refund: nothing, ever. */
function faults(shop: Shop, legs: readonly CreditLeg[], handback: { base: Amount; order: Amount }): string[] {
  const overdrawn = legs.filter((leg) => {
    const credit = shop.credits.find(({ creditId }) => creditId === leg.creditId);
    if (!credit) return true;
    return (
      leg.baseAmount < 0 ||
      leg.amount < 0 ||
      (leg.points ?? 0) < 0 ||
      leg.baseAmount > credit.baseAmount - credit.baseReturned ||
      leg.amount > credit.amount - credit.amountReturned ||
      (leg.points ?? 0) > (credit.points ?? 0) - credit.pointsReturned
    );
  });
  const money = moneyOf(shop);
  const tenders = shop.credits.filter(({ appliesAs }) => appliesAs === 'tender');
  const handedBack = {
    base: subtract(shop.refunded.base, ...tenders.map(({ baseReturned }) => baseReturned)),
    order: subtract(shop.refunded.order, ...tenders.map(({ amountReturned }) => amountReturned)),
  };
  return [
    ...overdrawn.map((leg) => `leg ${JSON.stringify(leg)} is more than is left of its credit`),
    ...(handback.base < 0 || handback.order < 0 ? ['a handback below zero'] : []),
    ...(handback.base > subtract(money.base, handedBack.base) ? ['more money back than was paid'] : []),
    ...(handback.order > subtract(money.order, handedBack.order) ? ['more money back than was paid'] : []),
  ];
}

const isAllBack = ({ credits }: Shop) =>
  credits.every(
    (credit) =>
      credit.baseReturned === credit.baseAmount &&
      credit.amountReturned === credit.amount &&
      credit.pointsReturned === (credit.points ?? 0),
  );

test('in whatever parts an order is refunded, its credit comes back exactly, and its money, too', () => {
  fc.assert(
    fc.property(paidOrder, parts, (order, taken) => {
      let shop = order;
      for (const part of [...taken, 'all'] as const) {
        const refund = refundPart(shop, part);
        expect(faults(shop, refund.legs, handbackOf(refund.refund, refund.legs, inCents))).toEqual([]);
        shop = given(shop, refund);
      }
      expect(isAllBack(shop)).toBe(true);
    }),
    { seed, numRuns: 1_000 },
  );
});

test('goods cancelled between the refunds bring their points back then, and all credit comes back exactly', () => {
  const event = fc.record({ part: fc.integer({ min: 0, max: 1_000 }), isCancel: fc.boolean() });
  fc.assert(
    fc.property(paidOrder, fc.array(event, { maxLength: 6 }), (order, events) => {
      let shop = order;
      for (const { part, isCancel } of events) {
        const cancelled = cancelPart(shop, part);
        const refund = refundPart(shop, part);
        const legs = isCancel ? cancelled.legs : refund.legs;
        expect(faults(shop, legs, isCancel ? both('0') : handbackOf(refund.refund, legs, inCents))).toEqual([]);
        shop = isCancel ? cancelled.after : given(shop, refund);
        // Whatever happened to the goods, the points are back as far as the goods are.
        const gone = add(shop.goods.refunded, shop.goods.cancelled);
        const discounts = shop.credits.filter(({ appliesAs }) => appliesAs === 'discount');
        expect(discounts.map(({ pointsReturned }) => pointsReturned)).toEqual(
          discounts.map(({ points }) => Math.floor(((points ?? 0) * gone) / shop.goods.total)),
        );
      }
      expect(isAllBack(given(shop, refundPart(shop, 'all')))).toBe(true);
    }),
    { seed, numRuns: 500 },
  );
});

test('refunds under way keep their legs, whichever of them go through, in whatever order', () => {
  const step = fc.record({
    part: fc.integer({ min: 1, max: 999 }),
    fate: fc.constantFrom('booked', 'failed', 'waits'),
  });
  fc.assert(
    fc.property(
      paidOrder,
      fc.array(step, { maxLength: 6 }),
      fc.array(fc.boolean(), { maxLength: 6 }),
      (order, steps, ends) => {
        let shop = order;
        const waiting: ReturnType<typeof refundPart>[] = [];
        for (const { part, fate } of steps) {
          const refund = refundPart(shop, part);
          expect(faults(shop, refund.legs, handbackOf(refund.refund, refund.legs, inCents))).toEqual([]);
          // What waits counts as given back, reserved; a failure frees it.
          shop = given(shop, refund);
          if (fate === 'failed') shop = given(shop, refund, -1);
          if (fate === 'waits') waiting.push(refund);
        }
        waiting.forEach((refund, at) => {
          if (ends[at] === false) shop = given(shop, refund, -1);
        });
        const last = refundPart(shop, 'all');
        shop = given(shop, last);
        expect(shop.credits.every(({ baseReturned, baseAmount }) => baseReturned <= baseAmount)).toBe(true);
        expect(isAllBack(shop)).toBe(true);
      },
    ),
    { seed, numRuns: 500 },
  );
});
