import { expect, test } from 'vitest';
import {
  isDecided,
  nextState,
  type RefundAttemptState,
  type RefundEvidence,
} from '../../../domain/refunds/refund-attempt-state.ts';
import { findingOf, isResolution, weigh } from '../../../domain/refunds/refund-finding.ts';

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
