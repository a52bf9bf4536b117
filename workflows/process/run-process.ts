import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { ProcessActivities } from '../../activities/process.ts';
import type { Refusal } from '../../domain/errors.ts';
import { isRefused, type Outcome } from '../../domain/outcome.ts';
import { gatewayUncertain } from '../../domain/refunds/refund-finding.ts';
import { concludeAttempt } from '../refunds/conclude-attempt.ts';
import { oneTransaction, outsideCall } from '../support/activity-options.ts';

const { loadProcess, passProcess, settleProcess, startProcessRefund } =
  proxyLocalActivities<ProcessActivities>(oneTransaction);
const { offerRun } = proxyActivities<ProcessActivities>(outsideCall);

/** How it ended; `unattempted` where no provider took an existing return on. */
export interface RunEnd {
  state: 'done' | 'unattempted';
}

/** A provider took it on, and made a return of it: the rest is that return's. */
export interface TakenOn {
  state: 'taken';
  returnId: number;
}

type Run = Exclude<Awaited<ReturnType<ProcessActivities['loadProcess']>>, { refused: Refusal }>;

/**
 * Takes a collapsed return as far as its providers say (spec 4.8): they are asked in order. One that has no return,
 * because nobody took it on, is taken to its end: its money goes back without one.
 */
export async function askProviders(processId: number): Promise<Outcome<RunEnd | TakenOn>> {
  const request = await loadRequested(processId);
  if (isRefused(request) || !('processId' in request)) return request;
  if (request.returnId === null) return giveMoney(request);
  return { state: 'taken', returnId: request.returnId };
}

/**
 * Takes a collapsed return to its end from wherever its row stands: the providers in order, then the money (spec 4.8).
 *
 * @returns its end state or a refusal; `unattempted` when no provider took an existing return on
 */
export async function runProcess(processId: number): Promise<Outcome<RunEnd>> {
  const request = await loadRequested(processId);
  return isRefused(request) || !('processId' in request) ? request : giveMoney(request);
}

/** Its row, once nobody needs to be asked any more; or how it ended. */
async function loadRequested(processId: number): Promise<Outcome<RunEnd | Run>> {
  const run = await loadProcess({ processId });
  if (isRefused(run)) return run;
  if (run.state === 'done') return { state: 'done' };
  if (run.state === 'unattempted') return { state: 'unattempted' };
  if (run.refusal !== null) return { refused: run.refusal };
  if (run.stage !== 'asking') return run;
  return (await offer(run)) ?? loadRequested(processId);
}

const giveMoney = (run: Run): Promise<Outcome<RunEnd>> =>
  run.method === 'original_payment' ? giveBackThroughGateway(run) : settleProcess(run);

/** Asks one provider after the other; the first that accepts takes it. Undefined: continue with the money. */
async function offer({ processId, isFastTrack, providerCodes }: Run): Promise<Outcome<RunEnd> | undefined> {
  for (const providerCode of providerCodes) {
    const answer = await offerRun({ processId, providerCode });
    if (isRefused(answer)) return answer;
    if (answer.isTaken) return undefined;
  }
  await passProcess({ processId });
  return isFastTrack ? { state: 'unattempted' } : undefined;
}

async function giveBackThroughGateway(run: Run): Promise<Outcome<RunEnd>> {
  const { processId, orderId, gatewayTimeoutSeconds } = run;
  const opened = await startProcessRefund({ processId });
  if (isRefused(opened)) return opened;
  const { attempt, returnId } = opened;
  if (opened.isCreditOnly) return settleProcess({ processId });
  if (!attempt) return runProcess(processId);
  const { attemptId } = attempt;
  const rmaId = returnId ?? undefined;
  const { state } = attempt.isUncertain
    ? { state: 'uncertain' as const }
    : await concludeAttempt({ ...attempt, orderId, gatewayTimeoutSeconds, ...(rmaId === undefined ? {} : { rmaId }) });
  if (state === 'booked') return { state: 'done' };
  // The same transaction recorded the end of the attempt and of the collapsed return.
  if (state === 'failed') return runProcess(processId);
  return { refused: gatewayUncertain({ attemptId, state: 'uncertain', returnId }).refusal };
}
