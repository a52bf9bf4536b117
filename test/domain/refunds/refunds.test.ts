import { describe, expect, test } from '@jest/globals';
import { handbackOf } from '../../../domain/credits/applied-credit.ts';
import { money, zero, pieces } from '../../../domain/money.ts';
import {
  afterCallSeconds,
  isDecided,
  nextState,
  findingOf,
  isResolution,
  weigh,
  type RefundAttemptState,
  type RefundEvidence,
} from '../../../domain/refunds/refund-finding.ts';
import { differenceOf, memoRequest, plainSettlement, type RefundLeg } from '../../../domain/refunds/quote-refund.ts';
import { inCents, rated } from '../../support/coins.ts';

describe('answer time', () => {
  test('a caller waits longer than every look-up and the pauses between them', () => {
    // Three look-ups of up to 8 s, with 1 s and 2 s between them.
    expect(afterCallSeconds).toBeGreaterThan(8 + 1 + 8 + 2 + 8);
  });
});

describe('quote refund', () => {
  const storeCredit = (amount: string): RefundLeg => ({
    kind: 'store_credit',
    providerCode: 'builtin',
    baseAmount: money(amount),
    amount: money(amount),
  });

  test('two rows of one line are one line of the memo', () => {
    const items = [
      { orderItemId: 3, qty: pieces(1) },
      { orderItemId: 3, qty: pieces(2) },
      { orderItemId: 4, qty: pieces(1) },
    ];
    expect(memoRequest(items, plainSettlement, rated('1')).items).toEqual([
      { orderItemId: 3, qty: pieces(3) },
      { orderItemId: 4, qty: pieces(1) },
    ]);
  });

  test.each([null, zero])('shipping %s lets the platform distribute what is left', (shippingAmount) => {
    expect(memoRequest([], { ...plainSettlement, shippingAmount }, rated('1'))).not.toHaveProperty('shipping');
  });

  test('amounts in the order’s currency stay as given, and the base follows by the rate', () => {
    const options = { ...plainSettlement, adjustmentPositive: money('13.60'), shippingAmount: money('6.80') };
    const request = memoRequest([], options, rated('1.36'));
    expect(request.adjustmentPositive).toEqual({ order: money('13.60'), base: money('10') });
    expect(request.shipping).toEqual({ order: money('6.80'), base: money('5') });
  });

  test.each(['adjustmentPositive', 'adjustmentNegative', 'shippingAmount'])(
    'a %s finer than the coin of the order’s currency is refused',
    (name) => {
      const finer = (value: string) => ({ ...plainSettlement, [name]: money(value) });
      expect(() => memoRequest([], finer('2.505'), rated('1'))).toThrow('cannot be booked');
      expect(() => memoRequest([], finer('0.0001'), rated('1'))).toThrow('cannot be booked');
    },
  );

  test('the handback is the refund less every credit leg', () => {
    expect(handbackOf({ base: money('20'), order: money('20') }, [storeCredit('7.50')], inCents)).toEqual({
      base: money('12.50'),
      order: money('12.50'),
    });
  });

  test.each([
    ['nothing was expected', undefined, [], null],
    ['the same legs', [storeCredit('5')], [storeCredit('5')], null],
    [
      'other legs',
      [storeCredit('5')],
      [],
      'The credit given back differs from the preview (store_credit: expected 5, booked 0).',
    ],
    [
      'a leg that cannot be read',
      [{ kind: 'store_credit', amount: null } as const],
      [storeCredit('5')],
      'The credit given back differs from the preview (store_credit: expected an amount that cannot be read, ' +
        'booked 5).',
    ],
  ])('what differs from the preview is one sentence: %s', (_case, expected, booked, sentence) => {
    expect(differenceOf(expected, booked)).toBe(sentence);
  });
});

describe('refund attempt state', () => {
  /** Spec 3.3, row for row, and the two states that stay put. */
  test.each<[RefundAttemptState, RefundEvidence, RefundAttemptState]>([
    ['started', 'refunded', 'booked'],
    ['started', 'not_refunded', 'failed'],
    ['started', 'unknown', 'uncertain'],
    ['uncertain', 'refunded', 'booked'],
    ['uncertain', 'not_refunded', 'failed'],
    ['uncertain', 'unknown', 'uncertain'],
    ['booked', 'not_refunded', 'booked'],
    ['failed', 'refunded', 'failed'],
  ])('an attempt that is %s and hears %s becomes %s', (state, evidence, next) => {
    expect(nextState(state, evidence)).toBe(next);
  });

  test('only booked and failed are decided', () => {
    expect((['started', 'uncertain', 'booked', 'failed'] as const).filter(isDecided)).toEqual(['booked', 'failed']);
  });

  const callDeadline = new Date('2026-11-21T10:00:20Z');
  const before = new Date('2026-11-21T10:00:24Z');
  const after = new Date('2026-11-21T10:00:25Z');
  const askedBefore = new Date('2026-11-21T10:00:10Z');
  const askedJustNow = new Date('2026-11-21T10:00:22Z');
  const no = { evidence: 'not_refunded' } as const;
  const persons = { ...no, resolvedBy: 'Ada' };

  test.each([
    ['a yes counts at once', { evidence: 'refunded' }, null, before, 'refunded'],
    ['a no is not believed while the call may still arrive', no, askedBefore, before, 'unknown'],
    ['a first no is not believed, however late: some processors say no first', no, null, after, 'unknown'],
    ['a second no counts once the call is surely over', no, askedBefore, after, 'not_refunded'],
    ['a second no right after the first does not count', no, askedJustNow, after, 'unknown'],
    ['a recorded decline is final', { ...no, isFinal: true }, null, before, 'not_refunded'],
    ['a person’s no waits until the call is surely over', persons, null, before, 'unknown'],
    ['a person’s no needs no second one', persons, null, after, 'not_refunded'],
    ['no answer stays no answer', { evidence: 'unknown' }, askedBefore, after, 'unknown'],
  ] as const)('%s', (_sentence, finding, firstNotFoundAt, now, evidence) => {
    expect(weigh(finding, { callDeadline, firstNotFoundAt }, now)).toBe(evidence);
  });

  test('an unclaimed call was never made, so a "no" counts', () => {
    expect(weigh(no, { callDeadline: null, firstNotFoundAt: null }, before)).toBe('not_refunded');
  });

  test.each([
    [{ resolution: 'refunded', staffName: 'Ada', note: '' }, true],
    [{ resolution: 'not_refunded', staffName: 'Ada' }, true],
    [{ resolution: 'Refunded', staffName: 'Ada', note: '' }, false],
    [{ resolution: 'refunded', note: 'nobody' }, false],
    [{ resolution: 'refunded', staffName: 7, note: '' }, false],
    [{ resolution: 'refunded', staffName: 'x'.repeat(256), note: '' }, false],
    [undefined, false],
    [null, false],
  ])('%j from the Temporal page is a resolution: %s', (given, expected) => {
    expect(isResolution(given as never)).toBe(expected);
  });

  test('a person’s word carries their name and note', () => {
    expect(findingOf({ resolution: 'refunded', staffName: 'Ada', note: 'on the statement' })).toEqual({
      evidence: 'refunded',
      resolvedBy: 'Ada',
      resolutionNote: 'on the statement',
    });
  });
});
