import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { applicableCredit } from '../../../domain/credits/applicable.ts';
import {
  isSomething,
  cancelledGoods,
  handbackOf,
  type AppliedCredit,
  type CreditLeg,
  type Cart,
  type SpendableCredit,
} from '../../../domain/credits/applied-credit.ts';
import { legsOfCancelledLayaway, legsOfPartCancel, legsOfRefund } from '../../../domain/credits/credit-legs.ts';
import {
  add,
  amount,
  formatAmount,
  least,
  money,
  scale,
  subtract,
  zero,
  pieces,
  type Amount,
} from '../../../domain/money.ts';
import { aCent, inCents } from '../../support/coins.ts';
import { seed } from '../../support/seed.ts';
import { aCredit, both, cents } from './an-order-on-credit.ts';

describe('applicable', () => {
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
});

describe('cancelled goods', () => {
  test.each([
    ['nothing was cancelled', { ordered: 3, invoiced: 1, cancelled: 0, invoicedRow: '33.34' }, '0.0000'],
    ['all was invoiced', { ordered: 3, invoiced: 3, cancelled: 0, invoicedRow: '100.01' }, '0.0000'],
    [
      'the rest was cancelled: the exact rest',
      { ordered: 3, invoiced: 1, cancelled: 2, invoicedRow: '33.34' },
      '66.6700',
    ],
    ['some may still be invoiced', { ordered: 3, invoiced: 1, cancelled: 1, invoicedRow: '33.34' }, '33.3350'],
    ['nothing was invoiced', { ordered: 3, invoiced: 0, cancelled: 3, invoicedRow: '0' }, '100.0100'],
  ])('what was cancelled of a line of 100.01 is worth, when %s', (_case, line, expected) => {
    const worth = cancelledGoods({
      qtyOrdered: pieces(line.ordered),
      qtyInvoiced: pieces(line.invoiced),
      qtyCanceled: pieces(line.cancelled),
      baseRowTotal: money('100.01'),
      baseRowInvoiced: money(line.invoicedRow),
    });
    expect(formatAmount(worth)).toBe(expected);
  });
});

describe('credit legs', () => {
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
      [
        'paid by credit alone, nothing is handed back',
        [aCredit('60'), aCredit('48')],
        '54',
        '0',
        ['30.0000', '24.0000'],
      ],
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
});

describe('credit of any order', () => {
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
});
