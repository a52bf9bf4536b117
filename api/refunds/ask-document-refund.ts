import { setTimeout as pause } from 'node:timers/promises';
import { invoiceOf } from '../../db/platform/invoices/invoice.repository.ts';
import { figuresWanted } from '../../db/platform/credit-memos/wanted-figures.ts';
import { readOrderRows } from '../../db/platform/orders/lock-order.ts';
import { readDocumentRefund, type DocumentRefundRecord } from '../../db/refunds/read-document-refund.ts';
import { sealRemark } from '../../db/refunds/sealed-remark.ts';
import { beginBefore, tooLate } from '../../db/support/begin-before.ts';
import { noSuchDocument, PosError } from '../../domain/errors.ts';
import { markdownLiteral } from '../../domain/markdown-literal.ts';
import { answerWithinMs } from '../../domain/patience.ts';
import { gatewayUncertain } from '../../domain/refunds/gateway-uncertain.ts';
import { refundRefused } from '../../domain/refunds/refund-refused.ts';
import { refuseUnrefundable } from '../../providers/gateways/can-refund-through.ts';
import { StillRunning } from '../../providers/temporal/workflows.ts';
import { documentRefundId, refundUpdate } from '../../workflows/refunds/messages.ts';
import { posMethod, posOrderId } from '../../workflows/support/search-attributes.ts';
import { markReplayed } from '../http/mark-replayed.ts';
import type { OnlineRefund } from '../http/refund-online.ts';
import type { RouteContext } from '../http/route.ts';

/**
 * Has a worker give the money of an invoice back through its gateway and book the memo: one attempt, one call, and a
 * look-up where the answer is lost (spec 3.3). This process judges the wish, asks, and answers what the row says.
 *
 * With an `Idempotency-Key` a repeat joins the attempt of the first call. Without one it is another refund, while
 * something is left.
 *
 * Refused with: 404 unknown order or invoice · 400 no gateway, the gateway's refusal, figures that do not fit · 409
 * `gateway_uncertain` · 503 Temporal is away, or nothing began in time: then nothing happens later either.
 *
 * @returns the credit memo's id
 */
export async function askDocumentRefund(refund: OnlineRefund, around: RouteContext): Promise<number> {
  const { em, operation, workflows } = around;
  const named = { orderId: refund.orderId, operationKey: operation.key };
  const before = operation.isNamed ? await readDocumentRefund(em, named) : undefined;
  if (before) markReplayed(around);
  if (before && before.state !== 'started') return memoOf(before);
  // A call may be under way: whoever asks must not hear that nothing happens.
  if (before?.isClaimed === true && !(await workflows.isReachable())) return memoOf(before);
  return memoOf(await askAndRead(refund, around));
}

/** The memo of a refund. Refused with: 503 nothing was begun · 400 the gateway's refusal · 409 an unknown result. */
function memoOf(refund: DocumentRefundRecord | undefined): number {
  if (refund === undefined) throw tooLate();
  const { attemptId, state, message, creditMemoId, isClaimed } = refund;
  if (creditMemoId !== null) return creditMemoId;
  if (attemptId === null) throw new Error('a refund without an attempt has a memo');
  const said = message ?? 'the gateway did not say why.';
  if (state === 'failed') throw new PosError(refundRefused({ attemptId, returnId: null, message: said }));
  // Its call was not claimed in time, and so it never will be.
  if (state === 'started' && !isClaimed) throw tooLate();
  throw gatewayUncertain({ attemptId, state, returnId: null });
}

async function askAndRead(refund: OnlineRefund, around: RouteContext): Promise<DocumentRefundRecord | undefined> {
  const { em, operation, workflows, providers, caller, requestId } = around;
  const { orderId, comment, ...wanted } = refund;
  const known = await judged(refund, around);
  await workflows.refuseWhileAway();
  const operationKey = operation.key;
  const command = { operationKey, beginBefore: await beginBefore(em), by: caller.name, requestId };
  const answerBy = performance.now() + answerWithinMs;
  const wish = {
    ...wanted,
    ...(comment === undefined ? {} : { sealedComment: sealRemark(providers.secrets, comment) }),
  };
  try {
    await workflows.ask({
      update: refundUpdate,
      workflow: 'documentRefundWorkflow',
      id: documentRefundId(orderId, operationKey),
      input: { orderId, operationKey, asked: { command, wish } },
      request: command,
      operationKey,
      patienceMs: answerWithinMs,
      summary: `Refund of invoice ${markdownLiteral(known.invoice)} · order ${markdownLiteral(known.order)}`,
      searchAttributes: [
        { key: posOrderId, value: orderId },
        { key: posMethod, value: known.method },
      ],
    });
  } catch (error) {
    if (!(error instanceof StillRunning)) throw error;
  }
  return untilKnown(em, { orderId, operationKey, answerBy });
}

/** What can be judged by reading is judged here, so that a wish that does not fit leaves nothing behind. */
async function judged(refund: OnlineRefund, { em, providers }: RouteContext) {
  const order = await readOrderRows(em, refund.orderId);
  const invoice = await invoiceOf(em, refund.invoiceId);
  if (!order || !invoice) throw noSuchDocument();
  const { storeId, payment } = order;
  const taken = { storeId, paymentMethod: payment.method, paymentReference: payment.lastTransId ?? null };
  refuseUnrefundable(await providers.gatewayFacts.for(taken), taken);
  await figuresWanted(em, order, refund);
  return { order: order.incrementId, invoice: invoice.incrementId, method: payment.method };
}

const betweenLooksMs = 250;

/**
 * Reads the row until it has its end, or until it can tell the truth without one: no work begins any more, and no call
 * is waited for.
 */
async function untilKnown(
  em: RouteContext['em'],
  { answerBy, ...named }: { orderId: number; operationKey: string; answerBy: number },
): Promise<DocumentRefundRecord | undefined> {
  for (;;) {
    const found = await readDocumentRefund(em, named);
    if (found && found.state !== 'started') return found;
    if (performance.now() > answerBy && found?.isAwaited !== true) return found;
    await pause(betweenLooksMs);
  }
}
