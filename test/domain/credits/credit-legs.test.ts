import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { isSomething, type AppliedCredit } from '../../../domain/credits/applied-credit.ts';
import { legsOfCancelledLayaway, legsOfRefund } from '../../../domain/credits/credit-legs.ts';
import { handbackOf } from '../../../domain/credits/handback.ts';
import { add, formatAmount, least, money, scale, subtract, zero } from '../../../domain/money/amount.ts';
import { seed } from '../../support/seed.ts';
import { aCent, inCents } from '../../support/coins.ts';
import { aCredit, both, cents } from './an-order-on-credit.ts';

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
