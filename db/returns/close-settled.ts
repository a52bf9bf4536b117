import type { EntityManager } from '@mikro-orm/postgresql';
import { handbackOf, type CreditLeg } from '../../domain/credits/applied-credit.ts';
import { negate, zero, coinsOf, type Amount } from '../../domain/money.ts';
import { moneyText } from '../../domain/currency-texts.ts';
import { asRefundLeg } from '../../domain/refunds/quote-refund.ts';
import { settledStatus, type SettleMethod } from '../../domain/returns/resolution.ts';
import type { BookedMemo } from '../platform/credit-memos/book-credit-memo.ts';
import type { LockedOrder } from '../platform/orders/lock-order.ts';
import { amount, count, integer, definite, text } from '../support/entity-columns.ts';
import { statement } from '../support/statement.ts';
import { insertRows, type Written } from '../support/write-rows.ts';
import { returnComments, moveTo } from './add-return-comment.ts';
import type { LockedReturn } from './lock-return.ts';

export interface Settled {
  order: LockedOrder;
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
export async function closeSettled(em: EntityManager, settled: Settled): Promise<void> {
  const { order, memo } = settled;
  const isLess = memo.difference < zero || memo.baseDifference < zero;
  await insertRows(em, endSettled({ ...settled, whyLess: isLess ? await goodwillBefore(em, order, memo) : null }));
}

/** What another memo gave of the money of these goods, for the history of the return; null where none did. */
async function goodwillBefore(em: EntityManager, order: LockedOrder, memo: BookedMemo): Promise<string | null> {
  const { orderCurrencyCode: code } = order;
  const before = await gaveGoodwill.first(em, { orderId: memo.orderId, memoId: memo.entityId });
  if (!before) return null;
  const shown = (value: Amount) => moneyText(value, code);
  const more = before.memos > 1 ? ' and others' : '';
  return `${shown(negate(memo.difference))} less than the goods: credit memo ${before.incrementId}${more} gave ${shown(before.gave)} before.`;
}

const gaveGoodwill = statement({
  takes: { orderId: integer, memoId: integer },
  gives: { incrementId: text, gave: definite(amount), memos: definite(count) },
  text: `
    select max(increment_id) as increment_id, sum(adjustment_positive - greatest(difference, 0)) as gave, count(*) as
      memos
    from sales_creditmemo
    where order_id = $orderId and entity_id <> $memoId and state <> 3 and figures_from <> 'save'
      and adjustment_positive > greatest(difference, 0)
    having count(*) > 0`,
});

/** The same, for a statement that writes more than the line of audit and the comments, which are the answer. */
export function endSettled(settled: Settled & { whyLess?: string | null }): Written[] {
  const { order, rma, memo, legs, method, difference, whyLess = null } = settled;
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
  const more = [whyLess, difference].filter((one) => one !== null);
  const sentences = [`Settled by ${method}: credit memo ${memo.incrementId}.`, ...more];
  return [audited, returnComments(sentences.map((comment) => ({ returnId, comment, status })))];
}
