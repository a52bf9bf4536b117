import { expect, test } from '@jest/globals';
import type { AttemptRow, ReturnRow } from '../../../db/explain/sale-rows.ts';
import { waysOnForAttempt, waysOnForReturn } from '../../../db/explain/ways-on.ts';
import { openStatuses, terminalStatuses } from '../../../domain/returns/return-status.ts';
import { refundAttemptStates } from '../../../domain/refunds/refund-attempt-state.ts';

const aReturn = (told: Partial<ReturnRow>): ReturnRow => ({
  returnId: 42,
  incrementId: '000000042',
  status: 'pending',
  isReady: true,
  isAutoApproved: false,
  posSaleId: null,
  refundMethod: null,
  creditMemoId: null,
  refundDifference: null,
  locationName: null,
  lines: [],
  movements: [],
  comments: [],
  at: '2026-11-20T09:00:00.000Z',
  updatedAt: '2026-11-20T09:00:00.000Z',
  ...told,
});

const anAttempt = (told: Partial<AttemptRow>): AttemptRow => ({
  attemptId: 7,
  returnId: 42,
  state: 'uncertain',
  paymentMethod: 'provider_a',
  amount: '54.0000',
  credited: '0.0000',
  currency: 'USD',
  idempotencyKey: 'return-42-1',
  gatewayOutcome: null,
  gatewayReference: null,
  message: null,
  resolvedBy: null,
  resolutionNote: null,
  callStartedAt: null,
  callDeadline: null,
  at: '2026-11-20T09:00:00.000Z',
  updatedAt: '2026-11-20T09:00:00.000Z',
  ...told,
});

test.each(openStatuses)('a return that is %s can always be ended', (status) => {
  expect(waysOnForReturn(aReturn({ status }), []).at(-1)).toContain('POST /V1/pos/rma/42/close');
});

test.each(terminalStatuses)('a return that is %s asks for nothing', (status) => {
  expect(waysOnForReturn(aReturn({ status }), [])).toEqual(['Nothing: this return is over.']);
});

test('money first: an uncertain refund comes before everything else about its return', () => {
  const ways = waysOnForReturn(aReturn({ status: 'awaiting_refund' }), [anAttempt({})]);

  expect(ways.slice(0, 3).join('\n')).toMatch(/refunds reconcile 7[^]*resolve 7 refunded[^]*resolve 7 not_refunded/);
  expect(ways.join('\n')).not.toContain('/settle');
});

test('where the gateway cannot be asked, nobody is sent to ask it', () => {
  const ways = waysOnForAttempt(anAttempt({ cannotBeAsked: true })).join('\n');

  expect(ways).toMatch(/^This gateway cannot be asked[^]*resolve 7 refunded[^]*resolve 7 not_refunded/);
  expect(ways).not.toMatch(/reconcile|by itself/);
});

test('an uncertain refund of another return is none of this one', () => {
  const ways = waysOnForReturn(aReturn({ status: 'awaiting_refund' }), [anAttempt({ returnId: 43 })]);

  expect(ways[0]).toContain('/V1/pos/rma/42/settle');
});

test('a beginning that was interrupted says how it is finished', () => {
  expect(waysOnForReturn(aReturn({ isReady: false }), [])).toHaveLength(1);
});

test.each(refundAttemptStates)('an attempt that is %s says what to do', (state) => {
  expect(waysOnForAttempt(anAttempt({ state })).length).toBeGreaterThan(0);
});
