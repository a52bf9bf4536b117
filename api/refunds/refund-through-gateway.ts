import { StillRunning } from '../../providers/temporal/workflows.ts';
import { paymentOfOrder } from '../../db/process/process.repository.ts';
import { readMemoRefund, stateOfAttempt } from '../../db/refunds/read-memo-refund.ts';
import { openMemoRefund, type OpenedMemoRefund } from '../../db/refunds/open-memo-refund.ts';
import { invalid, noSuchDocument, PosError } from '../../domain/errors.ts';
import { isOfflineMethod } from '../../domain/platform/invoice-refund.ts';
import { gatewayUncertain } from '../../domain/refunds/gateway-uncertain.ts';
import { refundRefused } from '../../domain/refunds/refund-refused.ts';
import { isDecided } from '../../domain/refunds/refund-attempt-state.ts';
import type { TakenPayment } from '../../providers/gateways/can-refund-through.ts';
import { awaitRefundedUpdate, memoRefundId } from '../../workflows/refunds/messages.ts';
import { posOrderId } from '../../workflows/support/search-attributes.ts';
import type { RouteContext } from '../http/route.ts';
import { markReplayed } from '../http/mark-replayed.ts';
import { refundAndMail } from '../http/refund-and-mail.ts';
import type { OnlineRefund } from '../http/refund-online.ts';

/**
 * Gives the money of an invoice back through its gateway and then books the memo. As in a settle: one attempt, one
 * call, and a workflow that looks it up when the answer is lost (spec 3.3).
 *
 * With an `Idempotency-Key` a repeat joins the attempt of the first call. Without one it is another refund, while
 * something is left.
 *
 * Refused with: 404 unknown order or invoice · 400 no gateway, the gateway's refusal, figures that do not fit · 409
 * `gateway_uncertain` · 503 Temporal is away: the sweep continues the attempt · 504 not decided in time.
 *
 * @returns the credit memo's id
 */
export async function refundThroughGateway(refund: OnlineRefund, around: RouteContext): Promise<number> {
  const { attempt, creditMemoId, isDecided } = (await openedBefore(around)) ?? (await openAndCall(refund, around));
  if (creditMemoId !== undefined) return creditMemoId;
  const { attemptId } = attempt;
  if (isDecided) return bookedOr(around, attemptId);
  const { orderId } = refund;
  const { workflows, requestId } = around;
  try {
    await workflows.ask({
      update: awaitRefundedUpdate,
      workflow: 'memoRefundWorkflow',
      id: memoRefundId(attemptId),
      input: { attemptId },
      request: null,
      operationKey: requestId,
      patienceMs: 60_000,
      summary: `Refund ${attemptId} of a credit memo`,
      searchAttributes: [{ key: posOrderId, value: orderId }],
    });
  } catch (error) {
    if (!(error instanceof StillRunning)) throw error;
    return bookedOr(around, attemptId, error);
  }
  return bookedOr(around, attemptId);
}

/** What an earlier run of the same request wrote; undefined: nothing. */
async function openedBefore(around: RouteContext): Promise<(OpenedMemoRefund & Called) | undefined> {
  const { em, operation } = around;
  const id = operation.madeBefore;
  if (id === null) return undefined;
  markReplayed(around);
  const state = await stateOfAttempt(em, { attemptId: id, requestKey: operation.key });
  return state === undefined
    ? { creditMemoId: id, isDecided: true }
    : { attempt: { attemptId: id }, isDecided: isDecided(state) };
}

interface Called {
  /** The gateway's answer is in the books; false: a workflow finds it out. */
  isDecided: boolean;
}

async function openAndCall(refund: OnlineRefund, around: RouteContext): Promise<OpenedMemoRefund & Called> {
  const { em, providers, operation } = around;
  const payment = await paymentOfOrder(em, refund.orderId);
  if (!payment) throw noSuchDocument();
  await refuseUntrackable(payment, providers);
  const { opened, recorded } = await refundAndMail(around, {
    payment,
    open: (through) => openMemoRefund(em, { ...refund, ...through, requestKey: operation.key, noted: operation.made }),
  });
  return { ...opened, isDecided: recorded !== undefined && isDecided(recorded.state) };
}

/** Refused in the platform's words (platform facts 2.4) when only a refund by hand is possible. */
async function refuseUntrackable(payment: TakenPayment, { gateways }: RouteContext['providers']): Promise<void> {
  const gateway = await gateways.for(payment);
  // Without a gateway, an offline method is refunded by hand; any other is refused with the message for its invoice.
  if (gateway === undefined && !isOfflineMethod(payment.paymentMethod))
    throw invalid('The refund action is not available.');
  if (gateway !== undefined && !gateway.canTrack(payment.paymentReference))
    throw invalid('If the invoice was created offline, try creating an offline credit memo.');
}

/** The memo of a booked attempt. Refused with: 400 the gateway's refusal · 409 an unknown result, or `late`. */
async function bookedOr({ em }: RouteContext, attemptId: number, late?: PosError): Promise<number> {
  const { state, message, creditMemoId } = await readMemoRefund(em, attemptId);
  if (creditMemoId !== null) return creditMemoId;
  if (state === 'failed')
    throw new PosError(
      refundRefused({ attemptId, returnId: null, message: message ?? 'the gateway did not say why.' }),
    );
  if (late !== undefined && state === 'started') throw late;
  throw gatewayUncertain({ attemptId, state, returnId: null });
}
