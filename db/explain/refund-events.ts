import { amountText } from './amount-text.ts';
import type { AttemptRow, MemoRow, SaleRows } from './sale-rows.ts';
import { linesText } from './sale-events.ts';
import { event, type StoryEvent } from './story.ts';

/** One attempt to give money back through a gateway: written down, called, and what came of it. */
export function attemptEvents(attempt: AttemptRow): StoryEvent[] {
  const workflow = workflowOf(attempt);
  const amount = amountText(attempt.amount, attempt.currency);
  const beside =
    Number(attempt.credited) === 0
      ? ''
      : ` Beside it ${amountText(attempt.credited, attempt.currency)} goes back as credit.`;
  const events = [
    event({
      at: attempt.at,
      what: `Refund attempt ${attempt.attemptId} was written down, before anybody was called: through "${attempt.paymentMethod}", key ${attempt.idempotencyKey}.${beside}`,
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
        workflow: attempt.state === 'uncertain' || attempt.resolvedBy !== null ? own(attempt) : workflow,
      }),
    );
  }
  return events;
}

export function memoEvents(memo: MemoRow, { order, attempts }: Pick<SaleRows, 'order' | 'attempts'>): StoryEvent[] {
  const amount = (stored: string) => amountText(stored, order.currency);
  const parts = [
    ['goods', memo.subtotal],
    ['discount', memo.discount],
    ['shipping', memo.shipping],
    ['tax', memo.tax],
    ['adjustment', memo.adjustment],
  ] as const;
  const told = parts.filter(([, stored]) => Number(stored) !== 0).map(([name, stored]) => `${name} ${amount(stored)}`);
  const how = memo.isOnline ? 'through the gateway' : 'at the register, not through a gateway';
  return [
    event({
      at: memo.at,
      what: `Credit memo ${memo.incrementId} was booked for ${linesText(memo.lines)} (${told.join(', ') || 'nothing'}), ${how}.`,
      amount: amount(memo.grandTotal),
      workflow: bookedBy(memo, attempts),
    }),
  ];
}

/** What is known about an attempt's end, in words. */
export function outcomeText(attempt: AttemptRow): string {
  const because = reason(attempt);
  if (attempt.resolvedBy !== null) {
    const word = attempt.state === 'booked' ? 'the money went back' : 'the money did not go back';
    return `Somebody looked and said ${word}: "${attempt.resolutionNote ?? ''}". Attempt ${attempt.attemptId} is ${attempt.state}.`;
  }
  switch (attempt.state) {
    case 'started':
      return `Attempt ${attempt.attemptId} is under way.`;
    case 'booked':
      return `The gateway refunded${attempt.gatewayReference === null ? '' : `, its reference ${attempt.gatewayReference}`}. Attempt ${attempt.attemptId} is booked.`;
    case 'failed':
      return `No money moved${because}. Attempt ${attempt.attemptId} failed.`;
    case 'uncertain':
      return `Nobody knows whether the money went back${because}. Attempt ${attempt.attemptId} is uncertain.`;
  }
}

/** ` (declined: The card was declined.)`; empty where nothing was said. */
export function reason({ gatewayOutcome, message }: AttemptRow): string {
  const said = [gatewayOutcome, message].filter((part) => part !== null);
  return said.length === 0 ? '' : ` (${said.join(': ')})`;
}

/** A person's word is booked by the attempt's own workflow, all else by that of the return. */
function bookedBy({ attemptId, returnId }: MemoRow, attempts: readonly AttemptRow[]): string | null {
  const attempt = attempts.find((one) => one.attemptId === attemptId);
  if (attempt && attempt.resolvedBy !== null) return own(attempt);
  return returnId === null ? null : `return-${returnId}`;
}

const own = ({ attemptId }: AttemptRow) => `refund-attempt-${attemptId}`;

/** A return's attempts are its workflow's work; only the uncertain ones have a workflow of their own. */
const workflowOf = (attempt: AttemptRow) => (attempt.returnId === null ? own(attempt) : `return-${attempt.returnId}`);
