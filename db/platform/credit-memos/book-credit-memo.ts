import type { EntityManager } from '@mikro-orm/postgresql';
import { moneyText } from '../../../domain/money/money-text.ts';
import { none } from '../../../domain/money/quantity.ts';
import type { CreditMemoFigures, CreditMemoRequest } from '../../../domain/platform/credit-memo.ts';
import { refuseForeignGoods } from '../../../domain/platform/refuse-foreign-goods.ts';
import { addDocumentComment, type DocumentRemark } from '../orders/add-document-comment.ts';
import { addOrderComment } from '../orders/add-order-comment.ts';
import { applyOrderState } from '../orders/apply-order-state.ts';
import { linesOf, type LockedOrder } from '../orders/lock-order.ts';
import { nextIncrementId } from '../orders/next-increment-id.ts';
import { memoItemMoney, memoMoney } from './credit-memo-rows.ts';
import { CreditMemo, CreditMemoItem, creditMemoStates } from './credit-memo.entity.ts';
import type { ReadReturned } from './came-back.ts';
import { moveRefundedStock } from './move-refunded-stock.ts';
import { quoteCreditMemo } from './quote-credit-memo.ts';
import { recordRefundTransaction } from './record-refund-transaction.ts';
import { registerCreditMemo } from './register-credit-memo.ts';

/**
 * What others want to happen when a memo is booked, in the same transaction. Asked before anything is written, with the
 * order as it was; what it answers runs once the memo is there, before its goods move. Registered in the wiring.
 */
export type MemoHook = (em: EntityManager, planned: PlannedMemo) => Promise<(memo: CreditMemo) => Promise<void>>;

export interface PlannedMemo {
  order: LockedOrder;
  figures: CreditMemoFigures;
}

export interface CreditMemoBooking {
  /** Locked by this transaction. */
  order: LockedOrder;
  request: CreditMemoRequest;
  /** The money went back through a gateway; else by hand. */
  isOnline: boolean;
  comment?: DocumentRemark;
  /** Whether the goods move with the memo. False where somebody else moves them: a return that was received. */
  movesStock: boolean;
  /** Lines whose goods may be sold again; the goods of all others are written off. */
  returnToStockItemIds?: readonly number[];
  /** Absent: nothing comes back but with memos. */
  readReturned?: ReadReturned | undefined;
  /** The invoice it gives back, where it is one's. */
  invoiceId?: number;
  /** The attempt whose money this books: one memo per attempt. */
  refundAttemptId?: number;
  /** What the provider or the terminal calls the refund. */
  transactionId?: string;
  rawTransaction?: Record<string, unknown>;
  hooks?: readonly MemoHook[];
}

/**
 * Books a credit memo with everything it changes: lines, order, payment, history, transaction, state, stock (platform
 * facts 7, 10). In the caller's transaction, under the order lock, from the same figures as `quoteCreditMemo`.
 *
 * A repeat books again as long as something is left: what the memo takes is not left for another, and an attempt has
 * one memo.
 *
 * Refused with: 400 as `computeCreditMemo` says, and for goods to the shelf that it does not refund.
 */
export async function bookCreditMemo(em: EntityManager, booking: CreditMemoBooking): Promise<CreditMemo> {
  const { order, isOnline, comment, transactionId, hooks = [] } = booking;
  const figures = quoteCreditMemo(order, booking.request);
  const { returnToStockItemIds = [] } = booking;
  const memoLines = figures.lines.filter(({ qty }) => qty > none);
  refuseForeignGoods({ orderLines: linesOf(order), memoLines, returnToStockItemIds });
  const followUps: ((memo: CreditMemo) => Promise<void>)[] = [];
  for (const hook of hooks) followUps.push(await hook(em, { order, figures }));
  const memo = await createMemo(em, booking, figures);
  registerCreditMemo(order, figures, isOnline);
  if (transactionId !== undefined) await recordRefundTransaction(em, { ...booking, transactionId });
  await applyOrderState(em, order, 'refund');
  await addOrderComment(em, {
    orderId: order.entityId,
    comment: historyLine(memo, order.baseCurrencyCode),
    status: order.status,
    entityName: 'creditmemo',
  });
  await em.flush();
  if (comment) addDocumentComment(em, { document: 'creditmemo', parentId: memo.entityId, ...comment });
  for (const followUp of followUps) await followUp(memo);
  if (booking.movesStock) await moveGoods(em, { ...booking, figures, creditMemoId: memo.entityId });
  return memo;
}

const moveGoods = (
  em: EntityManager,
  booking: CreditMemoBooking & { figures: CreditMemoFigures; creditMemoId: number },
): Promise<void> =>
  moveRefundedStock(em, {
    order: booking.order,
    creditMemoId: booking.creditMemoId,
    lines: booking.figures.lines.map(({ orderItemId, qty }) => ({
      orderItemId,
      qty,
      qtyToStock: booking.returnToStockItemIds?.includes(orderItemId) ? qty : none,
    })),
    readReturned: booking.readReturned,
  });

async function createMemo(
  em: EntityManager,
  booking: CreditMemoBooking,
  figures: CreditMemoFigures,
): Promise<CreditMemo> {
  const { order, isOnline, refundAttemptId, transactionId, invoiceId } = booking;
  const memo = em.create(CreditMemo, {
    orderId: order.entityId,
    incrementId: await nextIncrementId(em, 'creditmemo', order.storeId),
    storeId: order.storeId,
    state: creditMemoStates.refunded,
    isOnline,
    ...(transactionId === undefined ? {} : { transactionId }),
    ...(refundAttemptId === undefined ? {} : { refundAttemptId }),
    ...(invoiceId === undefined ? {} : { invoiceId }),
    ...memoMoney(figures),
  });
  for (const line of linesOf(order)) {
    const item = figures.lines.find((one) => one.orderItemId === line.itemId);
    if (!item || item.qty === none) continue;
    const { itemId: orderItemId, productId, sku, name } = line;
    em.create(CreditMemoItem, {
      creditMemo: memo,
      orderItemId,
      productId,
      sku,
      name,
      qty: item.qty,
      ...memoItemMoney(line, item),
    });
  }
  return memo;
}

/** The platform's words, in the base currency (platform facts 7.5). */
function historyLine({ isOnline, baseGrandTotal, transactionId }: CreditMemo, baseCurrencyCode: string): string {
  const line = `We refunded ${moneyText(baseGrandTotal, baseCurrencyCode)} ${isOnline ? 'online' : 'offline'}.`;
  return transactionId ? `${line} Transaction ID: "${transactionId}"` : line;
}
