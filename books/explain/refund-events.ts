import { at, list } from './json-sql.ts';
import type { AttemptRow, MemoRow, SaleTold } from './sale-rows.ts';
import { linesText } from './sale-events.ts';
import { event, type StoryEvent } from './story.ts';
import { workflowOfAttempt } from './workflow-of.ts';
import { refundAttemptId } from '../../domain/refunds/refund-attempt-id.ts';

/** The attempts of an order `o`, as JSON. */
export const attemptRows = list(
  {
    attemptId: 'attempt_id',
    returnId: 'return_id',
    state: 'state',
    paymentMethod: 'payment_method',
    amount: 'amount::text',
    credited: 'credited::text',
    currency: 'currency_code',
    idempotencyKey: 'idempotency_key',
    nameTail: 'name_tail',
    gatewayOutcome: 'gateway_outcome',
    gatewayReference: 'gateway_reference',
    message: 'message',
    resolvedBy: 'resolved_by',
    resolutionNote: 'resolution_note',
    callStartedAt: at('call_started_at'),
    callDeadline: at('call_deadline'),
    at: at('created_at'),
    updatedAt: at('updated_at'),
  },
  'from refund_attempt where order_id = o.entity_id',
  'attempt_id',
);

/** One refund attempt through a gateway: recorded, called, and its outcome. */
export function attemptEvents(attempt: AttemptRow, { processes, w }: Pick<SaleTold, 'processes' | 'w'>): StoryEvent[] {
  const workflow = workflowOfAttempt(attempt, processes);
  const amount = w.amount(attempt.amount, attempt.currency);
  const credited = Number(attempt.credited) === 0 ? null : w.amount(attempt.credited, attempt.currency);
  const { attemptId: id, paymentMethod: method, idempotencyKey: key } = attempt;
  const events = [
    event({
      at: attempt.at,
      what: w.attemptRecorded({ id, method, key, credited }),
      amount,
      workflow,
    }),
  ];
  if (attempt.callStartedAt !== null) {
    const asked = w.gatewayAsked(attempt.callDeadline?.slice(11, 19) ?? null);
    events.push(event({ at: attempt.callStartedAt, what: asked, workflow }));
  }
  if (attempt.state !== 'started') {
    events.push(
      event({
        at: attempt.updatedAt,
        who: attempt.resolvedBy,
        what: outcomeText(attempt, w),
        workflow:
          attempt.state === 'uncertain' || attempt.resolvedBy !== null ? refundAttemptId(attempt.attemptId) : workflow,
      }),
    );
  }
  return events;
}

export function memoEvents(
  memo: MemoRow,
  rows: Pick<SaleTold, 'order' | 'attempts' | 'processes' | 'w'>,
): StoryEvent[] {
  const { order, w } = rows;
  const amount = (stored: string) => w.amount(stored, order.currency);
  const parts = [
    [w.memoParts.goods, memo.subtotal],
    [w.memoParts.discount, memo.discount],
    [w.memoParts.shipping, memo.shipping],
    [w.memoParts.tax, memo.tax],
    [w.memoParts.adjustment, memo.adjustment],
  ] as const;
  const changes = parts
    .filter(([, stored]) => Number(stored) !== 0)
    .map(([name, stored]) => `${name} ${amount(stored)}`);
  return [
    event({
      at: memo.at,
      what: w.memoBooked(memo.incrementId, linesText(memo.lines, w), changes.join(', ') || w.nothing, memo.isOnline),
      amount: amount(memo.grandTotal),
      workflow: bookedBy(memo, rows),
    }),
  ];
}

/** The outcome of an attempt, in words. */
function outcomeText(attempt: AttemptRow, w: SaleTold['w']): string {
  const { attemptId: id, state, resolvedBy, resolutionNote, gatewayReference: reference } = attempt;
  return resolvedBy === null
    ? w.outcome({ id, state, reference, because: reason(attempt) })
    : w.operatorAnswered(id, state, resolutionNote ?? '');
}

/** ` (declined: The card was declined.)`; empty without an outcome and a message. */
function reason({ gatewayOutcome, message }: AttemptRow): string {
  const said = [gatewayOutcome, message].filter((part) => part !== null);
  return said.length === 0 ? '' : ` (${said.join(': ')})`;
}

/**
 * An operator's answer is booked by the attempt's own workflow, everything else by the workflow of its return or
 * collapsed return.
 */
function bookedBy(
  { attemptId, returnId }: MemoRow,
  { attempts, processes }: Pick<SaleTold, 'attempts' | 'processes'>,
): string | null {
  const attempt = attempts.find((one) => one.attemptId === attemptId);
  if (attempt)
    return attempt.resolvedBy === null ? workflowOfAttempt(attempt, processes) : refundAttemptId(attempt.attemptId);
  return returnId === null ? null : `return-${returnId}`;
}
