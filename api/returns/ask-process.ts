import { setTimeout as pause } from 'node:timers/promises';
import { findProcess, findRun, type ProcessRecord } from '../../db/process/process.repository.ts';
import type { AskedRun } from '../../db/process/run-of-request.ts';
import { findRefundAttempt } from '../../db/refunds/refund-attempt.repository.ts';
import { beginBefore, tooLate } from '../../db/support/begin-before.ts';
import { PosError, type Refusal } from '../../domain/errors.ts';
import { markdownLiteral } from '../../domain/markdown-literal.ts';
import { answerWithinMs } from '../../domain/patience.ts';
import { longestAnswerSeconds } from '../../domain/refunds/answer-time.ts';
import { gatewayUncertain } from '../../domain/refunds/gateway-uncertain.ts';
import { StillRunning } from '../../providers/temporal/workflows.ts';
import { awaitProcessedUpdate, processWorkflowId, type ProcessInput } from '../../workflows/process/messages.ts';
import { createUpdate } from '../../workflows/returns/messages.ts';
import { posOrderId, posReturnId } from '../../workflows/support/search-attributes.ts';
import type { RouteContext } from '../http/route.ts';
import { askInTurn, commandOf, workflowOf } from './ask-return.ts';

/** A finished collapsed return is answered from its row; an unfinished one is joined or started again. */
export async function join(request: RouteContext, record: ProcessRecord): Promise<ProcessRecord> {
  if (record.state !== 'open') return finished(record);
  const { processId, returnId, orderId } = record;
  if (returnId === null) return askProcess(request, { processId }, record);
  const moment = await beginBefore(request.em);
  const answer = await orByRow(() =>
    askInTurn(request, {
      update: createUpdate,
      request: commandOf(request, moment),
      ...workflowOf({ rmaId: returnId }, { ...record, incrementId: record.returnIncrementId ?? '' }),
      searchAttributes: [
        { key: posReturnId, value: returnId },
        { key: posOrderId, value: orderId },
      ],
    }),
  );
  if (answer === undefined) return finished(await byRow(request, record));
  return finished(await findProcess(request.em, processId));
}

/** Waits for a collapsed return that has a workflow of its own; its provider's yes makes a return, which goes on. */
export async function askProcess(
  request: RouteContext,
  input: ProcessInput,
  { orderId, requestKey, orderIncrementId }: Pick<ProcessRecord, 'orderId' | 'requestKey' | 'orderIncrementId'>,
): Promise<ProcessRecord> {
  const { em, workflows, operation } = request;
  const command = commandOf(request, 'open' in input ? input.open.beginBefore : await beginBefore(em));
  const answer = await orByRow(() =>
    workflows.ask({
      update: awaitProcessedUpdate,
      workflow: 'processWorkflow',
      id: processWorkflowId(orderId, requestKey),
      input,
      request: command,
      operationKey: operation.key,
      patienceMs: answerWithinMs,
      summary: `Collapsed return of order ${markdownLiteral(orderIncrementId)}`,
      searchAttributes: [{ key: posOrderId, value: orderId }],
    }),
  );
  if (answer === undefined) return finished(await byRow(request, { requestKey }));
  const record = await findProcess(em, answer.processId);
  return record.state === 'open' && record.returnId !== null ? join(request, record) : finished(record);
}

/** A collapsed return that has ended, as its route answers it. */
export function finished(record: ProcessRecord): ProcessRecord {
  if (record.refusal) throw new PosError(record.refusal);
  if (record.state === 'open') throw new StillRunning();
  return record;
}

/** Undefined: no answer came, and the row tells what became of it. */
export async function orByRow<Answer>(ask: () => Promise<Answer | { refused: Refusal }>): Promise<Answer | undefined> {
  try {
    return (await ask()) as Answer;
  } catch (error) {
    if (!(error instanceof StillRunning)) throw error;
    return undefined;
  }
}

const betweenLooksMs = 250;

/**
 * Waits for the end of a collapsed return by its row, which tells the truth: as long as its provider may be asked, or its
 * gateway. Refused with: 503 no row in time, and there will be none · 409 `gateway_uncertain`, where its money may be on
 * its way.
 */
export async function byRow(
  { em, settings }: RouteContext,
  { requestKey }: Pick<AskedRun, 'requestKey'>,
): Promise<ProcessRecord> {
  const longestMs = longestAnswerSeconds(settings.GATEWAY_TIMEOUT_SECONDS) * 1_000;
  const longestAskingMs = answerWithinMs + settings.RETURNS_TIMEOUT_SECONDS * 1_000;
  for (let passedMs = answerWithinMs; ; passedMs += betweenLooksMs) {
    const processId = await findRun(em, requestKey);
    if (processId === undefined) throw tooLate();
    const record = await findProcess(em, processId);
    if (record.state !== 'open') return record;
    const attempt = record.refundAttemptId === null ? undefined : await findRefundAttempt(em, record.refundAttemptId);
    if (attempt?.state === 'uncertain' || (attempt?.state === 'started' && passedMs >= longestMs))
      throw gatewayUncertain(attempt);
    const isAsking = record.stage === 'asking' && record.providerCode !== null && passedMs < longestAskingMs;
    if (attempt === undefined && !isAsking) return record;
    await pause(betweenLooksMs);
  }
}
