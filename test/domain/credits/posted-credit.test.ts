import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { maskCode, shareLegs, type CreditLeg } from '../../../domain/credits/applied-credit.ts';
import {
  isEcho,
  readPostedCredits,
  priceCredits,
  type PostedCredit,
  type OrderToPay,
} from '../../../domain/credits/posted-credit.ts';
import { PosError } from '../../../domain/errors.ts';
import { add, amount, formatAmount, greatest, money, scale, subtract, zero } from '../../../domain/money.ts';
import { aCent, rated } from '../../support/coins.ts';
import { seed } from '../../support/seed.ts';

describe('posted credit', () => {
  const credit = (over: object = {}) => ({ credit_type: 'store_credit', amount: 25, ...over });

  const refusalOf = (given: unknown): PosError => {
    try {
      readPostedCredits(given);
    } catch (error) {
      if (error instanceof PosError) return error;
      throw error;
    }
    throw new Error('it was read');
  };

  test('a credit is read with what it leaves out', () => {
    expect(readPostedCredits([credit()])).toEqual([
      {
        kind: 'store_credit',
        providerCode: null,
        code: null,
        amount: money('25'),
        points: null,
        appliesAs: 'tender',
      },
    ]);
  });

  test('a list may come as JSON text, its keys in either spelling, its numbers as text', () => {
    const cards = [{ creditType: 'gift_card', providerCode: 'gift_card', code: 'GC-1234', amount: '12.5' }];
    const points = [{ credit_type: 'reward_points', amount: 5, points: '500', appliesAs: 'discount' }];
    expect(readPostedCredits(JSON.stringify([...cards, ...points]))).toEqual([
      {
        kind: 'gift_card',
        providerCode: 'gift_card',
        code: 'GC-1234',
        amount: money('12.5'),
        points: null,
        appliesAs: 'tender',
      },
      { kind: 'reward_points', providerCode: null, code: null, amount: money('5'), points: 500, appliesAs: 'discount' },
    ]);
  });

  describe('what cannot be read is refused with 400', () => {
    test.each([
      ['no list', { credit_type: 'store_credit', amount: 1 }],
      ['text that is no JSON', '[{'],
      ['a number', 25],
      ['a list of texts', ['store_credit']],
      ['a list of lists', [[]]],
      ['more than twenty', Array.from({ length: 21 }, () => credit())],
      ['an unknown key', [credit({ balance: 1 })]],
      ['a key of the prototype', JSON.parse('[{"credit_type":"store_credit","amount":1,"__proto__":{"a":1}}]')],
      ['an unknown kind', [credit({ credit_type: 'bitcoin' })]],
      ['no kind', [{ amount: 1 }]],
      ['an unknown use', [credit({ applies_as: 'gift' })]],
      ['store credit as a discount', [credit({ applies_as: 'discount' })]],
      ['a gift card without its code', [credit({ credit_type: 'gift_card' })]],
      ['store credit with a code', [credit({ code: 'X' })]],
      ['a code that is no text', [credit({ credit_type: 'gift_card', code: 12 })]],
      ['a code beyond its length', [credit({ credit_type: 'gift_card', code: 'x'.repeat(256) })]],
      ['a code with a NUL, hidden in text', String.raw`[{"credit_type":"gift_card","amount":1,"code":"A\u0000"}]`],
      ['half of a character', String.raw`[{"credit_type":"gift_card","amount":1,"code":"\ud800"}]`],
      ['points without their number', [credit({ credit_type: 'reward_points' })]],
      ['half a point', [credit({ credit_type: 'reward_points', points: 0.5 })]],
      ['no points', [credit({ credit_type: 'reward_points', points: 0 })]],
      ['points beyond any count', [credit({ credit_type: 'reward_points', points: 2 ** 31 })]],
      ['points with an exponent', [credit({ credit_type: 'reward_points', points: '1e3' })]],
      ['store credit in points', [credit({ points: 1 })]],
      ...[0, -1, 0.00001, 1e-7, 1e21, 1e15, Number.NaN, Infinity, null, true, {}, [1]].map(
        (amount): [string, unknown] => [`an amount of ${JSON.stringify(amount)}`, [credit({ amount })]],
      ),
      ...['1e2', '0x10', '', ' 1', 'NaN', '-0.01', '1,5', '0.00001', '9'.repeat(40)].map(
        (amount): [string, unknown] => [`an amount of "${amount}"`, [credit({ amount })]],
      ),
    ])('%s', (_case, given) => {
      expect(refusalOf(given)).toMatchObject({ status: 400 });
    });

    test('the refusal says why, and never shows a code', () => {
      const error = refusalOf([credit({ credit_type: 'gift_card', code: 'SECRET-CODE', amount: -1 })]);
      expect(error.message).toBe('The credits of the order cannot be read: %1.');
      expect(error.parameters).toEqual(['amount is money above zero with at most four decimals']);
      expect(JSON.stringify(error.refusal)).not.toContain('SECRET');
    });
  });

  test('what answers show is known again, and is not taken for a wish', () => {
    const echo = [{ kind: 'store_credit', direction: 'applied', base_amount: 25, amount: 25 }];
    expect(isEcho(echo)).toBe(true);
    expect(isEcho(JSON.stringify(echo))).toBe(true);
    expect(isEcho([credit()])).toBe(false);
  });

  test.each([
    ['GIFT-2026-ABCD', '****ABCD'],
    ['12345678', '****'],
    ['', '****'],
  ])('of the code %s only %s is shown', (code, shown) => {
    expect(maskCode(code)).toBe(shown);
  });
});

describe('price credits', () => {
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
    [
      'more than the money left to pay',
      [aCredit('50')],
      anOrder({ totalPaid: money('60'), baseTotalPaid: money('60') }),
    ],
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
          const order = anOrder({
            baseGrandTotal: base,
            grandTotal: scale(base, percent, 100, aCent),
            baseToOrderRate,
          });
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
});

describe('share legs', () => {
  const tender = (value: string): CreditLeg => ({
    creditId: 1,
    kind: 'store_credit',
    providerCode: 'store_credit',
    appliesAs: 'tender',
    baseAmount: money(value),
    amount: money(value),
    points: null,
  });
  const discount = (value: string, points: number): CreditLeg => ({
    ...tender(value),
    kind: 'reward_points',
    appliesAs: 'discount',
    points,
  });
  const line = (value: string) => ({ value: money(value), row: money(value) });

  test('a line has its part of the credit; what shipping brings belongs to none', () => {
    expect(shareLegs([line('60'), line('30')], [tender('50')], { gross: money('100'), coin: aCent })).toEqual([
      { baseCreditShare: money('30') },
      { baseCreditShare: money('15') },
    ]);
  });

  test('points that were a discount are shared by the rows, all of them', () => {
    expect(shareLegs([line('50'), line('25')], [discount('5', 500)], { gross: money('75'), coin: aCent })).toEqual([
      { baseCreditShare: zero, basePointsAmount: money('3.33'), points: 333 },
      { baseCreditShare: zero, basePointsAmount: money('1.67'), points: 167 },
    ]);
  });

  test('no lines, no shares; a memo of goodwill alone has credit that belongs to no line', () => {
    expect(shareLegs([], [tender('5')], { gross: money('10'), coin: aCent })).toEqual([]);
  });

  test('the shares of the lines add up to the lines’ share of the legs, and to all the points', () => {
    const cents = (max: number) => fc.integer({ min: 0, max }).map((value) => amount(value * 100));
    fc.assert(
      fc.property(
        fc.array(fc.record({ value: cents(20_000), row: cents(20_000) }), { minLength: 1, maxLength: 8 }),
        cents(5_000),
        cents(60_000),
        fc.integer({ min: 1, max: 9_999 }),
        (lines, shipping, credited, points) => {
          const value = add(zero, ...lines.map((one) => one.value));
          const gross = add(value, shipping);
          const legs = [{ ...tender('1'), baseAmount: amount(Math.min(credited, gross)) }, discount('5', points)];
          const shares = shareLegs(lines, legs, { gross, coin: aCent });
          const shared = add(zero, ...shares.map(({ baseCreditShare }) => baseCreditShare));
          const expected = gross === zero ? zero : scale(amount(Math.min(credited, gross)), value, gross, aCent);
          expect(shared).toBe(value === gross ? amount(gross === zero ? 0 : Math.min(credited, gross)) : expected);
          expect(shares.every(({ baseCreditShare }) => baseCreditShare >= 0)).toBe(true);
          const rows = add(zero, ...lines.map(({ row }) => row));
          const all = shares.reduce((sum, share) => sum + (share.points ?? 0), 0);
          expect(all).toBe(rows > 0 ? points : 0);
          expect(greatest(zero, subtract(shared, gross))).toBe(zero);
        },
      ),
      { seed, numRuns: 500 },
    );
  });
});
