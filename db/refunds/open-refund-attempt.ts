import type { EntityManager } from '@mikro-orm/postgresql';
import { add, isPositive, subtract } from '../../domain/money/amount.ts';
import type { Quantity } from '../../domain/money/quantity.ts';
import type { CreditMemoFigures } from '../../domain/platform/credit-memos/credit-memo.ts';
import { gatewayUncertain } from '../../domain/refunds/gateway-uncertain.ts';
import {
  memoRequest,
  type RefundedItem,
  type ExpectedLeg,
  type SettlementOptions,
  type RegisterReference,
} from '../../domain/refunds/quote-refund.ts';
import { isRefunded, settledStatus, type Decided } from '../../domain/returns/resolution.ts';
import { outsideName } from '../installation/outside-name.ts';
import { reserveLegs } from '../credits/reserve-legs.ts';
import { goodsOf, splitRefund, type RefundSplit } from '../credits/split-refund.ts';
import { withPendingMemo } from '../platform/credit-memos/pending-memos.ts';
import { quoteCreditMemo } from '../platform/credit-memos/quote-credit-memo.ts';
import { type LockedOrder } from '../platform/orders/lock-order.ts';
import { moneyOfOrder } from '../platform/orders/money-of-order.ts';
import { nothingLeft, explainUsedUp } from './nothing-left.ts';
import { insertAttempt } from './insert-attempt.ts';
import type { FixedMemo } from './refund-attempt.entity.ts';
import { findOpenAttempt, type AttemptRow } from './refund-attempt.repository.ts';
import { paymentToRefund } from './payment-to-refund.ts';
import type { ThroughGateway } from './through-gateway.ts';

/** What the gateway call needs; the rest is read by id. */
export interface OpenAttempt {
  attemptId: number;
  orderId: number;
  /** True for an attempt that was claimed before: a call may have been made, so it is looked up, not made again. */
  isClaimed: boolean;
  /** Seconds until such a call is over for certain; absent: it is over, or was never made. */
  waitSeconds?: number;
  /** Set when every line has a resolution: then the booked refund ends the return as resolved, otherwise as closed. */
  endsAs?: 'resolved';
}

/** The fields of a locked return that its refund needs. */
export interface ReturnToRefund {
  returnId: number;
  /** The suffix of its outside name. */
  nameTail: string;
  /** Counts its refunds that ended for good. */
  refundGeneration: number;
  items: readonly (Decided & { orderItemId: number; qtyRequested: Quantity; qtyApproved: Quantity | null })[];
}

/** Goods of an order that are refunded without a return. */
export interface RefundWithoutReturn {
  returnId: null;
  /** The intent's key: under the same key the gateway sees the same refund. */
  intent: string;
  items: readonly RefundedItem[];
}

export interface OpenRefundAttempt extends ThroughGateway {
  order: LockedOrder;
  rma: ReturnToRefund | RefundWithoutReturn;
  options: SettlementOptions;
  /** The register's reference of the refund: its transaction row is written with the memo. */
  reported?: RegisterReference;
  /** The legs that the register expected: stored with the attempt, to compare with the booked ones. */
  expectedLegs?: readonly ExpectedLeg[];
  /** The memo, where it was worked out and judged already; absent: it is worked out here. */
  memo?: FixedMemo;
  /** The creation of the return opened it, perhaps in an earlier run: an attempt that is `started` is its own. */
  takesUp?: true;
  /** 503 where nobody waits any more; after what another refund under way refuses. */
  refuseLate?: () => void;
}

/**
 * Records the refund through the original gateway before the gateway is called (spec 3.3).
 *
 * In the caller's transaction, with order and return locked. Another attempt that is open is refused; only the creation
 * of a return takes its own up again (`takesUp`). The gateway is asked for the handback only. The memo's goods, shipping
 * and total, and its credit legs, are reserved against other refunds until the attempt is decided.
 *
 * @returns undefined, with nothing written, where all of it is credit or it comes to zero: no gateway is needed
 *
 * Refused with: 409 `gateway_uncertain` · 400 no gateway for the payment, more than the card took, nothing left.
 */
export async function openRefundAttempt(
  em: EntityManager,
  request: OpenRefundAttempt,
): Promise<OpenAttempt | undefined> {
  const { order, rma } = request;
  const open = await findOpenAttempt(em, { orderId: order.entityId, returnId: rma.returnId });
  if (open && (open.state === 'uncertain' || request.takesUp !== true)) throw uncertainty(open);
  if (open) return asOpen(open, rma);
  request.refuseLate?.();
  const { figures, refund, legs, handback } = await quote(em, request);
  if (!isPositive(handback.order)) return undefined;
  const { returnId } = rma;
  const { canRefundThrough } = request;
  const payment = await paymentToRefund(em, { order, returnId, asked: handback.order, canRefundThrough });
  const attempt = await insertAttempt(em, {
    orderId: order.entityId,
    returnId,
    ...payment,
    channel: 'original',
    state: 'started',
    baseAmount: handback.base,
    amount: handback.order,
    baseCredited: subtract(refund.base, handback.base),
    credited: subtract(refund.order, handback.order),
    currencyCode: order.orderCurrencyCode,
    // A changed amount is a new intent with a new key: the gateway would refuse the old key.
    idempotencyKey: `${intentOf(rma)}-${handback.order}`,
    plan: { ...planOf(rma, request.options), baseGoods: goodsOf(figures), legs, ...registerPlanOf(request) },
  });
  order.basePendingRefund = add(order.basePendingRefund, refund.base);
  order.pendingMemos = withPendingMemo(order, { refundAttemptId: attempt.attemptId, figures });
  await reserveLegs(em, { orderId: order.entityId, legs });
  return asOpen(attempt, rma);
}

type Called = Partial<AttemptRow> & Pick<AttemptRow, 'attemptId' | 'orderId' | 'callStartedAt'>;

export const asOpen = (
  { attemptId, orderId, callStartedAt, callDeadline, callEndedAt }: Called,
  rma: ReturnToRefund | RefundWithoutReturn,
): OpenAttempt => ({
  attemptId,
  orderId,
  isClaimed: callStartedAt !== null,
  // By this machine's clock: it only says how long to wait before asking.
  ...(callDeadline == null || callEndedAt != null
    ? {}
    : { waitSeconds: Math.max(0, Math.ceil((callDeadline.getTime() - Date.now()) / 1_000)) }),
  ...(rma.returnId !== null && settledStatus(rma.items) === 'resolved' ? { endsAs: 'resolved' as const } : {}),
});

const intentOf = (rma: ReturnToRefund | RefundWithoutReturn) =>
  rma.returnId === null ? rma.intent : `${outsideName(`return-${rma.returnId}`, rma.nameTail)}-${rma.refundGeneration}`;

/** 409: the attempt that is open. See `gatewayUncertain`. */
export const uncertainty = ({ attemptId, state, returnId }: Pick<AttemptRow, 'attemptId' | 'state' | 'returnId'>) =>
  gatewayUncertain({ attemptId, state, returnId });

async function quote(
  em: EntityManager,
  { order, rma, options, memo }: OpenRefundAttempt,
): Promise<RefundSplit & { figures: CreditMemoFigures }> {
  const figures = memo?.figures ?? (await orUsedUp(em, { order, rma, options }));
  const { paid, returned } = moneyOfOrder(order).base;
  const left = subtract(paid, returned, order.basePendingRefund);
  if (figures.base.grandTotal > left)
    throw await nothingLeft(em, { order, returnId: rma.returnId, items: itemsOf(rma) });
  return { figures, ...(await splitRefund(em, order, figures)) };
}

/** The memo's figures; a refusal because the lines are used up says so. */
async function orUsedUp(
  em: EntityManager,
  { order, rma, options }: Pick<OpenRefundAttempt, 'order' | 'rma' | 'options'>,
) {
  const items = itemsOf(rma);
  try {
    return quoteCreditMemo(order, memoRequest(items, options, order));
  } catch (error) {
    throw await explainUsedUp(em, error, { order, returnId: rma.returnId, items });
  }
}

/**
 * The refunded lines of the return: the quantity requested, never the quantity received (spec 4.8 quantity contract),
 * without lines resolved without money.
 */
export const itemsOf = (rma: ReturnToRefund | RefundWithoutReturn): RefundedItem[] =>
  rma.returnId === null
    ? [...rma.items]
    : rma.items
        .filter(isRefunded)
        .map(({ orderItemId, qtyRequested, qtyApproved }) => ({ orderItemId, qty: qtyApproved ?? qtyRequested }));

const planOf = (
  rma: ReturnToRefund | RefundWithoutReturn,
  { adjustmentPositive, adjustmentNegative, shippingAmount, notifyCustomer }: SettlementOptions,
) => ({
  items: itemsOf(rma),
  adjustmentPositive,
  adjustmentNegative,
  shippingAmount,
  notifyCustomer,
});

const registerPlanOf = ({ reported, expectedLegs, memo }: OpenRefundAttempt) => ({
  ...(memo === undefined ? {} : { memo }),
  ...(reported === undefined ? {} : { reported }),
  ...(expectedLegs === undefined ? {} : { expectedLegs: [...expectedLegs] }),
});
