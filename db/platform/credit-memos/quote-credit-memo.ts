import {
  collectCreditMemo,
  computeCreditMemo,
  type CreditMemoFigures,
  type CreditMemoRequest,
} from '../../../domain/platform/credit-memos/credit-memo.ts';
import type { LockedOrder } from '../orders/lock-order.ts';
import { refundableOrder } from './refundable-order.ts';

/**
 * The figures `bookCreditMemo` would book now. Saves nothing; refused as the booking would be.
 *
 * A preview may use an order without a lock; a booking needs a locked one.
 */
export const quoteCreditMemo = (order: LockedOrder, request: CreditMemoRequest): CreditMemoFigures =>
  computeCreditMemo(refundableOrder(order), request);

/** The same, before rounding differences are removed and the money left is checked. See `collectCreditMemo`. */
export const collectForBooking = (order: LockedOrder, request: CreditMemoRequest): CreditMemoFigures =>
  collectCreditMemo(refundableOrder(order), request);
