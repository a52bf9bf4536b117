import type { EntityManager } from '@mikro-orm/postgresql';
import type { CreditLeg } from '../../domain/credits/applied-credit.ts';
import { add, subtract, type InBoth, amount, quantity } from '../../domain/money.ts';
import { evenedOut, asRefundLeg, differenceOf, memoRequest } from '../../domain/refunds/quote-refund.ts';
import { isTerminal } from '../../domain/returns/return-status.ts';
import { bookMemoWithCredits } from '../credits/give-credits-back.ts';
import { releaseLegs } from '../credits/reserve-legs.ts';
import {
  countTowardsInvoice,
  collectForBooking,
  recordRefundTransaction,
} from '../platform/credit-memos/book-credit-memo.ts';
import { pendingShipping, withoutPendingMemo } from '../platform/credit-memos/pending-memos.ts';
import type { LockedOrder } from '../platform/orders/lock-order.ts';
import { findSettlePayload } from '../returns/keep-settle-payload.ts';
import { readReturned } from '../returns/read-returned.ts';
import type { LockedReturn } from '../returns/lock-return.ts';
import type { FixedMemo, RefundPlan } from '../refunds/refund-attempt.entity.ts';
import type { AttemptRow } from '../refunds/refund-attempt.repository.ts';
import type { CreditMemoRequest, RatedCurrencies } from '../../domain/platform/credit-memos/credit-memo-figures.ts';
import { closeSettled } from '../returns/settle-return.ts';

export interface AttemptToBook {
  order: LockedOrder;
  attempt: AttemptRow;
  /** Locked, too; undefined for a refund without a return. */
  rma: LockedReturn | undefined;
  /** The gateway's reference of the refund. */
  gatewayReference: string | null;
  /** False: its money, goods and credit were released before, when it counted as failed. */
  isReserved?: boolean;
}

/**
 * Books a gateway refund: the memo, its credit legs, and the end of the return, in the caller's transaction with all
 * of them locked.
 *
 * The legs are the planned ones, not computed again. The gateway was asked for the total less exactly these, and they
 * were reserved with the attempt, so no other refund took them.
 *
 * A reference from the register gets a transaction row beside the gateway's, and replaces it where the gateway sent
 * none (our choice; spec 4.8 settle).
 */
export async function bookAttempt(
  em: EntityManager,
  { order, attempt, rma, gatewayReference, isReserved = true }: AttemptToBook,
): Promise<void> {
  const shipping = pendingShipping(order, attempt.attemptId);
  if (isReserved) await releaseAttempt(em, order, attempt);
  const reported = await readReportedTransaction(em, attempt);
  const transactionId = gatewayReference ?? reported?.transactionId;
  const { memo: fixed } = attempt.plan;
  const booking = {
    order,
    isOnline: true,
    ...(fixed
      ? { ...fixedBooking(fixed), readReturned }
      : { request: asRefunded(order, attempt, shipping), movesStock: false }),
    refundAttemptId: attempt.attemptId,
    paidBy: attempt.paymentReference,
    ...(transactionId === undefined ? {} : { transactionId }),
    ...(reported?.transactionId === transactionId ? reported : {}),
  };
  const { memo, legs } = await bookMemoWithCredits(em, booking, plannedLegs(attempt));
  if (reported) await recordRefundTransaction(em, { order, ...reported, paidBy: attempt.paymentReference });
  attempt.state = 'booked';
  attempt.creditMemoId = memo.entityId;
  if (fixed) await countTowardsInvoice(em, { ...fixed, orderId: order.entityId, baseGrandTotal: memo.baseGrandTotal });
  if (!rma || isTerminal(rma.status)) return;
  const difference = differenceOf(attempt.plan.expectedLegs, legs.map(asRefundLeg));
  await closeSettled(em, { order, rma, memo, legs, method: 'original_payment', difference });
}

/** A memo of the platform's own routes moves its goods, as one by hand does. */
const fixedBooking = ({ figures, from, invoiceId, returnToStockItemIds, comment }: FixedMemo) => ({
  request: { figures, from },
  movesStock: true,
  returnToStockItemIds,
  invoiceId,
  ...(comment === undefined ? {} : { comment }),
});

/** The register's own reference of the refund, with what its terminal printed. */
async function readReportedTransaction(em: EntityManager, { plan: { reported } }: AttemptRow) {
  if (reported === undefined) return undefined;
  const payload = await findSettlePayload(em, reported.requestId);
  return {
    transactionId: reported.reference,
    ...(payload === undefined ? {} : { rawTransaction: { raw_payload: payload } }),
  };
}

/** Releases the money, goods and credit reserved for this attempt, or frees them for the booking. */
export async function releaseAttempt(em: EntityManager, order: LockedOrder, attempt: AttemptRow): Promise<void> {
  order.basePendingRefund = subtract(order.basePendingRefund, attempt.baseAmount, attempt.baseCredited);
  order.pendingMemos = withoutPendingMemo(order, attempt.attemptId);
  await releaseLegs(em, { orderId: order.entityId, legs: plannedLegs(attempt) });
}

/**
 * The memo as planned, evened out to the gateway's refund and the credit. Its shipping is the planned one, not
 * distributed again: the shipping of other refunds under way stays theirs.
 */
export function asRefunded(order: LockedOrder, attempt: AttemptRow, shipping: InBoth | undefined) {
  const planned = plannedMemo(attempt.plan, order);
  const request: CreditMemoRequest = { ...planned, ...(shipping === undefined ? {} : { shipping }) };
  return evenedOut(request, collectForBooking(order, request), {
    base: add(attempt.baseAmount, attempt.baseCredited),
    order: add(attempt.amount, attempt.credited),
  });
}

/** What an attempt's memo will book, from the plan stored before the gateway call. */
export const plannedMemo = (plan: RefundPlan, rated: RatedCurrencies): CreditMemoRequest =>
  memoRequest(
    plan.items.map(({ orderItemId, qty }) => ({ orderItemId, qty: quantity(qty) })),
    {
      adjustmentPositive: amount(plan.adjustmentPositive),
      adjustmentNegative: amount(plan.adjustmentNegative),
      shippingAmount: plan.shippingAmount === null ? null : amount(plan.shippingAmount),
      notifyCustomer: plan.notifyCustomer,
    },
    rated,
  );

/** The credit legs reserved for it. */
export const plannedLegs = ({ plan }: AttemptRow): readonly CreditLeg[] => plan.legs ?? [];
