import { amountText } from './amount-text.ts';
import { at, list } from './json-sql.ts';
import type { AttemptRow, MemoRow, SaleRows } from './sale-rows.ts';
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
export function attemptEvents(attempt: AttemptRow, { processes }: Pick<SaleRows, 'processes'>): StoryEvent[] {
  const workflow = workflowOfAttempt(attempt, processes);
  const amount = amountText(attempt.amount, attempt.currency);
  const beside =
    Number(attempt.credited) === 0
      ? ''
      : ` In addition, ${amountText(attempt.credited, attempt.currency)} goes back as credit.`;
  const events = [
    event({
      at: attempt.at,
      what: `Refund attempt ${attempt.attemptId} was recorded before the gateway was called: through "${attempt.paymentMethod}", key ${attempt.idempotencyKey}.${beside}`,
      amount,
      workflow,
    }),
  ];
  if (attempt.callStartedAt !== null) {
    const limit = attempt.callDeadline === null ? '' : `, to answer by ${attempt.callDeadline.slice(11, 19)}`;
    events.push(event({ at: attempt.callStartedAt, what: `The gateway was asked, once${limit}.`, workflow }));
  }
  if (attempt.state !== 'started') {
    events.push(
      event({
        at: attempt.updatedAt,
        who: attempt.resolvedBy,
        what: outcomeText(attempt),
        workflow:
          attempt.state === 'uncertain' || attempt.resolvedBy !== null ? refundAttemptId(attempt.attemptId) : workflow,
      }),
    );
  }
  return events;
}

export function memoEvents(memo: MemoRow, rows: Pick<SaleRows, 'order' | 'attempts' | 'processes'>): StoryEvent[] {
  const { order } = rows;
  const amount = (stored: string) => amountText(stored, order.currency);
  const parts = [
    ['goods', memo.subtotal],
    ['discount', memo.discount],
    ['shipping', memo.shipping],
    ['tax', memo.tax],
    ['adjustment', memo.adjustment],
  ] as const;
  const changes = parts
    .filter(([, stored]) => Number(stored) !== 0)
    .map(([name, stored]) => `${name} ${amount(stored)}`);
  const how = memo.isOnline ? 'through the gateway' : 'not through a gateway';
  return [
    event({
      at: memo.at,
      what: `Credit memo ${memo.incrementId} was booked for ${linesText(memo.lines)} (${changes.join(', ') || 'nothing'}), ${how}.`,
      amount: amount(memo.grandTotal),
      workflow: bookedBy(memo, rows),
    }),
  ];
}

/** The outcome of an attempt, in words. */
export function outcomeText(attempt: AttemptRow): string {
  const because = reason(attempt);
  if (attempt.resolvedBy !== null) {
    const word = attempt.state === 'booked' ? 'the money went back' : 'the money did not go back';
    return `An operator answered that ${word}: "${attempt.resolutionNote ?? ''}". Attempt ${attempt.attemptId} is ${attempt.state}.`;
  }
  switch (attempt.state) {
    case 'started':
      return `Attempt ${attempt.attemptId} is under way.`;
    case 'booked':
      return `The gateway refunded${attempt.gatewayReference === null ? '' : `, its reference ${attempt.gatewayReference}`}. Attempt ${attempt.attemptId} is booked.`;
    case 'failed':
      return `No money moved${because}. Attempt ${attempt.attemptId} failed.`;
    case 'uncertain':
      return `It is not known whether the money went back${because}. Attempt ${attempt.attemptId} is uncertain.`;
  }
}

/** ` (declined: The card was declined.)`; empty without an outcome and a message. */
export function reason({ gatewayOutcome, message }: AttemptRow): string {
  const said = [gatewayOutcome, message].filter((part) => part !== null);
  return said.length === 0 ? '' : ` (${said.join(': ')})`;
}

/**
 * An operator's answer is booked by the attempt's own workflow, everything else by the workflow of its return or
 * collapsed return.
 */
function bookedBy(
  { attemptId, returnId }: MemoRow,
  { attempts, processes }: Pick<SaleRows, 'attempts' | 'processes'>,
): string | null {
  const attempt = attempts.find((one) => one.attemptId === attemptId);
  if (attempt)
    return attempt.resolvedBy === null ? workflowOfAttempt(attempt, processes) : refundAttemptId(attempt.attemptId);
  return returnId === null ? null : `return-${returnId}`;
}
