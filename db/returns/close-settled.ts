import type { EntityManager } from '@mikro-orm/postgresql';
import type { CreditLeg } from '../../domain/credits/applied-credit.ts';
import { handbackOf } from '../../domain/credits/handback.ts';
import { coinsOf, type OrderCurrencies } from '../../domain/money/coins.ts';
import { asRefundLeg } from '../../domain/refunds/quote-refund.ts';
import type { SettleMethod } from '../../domain/returns/refund-method.ts';
import { settledStatus } from '../../domain/returns/resolution.ts';
import type { BookedMemo } from '../platform/credit-memos/book-credit-memo.ts';
import { insertRows, type Written } from '../support/write-rows.ts';
import { returnComments } from './add-return-comment.ts';
import { moveTo } from './change-status.ts';
import type { LockedReturn } from './lock-return.ts';

export interface Settled {
  order: OrderCurrencies;
  rma: LockedReturn;
  memo: BookedMemo;
  /** The credit that the memo gave back. */
  legs: readonly CreditLeg[];
  method: SettleMethod;
  /** One sentence on how the booked legs differ from the expected ones; null when they do not. */
  difference: string | null;
}

/**
 * Ends a return whose memo was booked in this transaction: totals, history and audit with it. It ends as resolved
 * where every line has a resolution, else as closed.
 */
export const closeSettled = (em: EntityManager, settled: Settled): Promise<void> => insertRows(em, endSettled(settled));

/** The same, for a statement that writes more than the line of audit and the comments, which are the answer. */
export function endSettled({ order, rma, memo, legs, method, difference }: Settled): Written[] {
  const total = { base: memo.baseGrandTotal, order: memo.grandTotal };
  const refundLegs = legs.map(asRefundLeg);
  const audited = moveTo(rma, settledStatus(rma.items));
  rma.refundMethod = method;
  rma.creditMemoId = memo.entityId;
  rma.refundLegs = refundLegs;
  rma.baseRefundTotal = total.base;
  rma.baseHandback = handbackOf(total, refundLegs, coinsOf(order)).base;
  rma.refundDifference = difference;
  const { returnId, status } = rma;
  const said = [`Settled by ${method}: credit memo ${memo.incrementId}.`, ...(difference === null ? [] : [difference])];
  return [audited, returnComments(said.map((comment) => ({ returnId, comment, status })))];
}
