import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchDocument } from '../../../domain/errors.ts';
import { moneyText } from '../../../domain/currency-texts.ts';
import {
  add,
  coinsOf,
  columnsOfMoney,
  countMoney,
  inBoth,
  moneyOf,
  none,
  plus,
  subtract,
  toCoins,
  twin,
  twins,
  zero,
  type Amount,
  type Coin,
} from '../../../domain/money.ts';
import type {
  CreditMemoFigures,
  RefundableLine,
  RefundableOrder,
  CreditMemoRequest,
} from '../../../domain/platform/credit-memos/credit-memo-figures.ts';
import { collectCreditMemo, computeCreditMemo } from '../../../domain/platform/credit-memos/credit-memo.ts';
import { whatStays, whyItDiffers } from '../../../domain/platform/credit-memos/posted-difference.ts';
import { refuseForeignGoods } from '../../../domain/platform/document-lines.ts';
import { isLayaway, moneyLeft, takenOffByMemo } from '../../../domain/platform/placement.ts';
import { type NewRowOf } from '../../support/entity-columns.ts';
import { shopNow } from '../../support/shop-clock.ts';
import { sql } from '../../support/sql.ts';
import { insertRows, into } from '../../support/write-rows.ts';
import {
  applyOrderState,
  documentComments,
  drawsNumbers,
  orderComments,
  refunded,
  shippingDiscountTaxCompensation,
  taxOnWeee,
  weeeOfRow,
  type DocumentNumbers,
} from '../orders/add-order-comment.ts';
import { documentColumns, documentRowColumns } from '../orders/document-money.ts';
import type { LockedOrder, OrderLine } from '../orders/lock-order.ts';
import { PaymentTransaction } from '../orders/order-parts.entity.ts';
import { adjustmentFigures, CreditMemo, CreditMemoItem, creditMemoStates } from './credit-memo.entity.ts';
import { moveRefundedStock, type ReadReturned } from './move-refunded-stock.ts';
import type { DocumentRemark } from '../orders/document-remark.ts';
import type { FixedFigures } from './fixed-figures.ts';

const orderFigures = {
  ...twins('grandTotal', 'totalInvoiced', 'totalPaid', 'totalRefunded', 'returnedWithoutMemo', 'discountAmount'),
  ...twins('adjustmentPositive', 'adjustmentNegative', 'differenceRefunded', 'taxInvoiced', 'taxRefunded'),
  ...twins('discountTaxCompensationInvoiced', 'discountTaxCompensationRefunded', 'shippingAmount', 'shippingRefunded'),
  ...twins('shippingTaxAmount', 'shippingTaxRefunded', 'shippingDiscountAmount'),
  shippingDiscountTaxCompensationAmount: shippingDiscountTaxCompensation,
};

const lineFigures = {
  ...twins('rowInvoiced', 'amountRefunded', 'rowTotalInclTax', 'discountInvoiced', 'discountRefunded', 'taxInvoiced'),
  ...twins('taxRefunded', 'discountTaxCompensationInvoiced', 'discountTaxCompensationRefunded'),
  weeeRow: weeeOfRow,
  weeeInvoiced: twin('weeeTaxAmountInvoiced'),
  weeeRefunded: twin('weeeTaxAmountRefunded'),
};

/** The figures of an order from which a credit memo is calculated. To book by them, read them under the order lock. */
export function refundableOrder(order: LockedOrder): RefundableOrder {
  const lines = order.lines;
  return {
    state: order.state,
    status: order.status,
    isLayawayCancelled: order.posLayawayStatus === 'cancelled',
    baseCurrencyCode: order.baseCurrencyCode,
    orderCurrencyCode: order.orderCurrencyCode,
    baseToOrderRate: order.baseToOrderRate,
    basePendingRefund: order.basePendingRefund,
    pendingMemos: order.pendingMemos ?? [],
    lines: lines.filter(isOwnLine).map(lineOf),
    partIds: lines.filter((line) => !isOwnLine(line)).map((line) => line.itemId),
    ...inBoth((currency) => moneyOf(order, orderFigures, currency)),
  };
}

/** A part of a set is neither invoiced nor shipped by itself. */
const isOwnLine = (line: OrderLine) => line.parentItemId == null;

const lineOf = (line: OrderLine): RefundableLine => ({
  orderItemId: line.itemId,
  sku: line.sku,
  name: line.name ?? line.sku,
  qtyOrdered: line.qtyOrdered,
  qtyInvoiced: line.qtyInvoiced,
  qtyRefunded: line.qtyRefunded,
  isQtyDecimal: line.isQtyDecimal,
  baseCost: line.baseCost ?? zero,
  ...inBoth((currency) => ({
    ...moneyOf(line, lineFigures, currency),
    taxOnWeeeRow: taxOnWeee(line.weeeTaxApplied, currency),
  })),
});

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

export interface RefundTransaction {
  order: LockedOrder;
  transactionId: string;
  rawTransaction?: Record<string, unknown>;
  /** The transaction that is refunded; absent: the order's own. */
  paidBy?: string | null;
}

/**
 * Keeps the provider's reference of a refund beside the order, under the payment that it refunds (platform facts 7.5,
 * 11). Safe to repeat: a reference is kept once per order, with the details of the first call.
 */
export async function recordRefundTransaction(em: EntityManager, refund: RefundTransaction): Promise<void> {
  const { order, transactionId, rawTransaction } = refund;
  const { entityId: paymentId, lastTransId } = order.payment;
  const { paidBy = lastTransId } = refund;
  const known = await selectCreditMemo.all(em, { orderId: order.entityId, transactionId, paidBy });
  if (known.some((one) => one.txnType === 'refund' && one.txnId === transactionId)) return;
  const parent = known.find((one) => one.txnType !== 'refund' && one.txnId === paidBy);
  await insertRows(em, [
    into(PaymentTransaction, [
      {
        orderId: order.entityId,
        paymentId,
        txnId: transactionId,
        txnType: 'refund',
        parentId: parent?.transactionId ?? null,
        parentTxnId: paidBy,
        isClosed: true,
        additionalInformation: rawTransaction ?? {},
        createdAt: shopNow(),
      },
    ]),
  ]);
}

const selectCreditMemo = sql('book-credit-memo.selectCreditMemo')`
  select transaction_id, txn_id, txn_type from sales_payment_transaction
  where order_id = $orderId and txn_id in ($transactionId, $paidBy?) order by transaction_id`;

/** Adds a credit memo to the refunded totals of its order, its lines and its payment (platform facts 7.5). */
function registerCreditMemo(order: LockedOrder, memo: CreditMemoFigures, isOnline: boolean): void {
  const lines = new Map(order.lines.map((line) => [line.itemId, line]));
  for (const item of memo.lines) {
    const line = lines.get(item.orderItemId);
    if (!line) continue;
    line.qtyRefunded = plus(line.qtyRefunded, item.qty);
    countMoney(line, refunded.line, item);
  }
  registerTotals(order, memo, isOnline);
  countMoney(order, refunded.order, memo);
  countMoney(order.payment, refunded.payment, memo);
  order.baseTotalInvoicedCost = subtract(order.baseTotalInvoicedCost, memo.baseCost);
}

const totalRefunded = twin('totalRefunded');

/** The total paid stays as it is: a refund never lowers it. */
function registerTotals(order: LockedOrder, memo: CreditMemoFigures, isOnline: boolean): void {
  const coins = coinsOf(order);
  const total = inBoth((currency) => ({
    total: increase(order[totalRefunded[currency]], memo[currency].grandTotal, coins[currency]),
  }));
  countMoney(order, { total: totalRefunded }, total);
  if (isOnline) countMoney(order, { total: twin('totalOnlineRefunded') }, total);
  else countMoney(order, { total: twin('totalOfflineRefunded') }, total);
  countMoney(order.payment, { total: twin('amountRefunded') }, total);
}

/** Totals are kept in coins, as the platform keeps them to two decimals (platform facts 7.5). */
const increase = (refundedBefore: Amount, grandTotal: Amount, coin: Coin): Amount =>
  subtract(toCoins(add(refundedBefore, grandTotal), coin), refundedBefore);

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
  takeOffDue(order, figures);
  registerCreditMemo(order, figures, isOnline);
  if (transactionId !== undefined) await recordRefundTransaction(em, { ...booking, transactionId });
  await applyOrderState(em, order, 'refund');
  const { entityId: orderId, status, baseCurrencyCode } = order;
  const reply = { orderId, comment: historyLine(memo, baseCurrencyCode), status, entityName: 'creditmemo' } as const;
  await insertRows(em, [
    into(CreditMemo, [memo]),
    into(CreditMemoItem, items),
    orderComments([reply]),
    documentComments(remarks.map((remark) => ({ document: 'creditmemo', parentId: memo.entityId, ...remark }))),
  ]);
  for (const followUp of followUps) await followUp(memo);
  if (booking.movesStock) await moveGoods(em, { ...booking, figures, creditMemoId: memo.entityId });
  return memo;
}

/** The goods of a layaway that is not settled are not out: its balance is what its payments left (spec 2.13). */
function takeOffDue(order: LockedOrder, figures: CreditMemoFigures): void {
  if (isLayaway(order.state, order.posLayawayStatus)) return;
  const takenOff = inBoth((currency) => ({
    dueTakenOff: takenOffByMemo({
      moneyLeft: moneyLeft(moneyOf(order, moneyFigures, currency)),
      memo: figures[currency],
    }),
  }));
  countMoney(order, twins('dueTakenOff'), takenOff);
}

const moneyFigures = twins('totalPaid', 'totalRefunded', 'returnedWithoutMemo');

/** The caller's comment, why the memo is not what its goods come to, and what it leaves. */
function remarksOf(
  { order, comment, refundAttemptId }: CreditMemoBooking,
  figures: CreditMemoFigures,
): DocumentRemark[] {
  const stored = refundableOrder(order);
  const reply = [whyItDiffers(stored, figures), refundAttemptId === undefined ? null : whatStays(stored, figures)];
  return [...(comment ? [comment] : []), ...reply.flatMap((text) => (text === null ? [] : [{ comment: text }]))];
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

export interface RefundOfInvoice {
  orderId: number;
  invoiceId: number;
  baseGrandTotal: Amount;
}

/**
 * Counts a memo towards the invoice it refunds, in the caller's transaction under the order lock (platform facts 7.5).
 * A repeat counts it again. Refused with: 404 an invoice of another order.
 */
export async function countTowardsInvoice(em: EntityManager, refund: RefundOfInvoice): Promise<void> {
  if (!(await count.first(em, refund))) throw noSuchDocument();
}

const count = sql('book-credit-memo.count')`
  update sales_invoice
  set is_used_for_refund = true, base_total_refunded = base_total_refunded + $baseGrandTotal, updated_at = now()
  where entity_id = $invoiceId and order_id = $orderId returning entity_id`;
