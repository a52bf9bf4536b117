import { describe, expect, test } from '@jest/globals';
import type { AppliedCredit } from '../../../domain/credits/applied-credit.ts';
import {
  cancellationOf,
  isFeePercent,
  captureComment,
  captureOf,
  expiryDaysOf,
  isOver,
  msUntilStale,
  isFinished,
  statusAfterPayment,
  type ExpirySettings,
  type LayawayStatus,
} from '../../../domain/layaways.ts';
import { money, zero } from '../../../domain/money.ts';
import { rated } from '../../support/coins.ts';

describe('expiry days', () => {
  const silent: ExpirySettings = { terminal: null, location: null, locationOverrides: null, shop: '30' };

  test.each<[string, Partial<ExpirySettings>, number]>([
    ['the shop’s where nobody else says', {}, 30],
    ['the location’s over the shop’s', { location: 60 }, 60],
    [
      'the location’s own field over its overrides',
      { location: 60, locationOverrides: { layaway_expiry_days: 7 } },
      60,
    ],
    ['the location’s overrides where its field inherits', { locationOverrides: { layaway_expiry_days: '7' } }, 7],
    ['the terminal’s over all', { terminal: { layaway_expiry_days: 14 }, location: 60 }, 14],
    ['null inherits', { terminal: { layaway_expiry_days: null }, location: 60 }, 60],
    ['zero is no window, and a value', { location: 0 }, 0],
    ['what is no number inherits', { terminal: { layaway_expiry_days: 'soon' } }, 30],
    ['a shop that says nothing has no window', { shop: '' }, 0],
    ['less than nothing is none', { location: -1 }, 0],
    ['no layaway lasts longer than a century', { location: 2_000_000_000 }, 36_500],
  ])('a layaway expires after the days of its place: %s', (_case, given, days) => {
    expect(expiryDaysOf({ ...silent, ...given })).toBe(days);
  });
});

describe('layaways', () => {
  const layaway = (
    paid: string,
    more: { status?: LayawayStatus | null; grandTotal?: string; base?: [total: string, paid: string] } = {},
  ) => ({
    status: 'open' as LayawayStatus | null,
    state: 'pending_payment' as const,
    ...rated('1'),
    ...more,
    grandTotal: money(more.grandTotal ?? '108'),
    totalPaid: money(paid),
    baseGrandTotal: money(more.base?.[0] ?? more.grandTotal ?? '108'),
    baseTotalPaid: money(more.base?.[1] ?? paid),
    dueTakenOff: zero,
    baseDueTakenOff: zero,
  });

  describe('the table of states (spec 3.1)', () => {
    test.each([
      ['open', true, 'ready_to_settle'],
      ['open', false, 'open'],
      ['stale', true, 'ready_to_settle'],
      ['stale', false, 'stale'],
      ['ready_to_settle', true, 'ready_to_settle'],
      ['cancelled', true, 'cancelled'],
    ] as const)('a payment of a layaway that is %s, in full %s, leaves it %s', (before, isPaidInFull, after) => {
      expect(statusAfterPayment(before, isPaidInFull)).toBe(after);
    });

    test.each([
      ['open', 'pending_payment', false],
      ['stale', 'pending_payment', false],
      ['ready_to_settle', 'pending_payment', false],
      ['ready_to_settle', 'processing', true],
      ['ready_to_settle', 'complete', true],
      ['cancelled', 'canceled', true],
      ['cancelled', 'processing', true],
      ['open', 'canceled', true],
    ] as const)('%s, its order %s: finished %s', (status, state, expected) => {
      expect(isFinished(status, state)).toBe(expected);
    });
  });

  describe('a payment', () => {
    test.each([
      ['a deposit', '0', '40', { amount: '40', totalDue: '68', status: 'open' }],
      ['a top-up', '40', '20', { amount: '20', totalDue: '48', status: 'open' }],
      ['the last one', '60', '48', { amount: '48', totalDue: '0', status: 'ready_to_settle' }],
      ['more than is owed', '60', '100', { amount: '48', totalDue: '0', status: 'ready_to_settle' }],
      ['after the last one', '108', '10', { amount: '0', totalDue: '0', status: 'ready_to_settle' }],
    ])('%s: what is booked, what is owed then', (_case, paid, asked, { amount, totalDue, status }) => {
      expect(captureOf(layaway(paid), money(asked))).toMatchObject({
        amount: money(amount),
        totalDue: money(totalDue),
        status,
      });
    });

    test.each(['0', '-5', '0.0049', '0.00', '-0.01'])('of %s is refused', (asked) => {
      expect(() => captureOf(layaway('0'), money(asked))).toThrow('Layaway capture amount must be positive');
    });

    test.each(['0.005', '33.3333', '108.0001'])('of %s is refused: it is finer than a cent', (asked) => {
      expect(() => captureOf(layaway('0'), money(asked))).toThrow('cannot be booked');
    });

    test('a total with fractions of a cent is paid when less than half a cent is left', () => {
      const sale = layaway('0', { grandTotal: '107.9951' });
      expect(captureOf(sale, money('108'))).toMatchObject({ amount: money('107.9951'), totalDue: zero });
      expect(captureOf(layaway('0', { grandTotal: '108.0049' }), money('108'))).toMatchObject({
        amount: money('108'),
        status: 'ready_to_settle',
      });
    });

    test('in another currency: the base amounts of all payments add up to the exact base total', () => {
      let [paid, basePaid] = ['0', '0'];
      const parts = ['50', '0.01', '0.01', '96.86'].map((asked) => {
        const taken = captureOf(layaway(paid, { grandTotal: '146.88', base: ['108', basePaid] }), money(asked));
        [paid, basePaid] = [String(taken.totalPaid / 10_000), String(taken.baseTotalPaid / 10_000)];
        return taken.baseAmount / 10_000;
      });
      expect(parts.every((part) => part >= 0)).toBe(true);
      expect([paid, basePaid]).toEqual(['146.88', '108']);
    });

    test.each([
      [null, 'The order is not a layaway.'],
      ['cancelled', 'The layaway is already cancelled.'],
    ] as const)('of a layaway that is %s is refused', (status, message) => {
      expect(() => captureOf(layaway('0', { status }), money('10'))).toThrow(message);
    });

    test('the history names what was requested and what was booked, where that differs', () => {
      const commentOf = (paid: string, asked: string, reference: string | null = null) =>
        captureComment({
          captured: captureOf(layaway(paid), money(asked)),
          paymentMethod: 'cash',
          reference,
          currencyCode: 'USD',
        });
      expect(commentOf('0', '40', 'T-1')).toBe(
        'Layaway payment of $40.00 by cash, reference T-1. Balance owed: $68.00.',
      );
      expect(commentOf('100', '40')).toBe(
        'Layaway payment by cash: $40.00 was requested, $8.00 was booked, which is all that was owed. Balance ' +
          'owed: $0.00.',
      );
    });
  });

  describe('a cancellation', () => {
    const credit = (kind: AppliedCredit['kind'], amount: string, more: Partial<AppliedCredit> = {}): AppliedCredit => ({
      creditId: 1,
      kind,
      providerCode: kind,
      appliesAs: 'tender',
      code: null,
      baseAmount: money(amount),
      amount: money(amount),
      points: null,
      baseReturned: zero,
      amountReturned: zero,
      pointsReturned: 0,
      ...more,
    });
    const cancel = (paid: string, feePercent: number, credits: readonly AppliedCredit[] = [], refunded = '0') => {
      const { fee, refund, handback, legs } = cancellationOf(
        {
          ...layaway(paid),
          totalRefunded: money(refunded),
          baseTotalRefunded: money(refunded),
          basePendingRefund: zero,
          credits,
        },
        feePercent * 10_000,
      );
      const plain = ({ base, order }: { base: number; order: number }) => {
        expect(base).toBe(order);
        return order / 10_000;
      };
      return {
        fee: plain(fee),
        refund: plain(refund),
        handback: plain(handback),
        legs: legs.map(({ kind, amount, points }) => [kind, points ?? amount / 10_000]),
      };
    };

    test.each([
      ['worked example D', '40', 20, { fee: 8, refund: 32, handback: 32 }],
      ['nothing kept', '40', 0, { fee: 0, refund: 40, handback: 40 }],
      ['everything kept', '40', 100, { fee: 40, refund: 0, handback: 0 }],
      ['nothing was paid', '0', 50, { fee: 0, refund: 0, handback: 0 }],
      ['rounded once, half up', '33.33', 33.3333, { fee: 11.11, refund: 22.22, handback: 22.22 }],
      ['half a cent is one', '0.01', 50, { fee: 0.01, refund: 0, handback: 0 }],
    ])('%s', (_case, paid, percent, expected) => {
      expect(cancel(paid, percent)).toEqual({ ...expected, legs: [] });
    });

    test('the fee is of money and credit together, and is kept from the money first', () => {
      expect(cancel('40', 20, [credit('store_credit', '30')])).toEqual({
        fee: 8,
        refund: 32,
        handback: 2,
        legs: [['store_credit', 30]],
      });
    });

    test('what the money does not cover store credit bears', () => {
      expect(cancel('40', 50, [credit('store_credit', '30')])).toEqual({
        fee: 20,
        refund: 20,
        handback: 0,
        legs: [['store_credit', 20]],
      });
    });

    test.each(['gift_card', 'reward_points'] as const)('part of a %s is never kept', (kind) => {
      expect(() => cancel('40', 50, [credit(kind, '30')])).toThrow(/would keep part of a gift card/);
      expect(cancel('40', 25, [credit(kind, '30')])).toMatchObject({ fee: 10, handback: 0, legs: [[kind, 30]] });
    });

    test('points that were a discount are no deposit, and come back whole', () => {
      const points = credit('reward_points', '5', { appliesAs: 'discount', points: 500 });
      expect(cancel('40', 100, [points])).toEqual({ fee: 40, refund: 0, handback: 0, legs: [['reward_points', 500]] });
    });

    test('money that was refunded before is not a deposit any more', () => {
      expect(cancel('40', 50, [], '10')).toMatchObject({ fee: 15, refund: 15, handback: 15 });
    });

    test.each([
      [null, '0', 'The order is not a layaway.'],
      ['cancelled', '0', 'The layaway is already cancelled.'],
      ['ready_to_settle', '108', 'The layaway is already paid in full.'],
      ['open', '108', 'The layaway is already paid in full.'],
    ] as const)('of a layaway that is %s with %s paid is refused', (status, paid, message) => {
      const nothing = { totalRefunded: zero, baseTotalRefunded: zero, basePendingRefund: zero, credits: [] };
      const wanted = { ...layaway(paid, { status }), ...nothing };
      expect(() => cancellationOf(wanted, 0)).toThrow(message);
    });

    test.each([
      [0, true],
      [-0, true],
      [100, true],
      [100.0000001, false],
      [-0.0000001, false],
      [Number.NaN, false],
    ])('a fee of %d percent is within the bounds: %s', (percent, expected) => {
      expect(isFeePercent(percent)).toBe(expected);
    });
  });

  test('a workflow waits for the expiry of what is open, and of nothing else', () => {
    const followed = { orderId: 1, orderIncrementId: '1', balanceOwed: zero, currencyCode: 'USD', expiresAt: null };
    const at = (status: LayawayStatus | null, expiresInMs: number | null) =>
      msUntilStale({ ...followed, state: 'pending_payment', status, expiresInMs });
    expect([at('open', 5), at('open', -5), at('open', null), at('stale', 5), at(null, 5)]).toEqual([
      5,
      0,
      null,
      null,
      null,
    ]);
    expect(isOver({ ...followed, state: 'pending_payment', status: null, expiresInMs: null })).toBe(true);
  });
});
