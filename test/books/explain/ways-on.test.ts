import { expect, test } from 'vitest';
import type { ProcessRow } from '../../../books/explain/process-row.ts';
import { attemptEvents } from '../../../books/explain/refund-events.ts';
import type { AttemptRow, ReturnRow } from '../../../books/explain/sale-rows.ts';
import { waysOnForAttempt, waysOnForReturn } from '../../../books/explain/ways-on.ts';
import { openStatuses, terminalStatuses } from '../../../domain/returns/return-status.ts';
import { refundAttemptStates } from '../../../domain/refunds/refund-attempt-state.ts';

const aReturn = (wanted: Partial<ReturnRow>): ReturnRow => ({
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
  ...wanted,
});

const anAttempt = (wanted: Partial<AttemptRow>): AttemptRow => ({
  attemptId: 7,
  returnId: 42,
  state: 'uncertain',
  paymentMethod: 'provider_a',
  amount: '54.0000',
  credited: '0.0000',
  currency: 'USD',
  idempotencyKey: 'return-42-1',
  nameTail: null,
  gatewayOutcome: null,
  gatewayReference: null,
  message: null,
  resolvedBy: null,
  resolutionNote: null,
  callStartedAt: null,
  callDeadline: null,
  at: '2026-11-20T09:00:00.000Z',
  updatedAt: '2026-11-20T09:00:00.000Z',
  ...wanted,
});

const aRun = (wanted: Partial<ProcessRow>): ProcessRow => ({
  processId: 3,
  orderId: 9,
  requestKey: 'sale-7',
  returnId: null,
  attemptId: 7,
  isFastTrack: false,
  resolution: 'refund',
  isOnline: true,
  state: 'open',
  stage: 'asking',
  providerCode: null,
  storeCredit: '0.0000',
  exchangeCredit: '0.0000',
  refusal: null,
  author: null,
  at: '2026-11-20T09:00:00.000Z',
  updatedAt: '2026-11-20T09:00:00.000Z',
  ...wanted,
});

const beside = (attempts: AttemptRow[] = [], processes: ProcessRow[] = []) => ({ attempts, processes });

test.each(openStatuses)('a return that is %s can always be ended', (status) => {
  expect(waysOnForReturn(aReturn({ status }), beside()).at(-1)).toContain('POST /V1/pos/rma/42/close');
});

test.each(terminalStatuses)('a return that is %s asks for nothing', (status) => {
  expect(waysOnForReturn(aReturn({ status }), beside())).toEqual(['Nothing: this return is over.']);
});

test('money first: an uncertain refund comes before everything else about its return', () => {
  const ways = waysOnForReturn(aReturn({ status: 'awaiting_refund' }), beside([anAttempt({})]));

  expect(ways.slice(0, 3).join('\n')).toMatch(/refunds reconcile 7[^]*resolve 7 refunded[^]*resolve 7 not_refunded/);
  expect(ways.join('\n')).not.toContain('/settle');
});

test('where the gateway cannot be asked, no step says to ask it', () => {
  const ways = waysOnForAttempt(anAttempt({ cannotBeAsked: true }), []).join('\n');

  expect(ways).toMatch(/^This gateway cannot be asked[^]*resolve 7 refunded[^]*resolve 7 not_refunded/);
  expect(ways).not.toMatch(/reconcile|by itself/);
});

test('an uncertain refund of another return is not counted for this one', () => {
  const ways = waysOnForReturn(aReturn({ status: 'awaiting_refund' }), beside([anAttempt({ returnId: 43 })]));

  expect(ways[0]).toContain('/V1/pos/rma/42/settle');
});

test('a beginning that has not come to its end points to its history, and the return can be closed', () => {
  expect(waysOnForReturn(aReturn({ isReady: false }), beside())).toEqual([
    expect.stringMatching(/retried every minute.*if its history says why it is held/),
    expect.stringContaining('POST /V1/pos/rma/42/close'),
  ]);
});

test('a refund without a return is the work of its run, and only a question has a workflow of its own', () => {
  const attempt = anAttempt({ returnId: null, state: 'started' });

  expect(waysOnForAttempt(attempt, [aRun({})])[1]).toContain('workflow process-9-sale-7 in');
  expect(waysOnForAttempt({ ...attempt, returnId: 42 }, [aRun({ returnId: 42, isFastTrack: true })])[1]).toContain(
    'workflow return-42 in',
  );
  expect(
    attemptEvents({ ...attempt, state: 'uncertain' }, beside([], [aRun({})])).map((wanted) => wanted.workflow),
  ).toEqual(['process-9-sale-7', 'refund-attempt-7']);
});

test('an uncertain refund without a return speaks of no return', () => {
  expect(waysOnForAttempt(anAttempt({ returnId: null }), []).at(-1)).toMatch(
    /^Until then no other refund of this order without a return goes through its gateway\./,
  );
});

test.each(refundAttemptStates)('an attempt that is %s says what to do', (state) => {
  expect(waysOnForAttempt(anAttempt({ state }), []).length).toBeGreaterThan(0);
});
