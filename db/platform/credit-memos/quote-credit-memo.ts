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
 * An order that is read but not locked will do for a preview; what is booked by it must be locked.
 */
export const quoteCreditMemo = (order: LockedOrder, request: CreditMemoRequest): CreditMemoFigures =>
  computeCreditMemo(refundableOrder(order), request);

/** The same before it is evened out and checked against the money that is left. See `collectCreditMemo`. */
export const collectForBooking = (order: LockedOrder, request: CreditMemoRequest): CreditMemoFigures =>
  collectCreditMemo(refundableOrder(order), request);
