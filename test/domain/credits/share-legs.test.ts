import { expect, test } from 'vitest';
import fc from 'fast-check';
import type { CreditLeg } from '../../../domain/credits/applied-credit.ts';
import { shareLegs } from '../../../domain/credits/share-legs.ts';
import { add, amount, greatest, money, scale, subtract, zero } from '../../../domain/money/amount.ts';
import { seed } from '../../support/seed.ts';
import { aCent } from '../../support/coins.ts';

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
