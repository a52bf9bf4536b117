import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../domain/errors.ts';
import { add, isPositive, subtract } from '../../domain/money/amount.ts';
import type { Quantity } from '../../domain/money/quantity.ts';
import type { CreditMemoFigures } from '../../domain/platform/credit-memos/credit-memo.ts';
import { gatewayUncertain } from '../../domain/refunds/gateway-uncertain.ts';
import {
  memoRequest,
  type RefundedItem,
  type ExpectedLeg,
  type SettlementOptions,
  type ToldReference,
} from '../../domain/refunds/quote-refund.ts';
import { isRefunded, settledStatus, type Decided } from '../../domain/returns/resolution.ts';
import { outsideName } from '../installation/outside-name.ts';
import { reserveLegs } from '../credits/reserve-legs.ts';
import { goodsOf, splitRefund, type RefundSplit } from '../credits/split-refund.ts';
import { withPendingMemo } from '../platform/credit-memos/pending-memos.ts';
import { quoteCreditMemo } from '../platform/credit-memos/quote-credit-memo.ts';
import { type LockedOrder } from '../platform/orders/lock-order.ts';
import { moneyOfOrder } from '../platform/orders/money-of-order.ts';
import { nothingLeft, orNothingLeft } from './nothing-left.ts';
import { insertAttempt } from './insert-attempt.ts';
import type { FixedMemo } from './refund-attempt.entity.ts';
import { findOpenAttempt, type AttemptRow } from './refund-attempt.repository.ts';

/** What the gateway call needs to know to be made; the rest it reads by id. */
export interface OpenAttempt {
  attemptId: number;
  orderId: number;
  /** True for an attempt found already claimed: a call may have been made, so it is looked up, not made. */
  isClaimed: boolean;
  /** Set when every line carries a resolution: then the booked refund resolves the return, otherwise it closes it. */
  endsAs?: 'resolved';
}

/** What a refund has to know of its return, which is locked. */
export interface ReturnToRefund {
  returnId: number;
  /** What tells its name from that of another installation. */
  nameTail: string | null;
  /** Counts the refunds of it that ended for good. */
  refundGeneration: number;
  items: readonly (Decided & { orderItemId: number; qtyRequested: Quantity; qtyApproved: Quantity | null })[];
}

/** Goods of an order that are refunded without a return. */
export interface RefundWithoutReturn {
  returnId: null;
  /** Of the wish: the gateway takes the same one again for the same refund. */
  intent: string;
  items: readonly RefundedItem[];
}

export interface OpenRefundAttempt {
  order: LockedOrder;
  rma: ReturnToRefund | RefundWithoutReturn;
  /** Whether a gateway is there that can give back what this method took. */
  canRefundThrough: (paymentMethod: string) => boolean;
  options: SettlementOptions;
  /** What the register calls the refund: its transaction row is written when the memo is. */
  told?: ToldReference;
  /** What the register was shown: kept with the attempt, to be compared with what is booked. */
  expectedLegs?: readonly ExpectedLeg[];
  /** The memo, where it was worked out and judged already; absent: it is worked out here. */
  memo?: FixedMemo;
}

/**
 * Writes down that money is about to go back through the original gateway, before anybody is called (spec 3.3).
 *
 * In the caller's transaction, with order and return locked. Safe to repeat: an attempt of the return that is already
 * `started` is answered. The gateway is asked for the handback only; the memo with its goods, its shipping and its total,
 * and its credit legs, are kept free of every other refund until the attempt is decided.
 *
 * @returns undefined, with nothing written, when no money goes back, because all of the refund is credit or it comes to
 * zero: no gateway is needed
 *
 * Refused with: 409 `gateway_uncertain` · 400 no gateway for the payment, nothing left.
 */
export async function openRefundAttempt(
  em: EntityManager,
  request: OpenRefundAttempt,
): Promise<OpenAttempt | undefined> {
  const { order, rma } = request;
  const payment = order.payment;
  const open = await findOpenAttempt(em, { orderId: order.entityId, returnId: rma.returnId });
  // Without a return nothing tells whose it is: it is somebody else's.
  if (open && (open.state === 'uncertain' || rma.returnId === null)) throw uncertainty(open);
  if (open) return asOpen(open, rma);
  const { figures, refund, legs, handback } = await quote(em, request);
  if (!isPositive(handback.order)) return undefined;
  if (!request.canRefundThrough(payment.method)) throw untrackable(payment.method, rma.returnId);
  const attempt = await insertAttempt(em, {
    orderId: order.entityId,
    returnId: rma.returnId,
    paymentMethod: payment.method,
    channel: 'original',
    state: 'started',
    baseAmount: handback.base,
    amount: handback.order,
    baseCredited: subtract(refund.base, handback.base),
    credited: subtract(refund.order, handback.order),
    currencyCode: order.orderCurrencyCode,
    paymentReference: payment.lastTransId,
    // A changed amount is a new intent, and a new key: the gateway would refuse the old one.
    idempotencyKey: `${intentOf(rma)}-${handback.order}`,
    plan: { ...planOf(rma, request.options), baseGoods: goodsOf(figures), legs, ...toldOf(request) },
  });
  order.basePendingRefund = add(order.basePendingRefund, refund.base);
  order.pendingMemos = withPendingMemo(order, { refundAttemptId: attempt.attemptId, figures });
  await reserveLegs(em, { orderId: order.entityId, legs });
  return asOpen(attempt, rma);
}

export const asOpen = (
  { attemptId, orderId, callStartedAt }: Pick<AttemptRow, 'attemptId' | 'orderId' | 'callStartedAt'>,
  rma: ReturnToRefund | RefundWithoutReturn,
): OpenAttempt => ({
  attemptId,
  orderId,
  isClaimed: callStartedAt !== null,
  ...(isReturn(rma) && settledStatus(rma.items) === 'resolved' ? { endsAs: 'resolved' as const } : {}),
});

const isReturn = (rma: ReturnToRefund | RefundWithoutReturn): rma is ReturnToRefund => rma.returnId !== null;

const intentOf = (rma: ReturnToRefund | RefundWithoutReturn) =>
  isReturn(rma) ? `${outsideName(`return-${rma.returnId}`, rma.nameTail)}-${rma.refundGeneration}` : rma.intent;

/** 409: the attempt that is open. See `gatewayUncertain`. */
export const uncertainty = ({ attemptId, state, returnId }: Pick<AttemptRow, 'attemptId' | 'state' | 'returnId'>) =>
  gatewayUncertain({ attemptId, state, returnId });

/** No gateway gives back what the method took, or none could say later what became of it (spec 4.8). */
export const untrackable = (method: string, returnId: number | null) =>
  invalid(
    `This payment by "${method}" cannot be refunded through a gateway from the register. Refund the order from the admin, or give the money back another way.`,
    { outcome: 'refund_from_admin', return_id: returnId },
  );

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

/** The memo's figures; a refusal that means the lines are used up says so. */
async function orUsedUp(
  em: EntityManager,
  { order, rma, options }: Pick<OpenRefundAttempt, 'order' | 'rma' | 'options'>,
) {
  const items = itemsOf(rma);
  try {
    return quoteCreditMemo(order, memoRequest(items, options, order));
  } catch (error) {
    throw await orNothingLeft(em, error, { order, returnId: rma.returnId, items });
  }
}

/**
 * What of the return is refunded: what was asked for, never what was received (spec 4.8 quantity contract), less the
 * lines that were resolved without money.
 */
export const itemsOf = (rma: ReturnToRefund | RefundWithoutReturn): RefundedItem[] =>
  isReturn(rma)
    ? rma.items
        .filter(isRefunded)
        .map(({ orderItemId, qtyRequested, qtyApproved }) => ({ orderItemId, qty: qtyApproved ?? qtyRequested }))
    : [...rma.items];

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

const toldOf = ({ told, expectedLegs, memo }: OpenRefundAttempt) => ({
  ...(memo === undefined ? {} : { memo }),
  ...(told === undefined ? {} : { told }),
  ...(expectedLegs === undefined ? {} : { expectedLegs: [...expectedLegs] }),
});
