import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { ProcessActivities } from '../../activities/process/process-activities.ts';
import type { Refusal } from '../../domain/errors.ts';
import { isRefused, type Outcome } from '../../domain/outcome.ts';
import { gatewayUncertain } from '../../domain/refunds/gateway-uncertain.ts';
import { concludeAttempt } from '../refunds/conclude-attempt.ts';
import { oneTransaction, outsideCall } from '../support/activity-options.ts';
import type { ProcessAnswer } from './messages.ts';

const { loadProcess, passProcess, settleProcess, startProcessRefund } =
  proxyLocalActivities<ProcessActivities>(oneTransaction);
const { offerRun } = proxyActivities<ProcessActivities>(outsideCall);

type Run = Exclude<Awaited<ReturnType<ProcessActivities['loadProcess']>>, { refused: Refusal }>;

/**
 * Takes a collapsed return to its end from wherever its row stands: the providers in order, then the money (spec 4.8).
 *
 * @returns its end state or a refusal; `unattempted` when no provider took an existing return on
 */
export async function runProcess(processId: number): Promise<Outcome<ProcessAnswer>> {
  const run = await loadProcess({ processId });
  if (isRefused(run)) return run;
  if (run.state === 'done') return { state: 'done' };
  if (run.state === 'unattempted') return { state: 'unattempted' };
  if (run.refusal !== null) return { refused: run.refusal };
  if (run.stage === 'asking') {
    const offered = await offer(run);
    if (offered !== undefined) return offered;
  }
  return run.method === 'original_payment' ? giveBackThroughGateway(run) : settleProcess({ processId });
}

/** Asks one provider after the other; the first that accepts takes it. Undefined: continue with the money. */
async function offer({ processId, isFastTrack, providerCodes }: Run): Promise<Outcome<ProcessAnswer> | undefined> {
  for (const providerCode of providerCodes) {
    const answer = await offerRun({ processId, providerCode });
    if (isRefused(answer)) return answer;
    if (answer.isTaken) return undefined;
  }
  await passProcess({ processId });
  return isFastTrack ? { state: 'unattempted' } : undefined;
}

async function giveBackThroughGateway(run: Run): Promise<Outcome<ProcessAnswer>> {
  const { processId, orderId, gatewayTimeoutSeconds } = run;
  const opened = await startProcessRefund({ processId });
  if (isRefused(opened)) return opened;
  const { attempt, returnId } = opened;
  if (opened.isCreditOnly) return settleProcess({ processId });
  if (!attempt) return runProcess(processId);
  const { attemptId } = attempt;
  const rmaId = returnId ?? undefined;
  const state = attempt.isUncertain
    ? 'uncertain'
    : await concludeAttempt({ ...attempt, orderId, gatewayTimeoutSeconds, ...(rmaId === undefined ? {} : { rmaId }) });
  if (state === 'booked') return { state: 'done' };
  // The same transaction recorded the end of the attempt and of the collapsed return.
  if (state === 'failed') return runProcess(processId);
  return { refused: gatewayUncertain({ attemptId, state: 'uncertain', returnId }).refusal };
}
