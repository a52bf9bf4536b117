import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isSomething, type AppliedCredit, type CreditLeg } from '../../../domain/credits/applied-credit.ts';
import { legsOfCancelledLayaway, legsOfPartCancel, legsOfRefund } from '../../../domain/credits/credit-legs.ts';
import { handbackOf } from '../../../domain/credits/handback.ts';
import {
  add,
  amount,
  formatAmount,
  least,
  money,
  scale,
  subtract,
  zero,
  type Amount,
} from '../../../domain/money/amount.ts';
import { seed } from '../../support/seed.ts';
import { aCent, inCents } from '../../support/coins.ts';

let made = 0;
const aCredit = (value: string | Amount, over: Partial<AppliedCredit> = {}): AppliedCredit => {
  const own = typeof value === 'string' ? money(value) : value;
  return {
    creditId: ++made,
    kind: 'store_credit',
    providerCode: 'store_credit',
    appliesAs: 'tender',
    code: null,
    baseAmount: own,
    amount: own,
    points: null,
    baseReturned: zero,
    amountReturned: zero,
    pointsReturned: 0,
    ...over,
  };
};

const both = (value: string) => ({ base: money(value), order: money(value) });

describe('a refund of an order of 108, two mugs at 50 and 8 tax', () => {
  const split = (credits: AppliedCredit[], refund: string, refunded = '0', paid = '108') =>
    legsOfRefund({
      coins: inCents,
      credits,
      paid: both(paid),
      refunded: both(refunded),
      refund: both(refund),
      goods: { total: money('100'), refunded: zero, cancelled: zero, refund: money('50') },
    }).map((leg) => formatAmount(leg.baseAmount));

  test.each([
    ['half of it gives half of the credit back', [aCredit('25')], '54', '0', ['12.5000']],
    [
      'the second half gives the rest',
      [aCredit('25', { baseReturned: money('12.5'), amountReturned: money('12.5') })],
      '54',
      '54',
      ['12.5000'],
    ],
    ['all of it gives all of it', [aCredit('25'), aCredit('10')], '108', '0', ['25.0000', '10.0000']],
    ['paid by credit alone, nothing is handed back', [aCredit('60'), aCredit('48')], '54', '0', ['30.0000', '24.0000']],
    [
      'three thirds share a cent and leave none',
      [aCredit('36'), aCredit('36'), aCredit('36')],
      '0.02',
      '0',
      ['0.0100', '0.0100'],
    ],
    ['without credit there are no legs', [], '54', '0', []],
    ['a refund of nothing gives nothing back', [aCredit('25')], '0', '0', []],
  ])('%s', (_case, credits, refund, refunded, expected) => {
    expect(split(credits, refund, refunded)).toEqual(expected);
  });

  test('a layaway that is paid in part comes back by what was paid, not by what it costs', () => {
    expect(split([aCredit('20')], '20', '0', '40')).toEqual(['10.0000']);
  });

  test('what no money is left for goes to the credit that has room', () => {
    // The till kept 8 of the money as a fee before, so the credit must bear more than its share now.
    expect(split([aCredit('54', { baseReturned: money('10'), amountReturned: money('10') })], '54', '54')).toEqual([
      '44.0000',
    ]);
  });

  test('points that were a discount come back with the goods, whole points only, and are no money', () => {
    const points = aCredit('5', { kind: 'reward_points', points: 501, appliesAs: 'discount' });
    const [leg] = legsOfRefund({
      coins: inCents,
      credits: [points],
      paid: both('103'),
      refunded: both('0'),
      refund: both('51.50'),
      goods: { total: money('100'), refunded: zero, cancelled: zero, refund: money('50') },
    });
    expect(leg).toMatchObject({ points: 250, baseAmount: money('2.5'), appliesAs: 'discount' });
    expect(handbackOf(both('51.50'), leg ? [leg] : [], inCents)).toEqual(both('51.50'));
  });

  test('points that paid come back as their money does', () => {
    const points = aCredit('10', { kind: 'reward_points', points: 1_001 });
    const [leg] = legsOfRefund({
      coins: inCents,
      credits: [points],
      paid: both('108'),
      refunded: both('0'),
      refund: both('54'),
      goods: { total: money('100'), refunded: zero, cancelled: zero, refund: money('50') },
    });
    expect(leg).toMatchObject({ points: 500, baseAmount: money('5') });
  });
});

const cents = (min: number, max: number) => fc.integer({ min, max }).map((value) => amount(value * 100));

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

describe('a cancelled layaway', () => {
  const cancel = (credits: AppliedCredit[], captured: string, fee: string) =>
    legsOfCancelledLayaway({ credits, captured: both(captured), fee: both(fee) });
  const card = () => aCredit('20', { kind: 'gift_card', providerCode: 'gift_card', code: 'GC' });

  test.each([
    ['without a fee all comes back', [aCredit('30')], '50', '0', ['30.0000'], '50.0000'],
    ['the fee is kept from the money first', [aCredit('30')], '50', '8', ['30.0000'], '42.0000'],
    ['then from store credit', [aCredit('30')], '50', '60', ['20.0000'], '0.0000'],
    ['a fee of all leaves nothing', [aCredit('30')], '50', '80', [], '0.0000'],
    ['a gift card comes back whole', [card(), aCredit('30')], '50', '60', ['20.0000', '20.0000'], '0.0000'],
  ])('%s', (_case, credits, captured, fee, legs, handback) => {
    const ended = cancel(credits, captured, fee);
    expect(ended.legs.map((leg) => formatAmount(leg.baseAmount))).toEqual(legs);
    expect(formatAmount(ended.handback.base)).toBe(handback);
  });

  test('a fee that would keep part of a gift card or of points is refused', () => {
    const points = aCredit('20', { kind: 'reward_points', points: 2_000 });
    for (const credits of [[card()], [points], [card(), aCredit('5')]]) {
      expect(() => cancel(credits, '50', '56')).toThrow(expect.objectContaining({ status: 400 }));
    }
  });

  test('points that were a discount come back whole, and bear no fee', () => {
    const points = aCredit('5', { kind: 'reward_points', points: 500, appliesAs: 'discount' });
    const { legs, handback } = cancel([points], '50', '50');
    expect(legs).toMatchObject([{ points: 500 }]);
    expect(handback).toEqual(both('0'));
  });

  test('money, credit and fee are the deposit, to the cent', () => {
    fc.assert(
      fc.property(
        fc.array(cents(1, 20_000), { maxLength: 4 }),
        cents(0, 50_000),
        fc.integer({ min: 0, max: 100 }),
        (values, captured, percent) => {
          const credits = values.map((value) => aCredit(value));
          const deposit = add(captured, ...values);
          const fee = scale(deposit, percent, 100, aCent);
          const ended = legsOfCancelledLayaway({
            credits,
            captured: { base: captured, order: captured },
            fee: { base: fee, order: fee },
          });
          expect(ended.legs.every(isSomething)).toBe(true);
          expect(add(ended.handback.base, fee, ...ended.legs.map((leg) => leg.baseAmount))).toBe(deposit);
          expect(ended.handback.base).toBe(subtract(captured, least(captured, fee)));
        },
      ),
      { seed, numRuns: 300 },
    );
  });
});
