import { randomUUID } from 'node:crypto';
import type { UpdateDefinition } from '@temporalio/common';
import { askAttempt } from '../../api/temporal/ask-attempt.ts';
import { amountText } from '../../books/explain/amount-text.ts';
import { findRefundAttempt, type RefundAttemptRecord } from '../../db/refunds/refund-attempt.repository.ts';
import { isDecided, type RefundAttemptState } from '../../domain/refunds/refund-attempt-state.ts';
import { fine, type Answer } from './answer.ts';
import type { CommandContext } from './command-context.ts';

export interface AttemptMessage<Request> {
  attemptId: number;
  update: UpdateDefinition<RefundAttemptState, [Request]>;
  request: Request;
}

/**
 * Sends an attempt's workflow the same message as the routes do, waits, and shows the row's new state. A decided
 * attempt is shown without a message.
 *
 * Refused with 404 when there is no such attempt, 503 when Temporal does not answer.
 */
export async function decideAttempt<Request>(
  { em: connect, workflows }: CommandContext,
  message: AttemptMessage<Request>,
): Promise<Answer> {
  const em = await connect();
  const before = await findRefundAttempt(em, message.attemptId);
  if (isDecided(before.state)) return fine(`It was decided before. ${describeDecision(before)}`, before);
  const after = await askAttempt({ em, workflows: await workflows(), requestId: `cli-${randomUUID()}`, ...message });
  return fine(describeDecision(after), after);
}

function describeDecision(attempt: RefundAttemptRecord): string {
  const { attemptId, state, returnId } = attempt;
  const amount = amountText(String(attempt.amount), attempt.currencyCode);
  const said = attempt.message === null ? '' : ` Last answer: ${attempt.message}`;
  switch (state) {
    case 'booked':
      return `Attempt ${attemptId} is booked: ${amount} went back, credit memo ${attempt.creditMemoIncrementId ?? '?'}.`;
    case 'failed':
      return `Attempt ${attemptId} failed: no money went back.${returnId === null ? '' : ` Return ${returnId} can be settled again.`}`;
    case 'started':
    case 'uncertain':
      return `Attempt ${attemptId} is still ${state}.${said}`;
  }
}
