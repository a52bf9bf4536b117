import type { EntityManager } from '@mikro-orm/postgresql';
import { moneyText } from '../../../domain/money/money-text.ts';
import { columnsOfMoney } from '../../../domain/money/twins.ts';
import { none } from '../../../domain/money/quantity.ts';
import type { CreditMemoFigures, CreditMemoRequest } from '../../../domain/platform/credit-memos/credit-memo.ts';
import { whyItDiffers } from '../../../domain/platform/credit-memos/posted-difference.ts';
import { refuseForeignGoods } from '../../../domain/platform/refuse-foreign-goods.ts';
import { documentComments, type DocumentRemark } from '../orders/add-document-comment.ts';
import { orderComments } from '../orders/add-order-comment.ts';
import { documentColumns, documentRowColumns } from '../orders/document-money.ts';
import { applyOrderState } from '../orders/apply-order-state.ts';
import { drawsNumbers, type DocumentNumbers } from '../orders/draw-document-numbers.ts';
import { type LockedOrder } from '../orders/lock-order.ts';
import type { NewRowOf } from '../../support/entity-columns.ts';
import { insertRows, into } from '../../support/write-rows.ts';
import {
  adjustmentFigures,
  CreditMemo,
  CreditMemoItem,
  creditMemoStates,
  type MemoFigureSource,
} from './credit-memo.entity.ts';
import type { ReadReturned } from './came-back.ts';
import { moveRefundedStock } from './move-refunded-stock.ts';
import { quoteCreditMemo } from './quote-credit-memo.ts';
import { recordRefundTransaction } from './record-refund-transaction.ts';
import { refundableOrder } from './refundable-order.ts';
import { registerCreditMemo } from './register-credit-memo.ts';
import { shopNow } from '../../support/shop-clock.ts';

/**
 * What other features do in the same transaction when a memo is booked. The hook is called before anything is written,
 * with the order as it was. The function it returns runs when the memo is written, before its goods move. Registered in
 * the wiring.
 */
export type MemoHook = (em: EntityManager, planned: PlannedMemo) => Promise<(memo: BookedMemo) => Promise<void>>;

/** A memo as it was written. */
export type BookedMemo = ReturnType<typeof memoRow>;

export interface PlannedMemo {
  order: LockedOrder;
  figures: CreditMemoFigures;
}

/** Figures that are booked as they are: the caller has checked them against what was left. */
export interface FixedFigures {
  figures: CreditMemoFigures;
  from: Exclude<MemoFigureSource, 'save'>;
}

export interface CreditMemoBooking {
  /** Locked by this transaction. */
  order: LockedOrder;
  /** What it gives back: a request to calculate from, or figures that are calculated already. */
  request: CreditMemoRequest | FixedFigures;
  /** True: the money went back through a gateway. False: by hand. */
  isOnline: boolean;
  comment?: DocumentRemark;
  /** Whether the goods move with the memo. False when a return moved them already. */
  movesStock: boolean;
  /** Lines whose goods may be sold again; the goods of all others are written off. */
  returnToStockItemIds?: readonly number[];
  /** Reads what returns brought back. Absent: only memos bring goods back. */
  readReturned?: ReadReturned | undefined;
  /** The invoice that the memo refunds, if it refunds one. */
  invoiceId?: number;
  /** The caller's own number; absent: the next one. */
  incrementId?: string | undefined;
  /** The attempt whose money this books: one memo per attempt. */
  refundAttemptId?: number;
  /** The request whose repeat must find this memo: one memo per request. */
  operationKey?: string;
  /** The refund's reference at the provider or the terminal. */
  transactionId?: string;
  rawTransaction?: Record<string, unknown>;
  /** The transaction that is refunded; absent: the order's own. */
  paidBy?: string | null;
  hooks?: readonly MemoHook[];
}

/**
 * Books a credit memo with everything it changes: lines, order, payment, history, transaction, state, stock (platform
 * facts 7, 10). In the caller's transaction, under the order lock, with the same figures as `quoteCreditMemo`.
 *
 * A repeat books another memo while something is left to refund. Only the memo of an attempt is booked once.
 *
 * Refused with: 400 as `computeCreditMemo` says, and when a line to put back in stock belongs to another order.
 */
export async function bookCreditMemo(em: EntityManager, booking: CreditMemoBooking): Promise<BookedMemo> {
  const { order, request, isOnline, transactionId, hooks = [] } = booking;
  const figures = 'figures' in request ? request.figures : quoteCreditMemo(order, request);
  refuseForeignGoods(order.lines, booking.returnToStockItemIds ?? []);
  const followUps: ((memo: BookedMemo) => Promise<void>)[] = [];
  for (const hook of hooks) followUps.push(await hook(em, { order, figures }));
  const drawn = await draw(em, order.storeId, booking.incrementId);
  const memo = memoRow(booking, figures, drawn);
  const items = itemRows(memo.entityId, order, figures);
  const remarks = remarksOf(booking, figures);
  registerCreditMemo(order, figures, isOnline);
  if (transactionId !== undefined) await recordRefundTransaction(em, { ...booking, transactionId });
  await applyOrderState(em, order, 'refund');
  const { entityId: orderId, status, baseCurrencyCode } = order;
  const said = { orderId, comment: historyLine(memo, baseCurrencyCode), status, entityName: 'creditmemo' } as const;
  await insertRows(em, [
    into(CreditMemo, [memo]),
    into(CreditMemoItem, items),
    orderComments([said]),
    documentComments(remarks.map((remark) => ({ document: 'creditmemo', parentId: memo.entityId, ...remark }))),
  ]);
  for (const followUp of followUps) await followUp(memo);
  if (booking.movesStock) await moveGoods(em, { ...booking, figures, creditMemoId: memo.entityId });
  return memo;
}

/** The caller's comment, and why the memo is not what its goods come to. */
function remarksOf({ order, comment }: CreditMemoBooking, figures: CreditMemoFigures): DocumentRemark[] {
  const why = whyItDiffers(refundableOrder(order), figures);
  return [...(comment ? [comment] : []), ...(why === null ? [] : [{ comment: why }])];
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
      qtyToStock: isForTheShelf(booking, orderItemId) ? qty : none,
    })),
    readReturned: booking.readReturned,
  });

/** A line is named by its own id, or by the id of one of its parts. */
const isForTheShelf = ({ order, returnToStockItemIds = [] }: CreditMemoBooking, orderItemId: number): boolean =>
  returnToStockItemIds.includes(orderItemId) ||
  order.lines.some((part) => part.parentItemId === orderItemId && returnToStockItemIds.includes(part.itemId));

/** Its id and its number are drawn first, so that memo and lines are written together. */
const draw = drawsNumbers('creditmemo');

function memoRow(
  { order, request, isOnline, refundAttemptId, operationKey, transactionId, invoiceId }: CreditMemoBooking,
  figures: CreditMemoFigures,
  drawn: DocumentNumbers,
) {
  const now = shopNow();
  return {
    ...drawn,
    orderId: order.entityId,
    storeId: order.storeId,
    state: creditMemoStates.refunded,
    isOnline,
    transactionId: transactionId ?? null,
    refundAttemptId: refundAttemptId ?? null,
    operationKey: operationKey ?? null,
    invoiceId: invoiceId ?? null,
    figuresFrom: 'figures' in request ? request.from : ('collectors' as const),
    ...documentColumns(figures),
    ...columnsOfMoney(adjustmentFigures, figures),
    baseCost: figures.baseCost,
    createdAt: now,
    updatedAt: now,
  };
}

const itemRows = (creditMemo: number, order: LockedOrder, figures: CreditMemoFigures) =>
  order.lines.flatMap((line): NewRowOf<typeof CreditMemoItem>[] => {
    const item = figures.lines.find((one) => one.orderItemId === line.itemId);
    if (!item || item.qty === none) return [];
    const { itemId: orderItemId, productId, sku, name } = line;
    const money = { ...documentRowColumns(line, item), baseCost: line.baseCost };
    return [{ creditMemo, orderItemId, productId, sku, name, qty: item.qty, ...money }];
  });

/** The platform's sentence, in the base currency (platform facts 7.5). */
function historyLine({ isOnline, baseGrandTotal, transactionId }: BookedMemo, baseCurrencyCode: string): string {
  const line = `We refunded ${moneyText(baseGrandTotal, baseCurrencyCode)} ${isOnline ? 'online' : 'offline'}.`;
  return transactionId ? `${line} Transaction ID: "${transactionId}"` : line;
}
