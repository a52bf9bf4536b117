import { proxyLocalActivities } from '@temporalio/workflow';
import type { RefundActivities } from '../../activities/refunds/refund-activities.ts';
import type { Refusal } from '../../domain/errors.ts';
import { isRefused, type Outcome } from '../../domain/outcome.ts';
import { gatewayUncertain } from '../../domain/refunds/gateway-uncertain.ts';
import { refundRefused } from '../../domain/refunds/refund-refused.ts';
import type { RefundAttemptState } from '../../domain/refunds/refund-attempt-state.ts';
import { concludeAttempt, type AttemptToConclude } from '../refunds/conclude-attempt.ts';
import { oneTransaction } from '../support/activity-options.ts';
import type { ReturnAnswer } from './messages.ts';

const { loadRefundAttempt } = proxyLocalActivities<RefundActivities>(oneTransaction);

type OpenRefund = Omit<AttemptToConclude, 'rmaId'> & {
  /** The status that a booked refund gives its return. Absent in older histories, where the return became closed. */
  endsAs?: 'resolved';
};

/** Carries out an open attempt and answers in the interface's words (spec 4.8). */
export async function refund(rmaId: number, attempt: OpenRefund): Promise<Outcome<ReturnAnswer>> {
  const state = await concludeAttempt({ ...attempt, rmaId });
  if (state === 'booked') return { status: attempt.endsAs ?? 'closed' };
  const loaded = await loadRefundAttempt({ attemptId: attempt.attemptId });
  const message = isRefused(loaded) ? null : loaded.message;
  return { refused: refusals[state]({ attemptId: attempt.attemptId, rmaId, message }) };
}

interface Undone {
  attemptId: number;
  rmaId: number;
  message: string | null;
}

const uncertain = ({ attemptId, rmaId }: Undone): Refusal =>
  gatewayUncertain({ attemptId, state: 'uncertain', returnId: rmaId }).refusal;

const refusals: Record<Exclude<RefundAttemptState, 'booked'>, (undone: Undone) => Refusal> = {
  started: uncertain,
  uncertain,
  failed: ({ rmaId, ...undone }) => refundRefused({ ...undone, returnId: rmaId }),
};
