import { describe, expect, test } from 'vitest';
import { none, pieces } from '../../../domain/money/quantity.ts';
import { eligibilityOf, noObjection, type Judgement, type SoldLine } from '../../../domain/returns/eligibility.ts';
import type { ReturnRules } from '../../../domain/returns/return-rules.ts';
import { objectionTo } from '../../../domain/returns/objection-to.ts';
import { noRules } from '../../support/builders/return-rules.ts';

const sold = (given: Partial<SoldLine> = {}): SoldLine => ({
  orderItemId: 1,
  name: 'Mug',
  qtyInvoiced: pieces(3),
  qtyRefunded: none,
  qtyInReturns: none,
  isReturnable: true,
  handedOverAt: null,
  percentOff: 0,
  ...given,
});

const orderedAt = new Date('2026-01-01T12:00:00Z');
const afterDays = (days: number) => new Date(orderedAt.getTime() + days * 86_400_000);

interface Case {
  lines?: readonly SoldLine[];
  rules?: Partial<ReturnRules>;
  daysLater?: number;
  verdict?: Judgement['verdict'];
}

const judged = ({ lines = [sold()], rules = {}, daysLater = 0, verdict = noObjection }: Case) =>
  eligibilityOf({
    order: { orderedAt, isUnsettledLayaway: false, lines },
    rules: { ...noRules, ...rules },
    resolutionIds: ['Refund', 'Exchange', 'Store Credit'],
    verdict,
    now: afterDays(daysLater),
  });

describe('what of a line may come back', () => {
  const window = { periodDays: 30 };
  const longer = { periodDays: 30, resolutionPeriods: [{ resolutionId: 'Exchange', periodDays: 60 }] };
  const refundsOnly = { resolutionIds: ['Refund'] };

  test.each<[string, Case, string | null, readonly string[] | null]>([
    ['a fresh line, nothing set', {}, null, null],
    ['nothing left of it', { lines: [sold({ qtyRefunded: pieces(3) })] }, 'quantity', []],
    ['all of it coming back already', { lines: [sold({ qtyInReturns: pieces(3) })] }, 'quantity', []],
    ['a product that stays sold', { lines: [sold({ isReturnable: false })] }, 'not_returnable', []],
    ['on the last day of its window', { rules: window, daysLater: 30.9 }, null, null],
    ['a day after its window', { rules: window, daysLater: 31 }, 'outside_period', []],
    ['a window of no days is none', { rules: { periodDays: 0 }, daysLater: 9_999 }, null, null],
    [
      'the window begins when it was handed over',
      { rules: window, daysLater: 40, lines: [sold({ handedOverAt: afterDays(15) })] },
      null,
      null,
    ],
    ['a list of resolutions', { rules: refundsOnly }, null, ['Refund']],
    ['a list that was typed in small letters', { rules: { resolutionIds: ['refund'] } }, null, ['Refund']],
    [
      'a window whose resolution was typed in small letters',
      { rules: { resolutionPeriods: [{ resolutionId: 'refund', periodDays: 7 }] }, daysLater: 8 },
      null,
      ['Exchange', 'Store Credit'],
    ],
    ['within every window', { rules: longer, daysLater: 10 }, null, ['Refund', 'Exchange', 'Store Credit']],
    ['within the longer window only', { rules: longer, daysLater: 45 }, null, ['Exchange']],
    ['after the longest window', { rules: longer, daysLater: 61 }, 'outside_period', []],
    [
      'a shorter window of one resolution',
      { rules: { resolutionPeriods: [{ resolutionId: 'Refund', periodDays: 7 }] }, daysLater: 8 },
      null,
      ['Exchange', 'Store Credit'],
    ],
    ['the vendor says no to it', { verdict: { order: null, lines: { 1: 'Hygiene.' } } }, 'vendor_rule', []],
    ['a bargain', { rules: { finalSalePercent: 50 }, lines: [sold({ percentOff: 50 })] }, 'vendor_rule', []],
    ['less of a bargain', { rules: { finalSalePercent: 50 }, lines: [sold({ percentOff: 49.99 })] }, null, null],
  ])('%s', (_case, given, reasonCode, allowedResolutionIds) => {
    expect(judged(given).lines[0]).toMatchObject({
      outcome: reasonCode === null ? 'allowed' : 'forbidden',
      reasonCode,
      allowedResolutionIds,
    });
  });

  test('what is refunded or already coming back is not returnable again', () => {
    const { lines } = judged({ lines: [sold({ qtyRefunded: pieces(1), qtyInReturns: pieces(1) })] });
    expect(lines[0]).toMatchObject({ outcome: 'allowed', qtyReturnable: pieces(1) });
  });
});

describe('an order', () => {
  const gone = sold({ qtyRefunded: pieces(3) });
  const final = sold({ orderItemId: 2, isReturnable: false });
  test.each<[string, Case, string | null, string | null]>([
    ['with one line left', { lines: [gone, sold({ orderItemId: 2 })] }, null, null],
    ['with nothing left', { lines: [gone] }, 'quantity', 'Nothing of this order is left to return.'],
    [
      'of which nothing may come back',
      { lines: [gone, final] },
      'not_returnable',
      'Nothing of this order can be returned.',
    ],
    [
      'that is too old',
      { rules: { periodDays: 14 }, daysLater: 20 },
      'outside_period',
      'The return period of 14 days is over.',
    ],
    ['the vendor says no to', { verdict: { order: 'Blocked account.', lines: {} } }, 'vendor_rule', 'Blocked account.'],
    ['without lines', { lines: [] }, 'quantity', 'Nothing of this order is left to return.'],
  ])('%s', (_case, given, reasonCode, reason) => {
    expect(judged(given)).toMatchObject({
      outcome: reasonCode === null ? 'allowed' : 'forbidden',
      reasonCode,
      reason,
      periodDays: given.rules?.periodDays ?? 0,
    });
  });
});

describe('a wanted return', () => {
  const want = (count: number, resolutionId: string | null = 'Refund', orderItemId = 1) => ({
    orderItemId,
    qty: pieces(count),
    resolutionId,
  });
  const both = [sold(), sold({ orderItemId: 2, isReturnable: false })];
  const longer = { periodDays: 30, resolutionPeriods: [{ resolutionId: 'Exchange', periodDays: 60 }] };

  test.each<[string, Case, readonly ReturnType<typeof want>[], object | undefined]>([
    ['all of it', {}, [want(3)], undefined],
    ['more than was sold', {}, [want(4)], { orderItemId: 1, reasonCode: 'quantity', periodDays: 0 }],
    ['more than was sold, spread over rows', {}, [want(2), want(2)], { orderItemId: 1, reasonCode: 'quantity' }],
    [
      'more than can be counted, spread over rows',
      {},
      Array.from({ length: 91 }, () => want(9_999_999_999)),
      { orderItemId: 1, reasonCode: 'quantity' },
    ],
    ['a line of another order', {}, [want(1, null, 99)], { orderItemId: 99, reasonCode: 'quantity' }],
    [
      'a line that stays sold',
      { lines: both },
      [want(1), want(1, null, 2)],
      { orderItemId: 2, reasonCode: 'not_returnable' },
    ],
    [
      'the only line of an order, used up',
      { lines: [sold({ qtyRefunded: pieces(3) })] },
      [want(1)],
      { orderItemId: 1, reasonCode: 'quantity' },
    ],
    ['an order that is forbidden', { lines: [] }, [want(1)], { orderItemId: 0, reasonCode: 'quantity' }],
    [
      'a resolution that is not on the list',
      { rules: { resolutionIds: ['Exchange'] } },
      [want(1)],
      {
        orderItemId: 1,
        reasonCode: 'resolution_not_allowed',
        resolutionId: 'Refund',
        allowedResolutionIds: ['Exchange'],
      },
    ],
    [
      'a resolution whose window is over',
      { rules: longer, daysLater: 45 },
      [want(1)],
      { reasonCode: 'resolution_not_allowed', periodDays: 30, allowedResolutionIds: ['Exchange'] },
    ],
    ['a resolution with a longer window', { rules: longer, daysLater: 45 }, [want(1, 'Exchange')], undefined],
    ['no resolution, in time', { rules: longer, daysLater: 10 }, [want(1, null)], undefined],
    [
      'no resolution, late',
      { rules: longer, daysLater: 45 },
      [want(1, null)],
      { reasonCode: 'outside_period', periodDays: 30 },
    ],
    [
      'late, no override',
      { rules: { periodDays: 30 }, daysLater: 45 },
      [want(1)],
      { orderItemId: 0, reasonCode: 'outside_period' },
    ],
  ])('%s', (_case, given, wanted, objection) => {
    const found = objectionTo(judged(given), wanted);
    if (objection === undefined) expect(found).toBeUndefined();
    else expect(found).toMatchObject(objection);
  });
});
