import { allHandlersFinished, condition, proxyLocalActivities, setHandler } from '@temporalio/workflow';
import type { MemoRefundActivities } from '../../activities/refunds/memo-refund-activities.ts';
import { isRefused, type Outcome } from '../../domain/outcome.ts';
import { isDecided, type RefundAttemptState } from '../../domain/refunds/refund-attempt-state.ts';
import { oneTransaction } from '../support/activity-options.ts';
import { concludeAttempt } from './conclude-attempt.ts';
import { awaitRefundedUpdate, type RefundAttemptInput } from './messages.ts';

const { loadMemoRefund } = proxyLocalActivities<MemoRefundActivities>(oneTransaction);

type End = Outcome<{ state: RefundAttemptState }>;

/**
 * Carries out one refund of the platform's own routes through a gateway (platform facts 7.1, spec 3.3): one call,
 * look-ups when the answer is lost, then the books. It needs only the id of its attempt. It may be started again:
 * finished steps are found in the database.
 *
 * @returns the attempt's state in PostgreSQL
 */
export async function memoRefundWorkflow({ attemptId }: RefundAttemptInput): Promise<string> {
  let end: End | undefined;
  setHandler(
    awaitRefundedUpdate,
    async (): Promise<End> => {
      await condition(() => end !== undefined);
      return end ?? { state: 'uncertain' };
    },
    { description: 'Waits until the gateway has said what became of the refund, or nobody can say.' },
  );
  end = await conclude(attemptId);
  await condition(allHandlersFinished);
  return isRefused(end) ? 'refused' : end.state;
}

async function conclude(attemptId: number): Promise<End> {
  const attempt = await loadMemoRefund({ attemptId });
  if (isRefused(attempt)) return attempt;
  // An uncertain attempt has its own workflow.
  if (isDecided(attempt.state) || attempt.state === 'uncertain') return { state: attempt.state };
  return concludeAttempt(attempt);
}
