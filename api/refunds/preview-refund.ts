import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { readCreditScopeOfOrder } from '../../db/credit-stores/read-credit-scope.ts';
import { figuresRequested } from '../../db/platform/credit-memos/refund-invoice.ts';
import { invoiceOf } from '../../db/platform/invoices/invoice.repository.ts';
import { readOrderRows } from '../../db/platform/orders/lock-order.ts';
import { previewRefund, type PreviewedLine, type RefundPreview } from '../../db/refunds/preview-refund.ts';
import { paymentOfOrder } from '../../db/process/process.repository.ts';
import { readTenderPayments, readTenders } from '../../db/tenders/read-tenders.ts';
import { readDocumentRefund, type DocumentRefundRecord } from '../../db/refunds/read-document-refund.ts';
import { sealRemark } from '../../db/refunds/sealed-remark.ts';
import { beginBefore, tooLate } from '../../db/support/begin-before.ts';
import { noSuchDocument, PosError } from '../../domain/errors.ts';
import { markdownLiteral } from '../../domain/markdown-literal.ts';
import { quantityToWire, toWire, zero } from '../../domain/money.ts';
import { answerWithinMs } from '../../domain/patience.ts';
import { legToIssue } from '../../domain/refunds/quote-refund.ts';
import { gatewayUncertain, refundRefused } from '../../domain/refunds/refund-finding.ts';
import { refundQuantityNotValid } from '../../domain/refusals/documents.ts';
import { finerThanCoin, noProviderForType } from '../../domain/refusals/money.ts';
import { proposeRefund } from '../../domain/tenders/tender-lines.ts';
import { refundableBy, refuseUnrefundable } from '../../providers/gateways/payment-gateway.ts';
import { StillRunning } from '../../providers/temporal/workflows.ts';
import { documentRefundId, refundUpdate } from '../../workflows/refunds/messages.ts';
import { posMethod, posOrderId } from '../../workflows/support/search-attributes.ts';
import type { OnlineRefund } from '../http/route-kinds.ts';
import { route, type RouteContext } from '../http/route.ts';
import { markReplayed } from '../http/within.ts';
import { adjustmentsInOrderCurrency } from '../wire/documents.ts';
import { renderTenderLine, tenderLine } from '../wire/tender-lines.ts';
import { renderLeg, returnLeg, unknownOrder } from '../wire/outcomes.ts';
import { jsonText, payload, quantity, recordId } from '../wire/schemas.ts';

const line = z.object({
  order_item_id: z.int(),
  qty: z.number(),
  base_row_total: z.number(),
  base_credit_share: z.number(),
  base_points_amount: z.number().optional(),
  points: z.number().optional(),
});

/** The credit memo that a refund would book; it is never saved (spec 4.8). */
export const previewRefundRoute = route({
  method: 'POST',
  path: '/V1/pos/refunds/preview',
  acl: 'Vendor_Pos::locations',
  summary: 'What a refund would book',
  name: 'previewRefund',
  description: `The credit memo that a refund would book; nothing is saved. Show \`handback\` to the cashier: it is
    what goes back by the original tender, after credit. Adjustments and \`shippingAmount\` are in the order’s
    currency, ex tax. With channel \`store_credit\` nothing goes back by the tender, and a leg with direction
    \`issued\` is what \`credits/refund\` gives after the settlement. \`items\` is a JSON text. Send \`legs\` to the
    settle as \`expectedLegs\`. \`tender_lines\` names each tender
    of the sale with what it took and can give back, and proposes how the handback is split over them.`,
  outcomes: [
    unknownOrder,
    refundQuantityNotValid.because('More of a line than is left to refund.'),
    {
      status: 400,
      message: "Creditmemo Document Validation Error(s):\nThe credit memo's total must be positive.",
      when: 'Nothing is left, or an adjustment takes all; further lines of the sentence say what else is wrong.',
    },
    finerThanCoin,
    noProviderForType.because('Channel `store_credit`, and this shop has no store credit.'),
  ],
  body: payload({
    orderId: recordId,
    items: jsonText(
      z
        .array(payload({ order_item_id: recordId, qty: quantity }).meta({ id: 'PreviewedReturnLine' }))
        .min(1)
        .max(500),
    ),
    channel: z.enum(['original', 'store_credit']).default('original'),
    ...adjustmentsInOrderCurrency,
  }),
  response: z.object({
    order_id: z.int(),
    channel: z.string(),
    currency_code: z.string(),
    base_refund_total: z.number(),
    refund_total: z.number(),
    base_handback: z.number(),
    handback: z.number(),
    base_returnable_max: z.number(),
    returnable_max: z.number(),
    legs: z.array(returnLeg),
    lines: z.array(line),
    tender_lines: z.array(tenderLine),
  }),

  async handle({ body, em, providers }) {
    const preview = await previewRefund(em, {
      orderId: body.orderId,
      items: body.items.map(({ order_item_id, qty }) => ({ orderItemId: order_item_id, qty })),
      options: {
        adjustmentPositive: body.adjustmentPositive,
        adjustmentNegative: body.adjustmentNegative,
        shippingAmount: body.shippingAmount ?? null,
        notifyCustomer: false,
      },
    });
    const issued =
      body.channel === 'store_credit' ? await issuedBy({ em, providers }, body.orderId, preview) : undefined;
    const tenders = await tenderLinesOf({ em, providers }, body.orderId);
    const byTender = body.channel === 'store_credit' ? { base: zero, order: zero } : preview.handback;
    return {
      order_id: body.orderId,
      channel: body.channel,
      currency_code: preview.currencyCode,
      base_refund_total: toWire(preview.refund.base),
      refund_total: toWire(preview.refund.order),
      base_handback: toWire(byTender.base),
      handback: toWire(byTender.order),
      base_returnable_max: toWire(preview.returnableMax.base),
      returnable_max: toWire(preview.returnableMax.order),
      legs: [...preview.legs.map((leg) => renderLeg(leg)), ...(issued ? [renderLeg(issued, 'issued')] : [])],
      lines: preview.lines.map(renderLine),
      tender_lines: proposeRefund(tenders, byTender, preview.baseCurrencyCode).map(renderTenderLine),
    };
  },
});

/** What each tender of the order took and can give back. */
async function tenderLinesOf({ em, providers }: Pick<RouteContext, 'em' | 'providers'>, orderId: number) {
  const payment = await paymentOfOrder(em, orderId);
  if (payment === undefined) throw noSuchDocument();
  const captures = [...payment.captures, ...(await readTenderPayments(em, orderId))];
  const refundable = await refundableBy(providers.gatewayFacts, { ...payment, captures });
  return readTenders(em, { orderId, canRefundThrough: refundable });
}

async function issuedBy(asking: Pick<RouteContext, 'em' | 'providers'>, orderId: number, preview: RefundPreview) {
  const scope = await readCreditScopeOfOrder(asking.em, orderId);
  const provider = scope && asking.providers.credits.active('store_credit', scope.settings);
  if (!provider) throw noProviderForType(['store_credit']);
  return legToIssue(preview.handback, provider.code);
}

const renderLine = (shown: PreviewedLine): z.input<typeof line> => ({
  order_item_id: shown.orderItemId,
  qty: quantityToWire(shown.qty),
  base_row_total: toWire(shown.baseRowTotal),
  base_credit_share: toWire(shown.baseCreditShare),
  ...(shown.basePointsAmount === undefined ? {} : { base_points_amount: toWire(shown.basePointsAmount) }),
  ...(shown.points === undefined ? {} : { points: shown.points }),
});

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
export async function askDocumentRefund(refund: OnlineRefund, context: RouteContext): Promise<number> {
  const { em, operation, workflows } = context;
  const named = { orderId: refund.orderId, operationKey: operation.key };
  const before = operation.isNamed ? await readDocumentRefund(em, named) : undefined;
  if (before) markReplayed(context);
  if (before && before.state !== 'started') return memoOf(before);
  // A call may be under way: whoever asks must not hear that nothing happens.
  if (before?.isClaimed === true && !(await workflows.isReachable())) return memoOf(before);
  return memoOf(await askAndRead(refund, context));
}

/** The memo of a refund. Refused with: 503 nothing was begun · 400 the gateway's refusal · 409 an unknown result. */
function memoOf(refund: DocumentRefundRecord | undefined): number {
  if (refund === undefined) throw tooLate();
  const { attemptId, state, message, creditMemoId, isClaimed, effectiveAt } = refund;
  if (creditMemoId !== null) return creditMemoId;
  if (attemptId === null) throw new Error('a refund without an attempt has a memo');
  const reason = message ?? 'the gateway did not say why.';
  if (state === 'failed') throw new PosError(refundRefused({ attemptId, returnId: null, message: reason }));
  // Its call was not claimed in time, and so it never will be.
  if (state === 'started' && !isClaimed) throw tooLate();
  throw gatewayUncertain({ attemptId, state, returnId: null, effectiveAt });
}

async function askAndRead(refund: OnlineRefund, context: RouteContext): Promise<DocumentRefundRecord | undefined> {
  const { em, operation, workflows, providers, caller, requestId } = context;
  const { orderId, comment, ...requested } = refund;
  const known = await judged(refund, context);
  await workflows.refuseWhileAway();
  const operationKey = operation.key;
  const command = { operationKey, beginBefore: await beginBefore(em), by: caller.name, requestId };
  const answerBy = performance.now() + answerWithinMs;
  const input = {
    ...requested,
    ...(comment === undefined ? {} : { sealedComment: sealRemark(providers.secrets, comment) }),
  };
  try {
    await workflows.ask({
      update: refundUpdate,
      workflow: 'documentRefundWorkflow',
      id: documentRefundId(orderId, operationKey),
      input: { orderId, operationKey, asked: { command, wish: input } },
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
  await figuresRequested(em, order, refund);
  refuseUnrefundable(await providers.gatewayFacts.for(taken), taken);
  return { order: order.incrementId, invoice: invoice.incrementId, method: payment.method };
}

const betweenLooksMs = 250;

/**
 * Reads the row until it has its end, or until no work begins any more. The answer of a call that is still out is
 * booked behind the request.
 */
async function untilKnown(
  em: RouteContext['em'],
  { answerBy, ...named }: { orderId: number; operationKey: string; answerBy: number },
): Promise<DocumentRefundRecord | undefined> {
  for (;;) {
    const found = await readDocumentRefund(em, named);
    if (found && found.state !== 'started') return found;
    if (performance.now() > answerBy) return found;
    await pause(betweenLooksMs);
  }
}
