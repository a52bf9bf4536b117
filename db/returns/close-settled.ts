import type { EntityManager } from '@mikro-orm/postgresql';
import type { CreditLeg } from '../../domain/credits/applied-credit.ts';
import { coinsOf, type OrderCurrencies } from '../../domain/money/coins.ts';
import { asRefundLeg, handbackOf } from '../../domain/refunds/quote-refund.ts';
import type { SettleMethod } from '../../domain/returns/refund-method.ts';
import { settledStatus } from '../../domain/returns/resolution.ts';
import type { BookedMemo } from '../platform/credit-memos/book-credit-memo.ts';
import { insertRows } from '../support/write-rows.ts';
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
export async function closeSettled(
  em: EntityManager,
  { order, rma, memo, legs, method, difference }: Settled,
): Promise<void> {
  const total = { base: memo.baseGrandTotal, order: memo.grandTotal };
  const refundLegs = legs.map(asRefundLeg);
  const { baseRefundTotal, baseHandback } = handbackOf(total, refundLegs, coinsOf(order));
  const audited = moveTo(rma, settledStatus(rma.items));
  rma.refundMethod = method;
  rma.creditMemoId = memo.entityId;
  rma.refundLegs = refundLegs;
  rma.baseRefundTotal = baseRefundTotal;
  rma.baseHandback = baseHandback;
  rma.refundDifference = difference;
  const { returnId, status } = rma;
  const said = [`Settled by ${method}: credit memo ${memo.incrementId}.`, ...(difference === null ? [] : [difference])];
  await insertRows(em, [audited, returnComments(said.map((comment) => ({ returnId, comment, status })))]);
}
