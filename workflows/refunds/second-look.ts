import { allHandlersFinished, condition, proxyActivities, setHandler } from '@temporalio/workflow';
import type { RefundActivities } from '../../activities/refunds.ts';
import type { SecondLookAnswer } from '../../domain/refunds/refund-finding.ts';
import { isRefused } from '../../domain/outcome.ts';
import { postMail } from '../mails.ts';
import { lookUpOrDoubt, signalReturn } from '../refunds.ts';
import { mustHappen } from '../support/activity-options.ts';
import { secondLookUpdate, type RefundAttemptInput } from './messages.ts';

const { loadRefundAttempt } = proxyActivities<RefundActivities>(mustHappen);
const { recordSecondLook } = proxyActivities<RefundActivities>(mustHappen);

/**
 * Asks the gateway once more about a refund that a person decided as not refunded, and books it where the gateway gave
 * the money back. It moves no money. Every request begins another run; a run answers all who ask meanwhile.
 */
export async function secondLookWorkflow({ attemptId }: RefundAttemptInput): Promise<SecondLookAnswer> {
  let answer: SecondLookAnswer | undefined;
  const answered = async () => {
    await condition(() => answer !== undefined);
    return answer as SecondLookAnswer;
  };
  setHandler(secondLookUpdate, answered, { description: 'Waits for what the gateway says.' });
  answer = await look(attemptId);
  await condition(allHandlersFinished);
  return answer;
}

async function look(attemptId: number): Promise<SecondLookAnswer> {
  const loaded = await loadRefundAttempt({ attemptId });
  if (isRefused(loaded)) return { state: 'failed', evidence: 'unknown', message: loaded.refused.message };
  const recorded = await recordSecondLook({ attemptId, finding: await lookUpOrDoubt(attemptId) });
  if (isRefused(recorded)) return { state: 'failed', evidence: 'unknown', message: recorded.refused.message };
  const { mailId, ...answer } = recorded;
  await postMail(mailId);
  if (answer.state === 'booked') await signalReturn(loaded.returnId);
  return answer;
}
