import { quoteCreditMemo } from '../db/platform/credit-memos/book-credit-memo.ts';
import { itemsOf } from '../db/refunds/refund-intent.ts';
import type { OrderAndReturn } from '../db/returns/lock-return.ts';
import type { ReturnRecord } from '../db/returns/return.repository.ts';
import { moneyText } from '../domain/currency-texts.ts';
import { PosError } from '../domain/errors.ts';
import { memoRequest, plainSettlement } from '../domain/refunds/quote-refund.ts';
import { isTerminal, type ReturnStatus } from '../domain/returns/return-status.ts';

/** A return in its workflow's memory: numbers and status words, no personal data. */
export interface ReturnSnapshot {
  incrementId: string;
  orderId: number;
  orderIncrementId: string;
  status: ReturnStatus;
  isReady: boolean;
  refundMethod: string | null;
  /** An attempt that is not decided. */
  attemptId: number | null;
  /** What it waits to give back, with its currency; null: not known, or nothing. */
  amount: string | null;
}

/** A return under its lock, as it is left. */
export const snapshotOf = ({ order, rma }: OrderAndReturn): ReturnSnapshot => ({
  incrementId: rma.incrementId,
  orderId: order.entityId,
  orderIncrementId: order.incrementId,
  status: rma.status,
  isReady: rma.isReady,
  refundMethod: rma.refundMethod ?? rma.requestedRefundMethod,
  attemptId: null,
  amount: isTerminal(rma.status) ? null : amountOf({ order, rma }),
});

/** What a settle without adjustments would give back now. */
function amountOf({ order, rma }: OrderAndReturn): string | null {
  try {
    const { grandTotal } = quoteCreditMemo(order, memoRequest(itemsOf(rma), plainSettlement, order)).order;
    return moneyText(grandTotal, order.orderCurrencyCode);
  } catch (error) {
    if (error instanceof PosError) return null;
    throw error;
  }
}

/** A return as it was read. */
export const snapshotOfRecord = (record: ReturnRecord): ReturnSnapshot => ({
  incrementId: record.incrementId,
  orderId: record.orderId,
  orderIncrementId: record.orderIncrementId,
  status: record.status,
  isReady: record.isReady,
  refundMethod: record.refundMethod ?? record.requestedRefundMethod,
  attemptId: record.attemptState === 'started' || record.attemptState === 'uncertain' ? record.attemptId : null,
  amount: null,
});
