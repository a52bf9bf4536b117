import { z } from 'zod';
import {
  findProcess,
  findRun,
  type RequestedRun,
  type ProcessedItem,
  type ProcessRecord,
} from '../../db/process/process.repository.ts';
import { findRefundAttempt } from '../../db/refunds/refund-attempt.repository.ts';
import { beginBefore, tooLate } from '../../db/support/begin-before.ts';
import { PosError, type Refusal } from '../../domain/errors.ts';
import { fillIn } from '../../domain/fill-in.ts';
import { markdownLiteral } from '../../domain/markdown-literal.ts';
import { answerWithinMs } from '../../domain/patience.ts';
import { gatewayUncertain } from '../../domain/refunds/refund-finding.ts';
import {
  optionNamed,
  optionOfProcess,
  processResolutions,
  whyUnattempted,
  type ProcessResolution,
  type ReturnOptions,
} from '../../domain/returns/return-status.ts';
import { StillRunning } from '../../providers/temporal/workflows.ts';
import { awaitProcessedUpdate, processWorkflowId, type ProcessInput } from '../../workflows/messages.ts';
import { createUpdate } from '../../workflows/returns/messages.ts';
import { posOrderId, posReturnId } from '../../workflows/support/search-attributes.ts';
import type { Caller, RouteContext } from '../http/route.ts';
import { flag, jsonText, payload, quantity, recordId, text } from '../wire/schemas.ts';
import { askInTurn, commandOf, workflowOf } from './ask-return.ts';
import { chosenResolution, conditionOf, reasonOf, refuseUnlessSome } from './settle-return.ts';

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

/**
 * What became of a collapsed return by its row, once no answer came in time: a provider or a gateway that was called
 * and has not answered goes on behind the request. Refused with: 503 no row in time, and there will be none · 409 `gateway_uncertain`, where its money may
 * be on its way.
 */
export async function byRow(
  { em }: RouteContext,
  { requestKey }: Pick<RequestedRun, 'requestKey'>,
): Promise<ProcessRecord> {
  const processId = await findRun(em, requestKey);
  if (processId === undefined) throw tooLate();
  const record = await findProcess(em, processId);
  if (record.state !== 'open') return record;
  const attempt = record.refundAttemptId === null ? undefined : await findRefundAttempt(em, record.refundAttemptId);
  if (attempt?.state === 'uncertain' || (attempt?.state === 'started' && attempt.isClaimed))
    throw gatewayUncertain(attempt);
  return record;
}

const row = payload({
  order_item_id: recordId,
  qty: quantity,
  reason: text(255).optional(),
  condition: text(64).optional(),
  resolution: text(64).optional(),
}).meta({ id: 'ProcessedReturnLine' });

/** The request of a collapsed return (spec 4.8 collapsed processing). */
export const processPayload = payload({
  orderId: recordId,
  customerId: recordId.optional(),
  items: jsonText(z.array(row).min(1).max(500)),
  resolution: z.enum(processResolutions),
  isOnline: flag.default(false),
  comment: text(4_000).optional(),
});

export type ProcessBody = z.output<typeof processPayload>;

interface Wording {
  resolution: ProcessResolution;
  options: ReturnOptions;
  periodDays: number;
}

/** The request in the words of its returns provider. */
export const wordsOf = ({ body, caller }: { body: ProcessBody; caller: Pick<Caller, 'name'> }, wording: Wording) => ({
  items: body.items.map((item) => processedItem(item, wording)),
  resolutionId: optionOfProcess(wording.resolution, wording.options.resolutions)?.id ?? null,
  comment: body.comment || null,
  author: caller.name,
});

/**
 * A row's resolution is an option's label or id, or a resolution of the whole return. Without one it has that of the
 * whole return.
 */
function processedItem(item: z.output<typeof row>, { resolution, options, periodDays }: Wording): ProcessedItem {
  refuseUnlessSome('qty', item.qty);
  const code = processResolutions.find((one) => one === item.resolution);
  const option = code
    ? optionOfProcess(code, options.resolutions)
    : (chosenResolution(options.resolutions, {
        orderItemId: item.order_item_id,
        id: undefined,
        label: optionNamed(options.resolutions, item.resolution)?.label ?? item.resolution,
        periodDays,
      }) ?? optionOfProcess(resolution, options.resolutions));
  return {
    orderItemId: item.order_item_id,
    qty: item.qty,
    reason: reasonOf(options.reasons, { text: item.reason }),
    condition: conditionOf(options.conditions, { label: item.condition }),
    resolution: option?.label ?? null,
    resolutionId: option?.id ?? null,
  };
}

/** What came of a collapsed return (spec 4.8). Amounts in the order's currency. */
export const processAnswer = z
  .object({
    success: z.boolean(),
    error: z.string().nullable(),
    rma_id: z.int().nullable(),
    rma_increment_id: z.string().nullable(),
    credit_memo_id: z.int().nullable(),
    credit_memo_increment_id: z.string().nullable(),
    refund_total: z.number(),
    store_credit_issued: z.number(),
    exchange_credit_amount: z.number(),
    is_online_refund: z.boolean(),
    payment_method: z.string().nullable(),
    transaction_id: z.string().nullable(),
  })
  .meta({ id: 'ProcessedReturn' });

/** What an answer shows of a run. Money as JSON numbers. */
export type ProcessToRender = Pick<
  ProcessRecord,
  | 'state'
  | 'refusal'
  | 'returnId'
  | 'returnIncrementId'
  | 'creditMemoId'
  | 'creditMemoIncrementId'
  | 'refundTotal'
  | 'storeCreditIssued'
  | 'exchangeCreditAmount'
  | 'isOnlineRefund'
  | 'paymentMethod'
  | 'transactionId'
>;

/** The only place that knows a run's wire names. Success is a memo. */
export const renderProcess = (run: ProcessToRender): z.input<typeof processAnswer> => ({
  success: run.state === 'done',
  error: whyNotDone(run),
  rma_id: run.returnId,
  rma_increment_id: run.returnIncrementId,
  credit_memo_id: run.creditMemoId,
  credit_memo_increment_id: run.creditMemoIncrementId,
  refund_total: run.refundTotal,
  store_credit_issued: run.storeCreditIssued,
  exchange_credit_amount: run.exchangeCreditAmount,
  is_online_refund: run.isOnlineRefund,
  payment_method: run.paymentMethod,
  transaction_id: run.transactionId,
});

function whyNotDone({ state, refusal, returnIncrementId }: ProcessToRender): string | null {
  if (state === 'unattempted') return whyUnattempted(returnIncrementId);
  return state === 'done' || !refusal ? null : fillIn(refusal.message, refusal.parameters);
}
