import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchDocument } from '../../../domain/errors.ts';
import { add, none, subtract, type Amount } from '../../../domain/money.ts';
import { afterPendingMemos } from '../../../domain/platform/credit-memos/credit-memo-coins.ts';
import {
  postedInBase,
  type RefundableOrder,
  type RequestedItem,
} from '../../../domain/platform/credit-memos/credit-memo-figures.ts';
import { postedFigures, type PostedMemo } from '../../../domain/platform/credit-memos/posted-memo.ts';
import { refuseFinerThanCoin } from '../../../domain/whole-coins.ts';
import { refuseForeignGoods, toRefund } from '../../../domain/platform/document-lines.ts';
import {
  itemsOfInvoiceRefund,
  refuseGoodsOfOtherInvoices,
  type InvoicedLine,
} from '../../../domain/platform/credit-memos/memo-of-invoice.ts';
import { quantity, definite } from '../../support/entity-columns.ts';
import { sql } from '../../support/sql.ts';
import { invoiceStates } from '../invoices/invoice.entity.ts';
import { invoiceOf, linesOfInvoice, withInvoice, type InvoiceRow } from '../invoices/invoice.repository.ts';
import { withOwnNumber } from '../orders/add-order-comment.ts';
import { withOrder, type LockedOrder } from '../orders/lock-order.ts';
import {
  bookCreditMemo,
  countTowardsInvoice,
  quoteCreditMemo,
  refundableOrder,
  type BookedMemo,
  type CreditMemoBooking,
  type MemoHook,
} from './book-credit-memo.ts';
import type { ReadReturned } from './move-refunded-stock.ts';
import type { DocumentRemark } from '../orders/document-remark.ts';
import type { FixedFigures } from './fixed-figures.ts';

/** The request of the platform's own route (platform facts 7.1). Amounts in the base currency, excluding tax. */
interface OrderRefund {
  orderId: number;
  /** Empty: everything that is left. A line of quantity zero means money without goods. */
  items: readonly RequestedItem[];
  /** Absent: all shipping that is left. Zero: no shipping goes back. */
  shippingAmount?: Amount | undefined;
  adjustmentPositive: Amount;
  adjustmentNegative: Amount;
  /** Goods that may be sold again. All others are written off. */
  returnToStockItemIds: readonly number[];
  comment?: DocumentRemark | undefined;
  hooks?: readonly MemoHook[];
  readReturned?: ReadReturned;
}

/** What other features add to a refund by hand: their hooks, and what returns brought back. */
export type RefundHooks = Pick<OrderRefund, 'hooks' | 'readReturned'>;

/**
 * Refunds an order by hand: books the memo and moves the goods (platform facts 7, 10). Under the order lock.
 *
 * Of several calls at once one succeeds. Refused with: 404 unknown order · 400 as `computeCreditMemo` says.
 *
 * @returns the credit memo's id
 */
export const refundOrder = (em: EntityManager, refund: OrderRefund): Promise<number> =>
  withOrder(em, refund.orderId, async (tx, order) => {
    refuseFiner(order, refund);
    const memo = await bookCreditMemo(tx, bookingByHand(order, refund));
    return memo.entityId;
  });

/** Refused with 400: an amount of the request finer than the base currency's coin. */
function refuseFiner(
  { baseCurrencyCode }: LockedOrder,
  asked: Pick<OrderRefund, 'shippingAmount' | 'adjustmentPositive' | 'adjustmentNegative'>,
): void {
  for (const value of [asked.shippingAmount, asked.adjustmentPositive, asked.adjustmentNegative])
    refuseFinerThanCoin(value, baseCurrencyCode);
}

/** The memo of a refund by hand; its goods move with it. */
function bookingByHand(order: LockedOrder, refund: Omit<OrderRefund, 'orderId'>): CreditMemoBooking {
  const inBoth = (base: Amount) => postedInBase(base, order);
  const { shippingAmount, comment } = refund;
  return {
    order,
    request: {
      items: refund.items,
      ...(shippingAmount === undefined ? {} : { shipping: inBoth(shippingAmount) }),
      adjustmentPositive: inBoth(refund.adjustmentPositive),
      adjustmentNegative: inBoth(refund.adjustmentNegative),
      givenIn: 'base',
    },
    isOnline: false,
    movesStock: true,
    returnToStockItemIds: refund.returnToStockItemIds,
    hooks: refund.hooks ?? [],
    readReturned: refund.readReturned,
    ...(comment === undefined ? {} : { comment }),
  };
}

export type InvoiceRefund = Omit<OrderRefund, 'orderId'> & {
  invoiceId: number;
  /** Called last in the transaction, with the memo's id. */
  noted?: (tx: EntityManager, creditMemoId: number) => Promise<void>;
};

/**
 * Refunds one invoice by hand (platform facts 7). It writes the memo, counts it towards the invoice and moves the
 * goods, all under the order lock.
 *
 * Of several calls at once one succeeds. Refused with: 404 unknown invoice · 400 as `itemsOfInvoiceRefund` and
 * `computeCreditMemo` say.
 *
 * @returns the credit memo's id
 */
export const refundInvoice = (em: EntityManager, { invoiceId, noted, ...refund }: InvoiceRefund): Promise<number> =>
  withInvoice(em, invoiceId, async (tx, { order, invoice }) => {
    const memo = await bookCreditMemo(tx, { ...(await bookingOfInvoice(tx, { order, invoice, refund })), invoiceId });
    invoice.isUsedForRefund = true;
    invoice.baseTotalRefunded = add(invoice.baseTotalRefunded, memo.baseGrandTotal);
    await noted?.(tx, memo.entityId);
    return memo.entityId;
  });

/** The figures of the same refund, for a refund through a gateway. Refused as `refundInvoice`. */
async function figuresOfInvoiceRefund(
  em: EntityManager,
  { order, invoice, refund }: InvoiceToBook,
): Promise<FixedFigures> {
  const { request } = await bookingOfInvoice(em, { order, invoice, refund });
  return { figures: 'figures' in request ? request.figures : quoteCreditMemo(order, request), from: 'collectors' };
}

interface InvoiceToBook {
  order: LockedOrder;
  invoice: InvoiceRow;
  refund: Omit<InvoiceRefund, 'invoiceId' | 'noted'>;
}

async function bookingOfInvoice(em: EntityManager, { order, invoice, refund }: InvoiceToBook) {
  refuseFiner(order, refund);
  const left = afterPendingMemos(refundableOrder(order));
  const facts = {
    isPaid: invoice.state === invoiceStates.paid,
    paymentMethod: order.payment.method,
    baseGrandTotal: invoice.baseGrandTotal,
    baseTotalRefunded: invoice.baseTotalRefunded,
    lines: await refundedLines(em, left, invoice),
  };
  const items = itemsOfInvoiceRefund(facts, refund.items);
  refuseGoodsOfOtherInvoices(left.lines, { invoiced: facts.lines, returned: refund.returnToStockItemIds });
  const shippingAmount = refund.shippingAmount ?? shippingOfInvoice(left, invoice);
  return bookingByHand(order, { ...refund, items, shippingAmount });
}

/**
 * At most the shipping of this invoice. Undefined, which means all of the order's shipping that is left, when that is
 * less.
 */
const shippingOfInvoice = ({ base }: RefundableOrder, { baseShippingAmount }: InvoiceRow): Amount | undefined =>
  baseShippingAmount < subtract(base.shippingAmount, base.shippingRefunded) ? baseShippingAmount : undefined;

const readRefunded = sql('refund-invoice.readRefunded', { gives: { qty: definite(quantity) } })`
  select l.order_item_id, sum(l.qty) as qty
  from sales_creditmemo_item l join sales_creditmemo m on m.entity_id = l.parent_id
  where m.order_id = $orderId and m.invoice_id = $invoiceId and m.figures_from <> 'save' group by l.order_item_id`;

async function refundedLines(em: EntityManager, order: RefundableOrder, invoice: InvoiceRow): Promise<InvoicedLine[]> {
  const { orderId, entityId: invoiceId } = invoice;
  const rows = await readRefunded.all(em, { orderId, invoiceId });
  const refunded = new Map(rows.map((row) => [row.orderItemId, row.qty]));
  const items = await linesOfInvoice(em, invoiceId);
  return items.map((item) => {
    const line = order.lines.find(({ orderItemId }) => orderItemId === item.orderItemId);
    return {
      orderItemId: item.orderItemId,
      name: item.name ?? item.sku,
      qty: item.qty,
      refundedByInvoice: refunded.get(item.orderItemId) ?? none,
      leftOnOrder: line ? toRefund(line) : none,
    };
  });
}

/** The request of `POST /V1/creditmemo/refund`: a memo with the caller's own figures (platform facts 7.1). */
export interface RefundWithTotals extends RefundHooks {
  orderId: number;
  memo: PostedMemo;
  /** The memo's own number; absent: the next one. */
  incrementId?: string | undefined;
  /** The invoice that the memo refunds. */
  invoiceId?: number | undefined;
  /** Goods that may be sold again. All others are written off. */
  returnToStockItemIds: readonly number[];
  comment?: DocumentRemark | undefined;
}

/**
 * Refunds an order by hand with the caller's figures. It writes the memo, counts it towards its invoice and moves the
 * goods, all under the order lock.
 *
 * Of several calls at once one succeeds. Refused with: 404 unknown order or invoice · 400 as `figuresGiven` says, a
 * number that is taken.
 *
 * @param noted called last in the same transaction
 */
export const refundWithTotals = (
  em: EntityManager,
  refund: RefundWithTotals,
  noted?: (tx: EntityManager, creditMemoId: number) => Promise<void>,
): Promise<BookedMemo> =>
  withOwnNumber(refund.incrementId, () =>
    withOrder(em, refund.orderId, async (tx, order) => {
      const memo = await bookCreditMemo(tx, bookingWithTotals(order, refund));
      await noted?.(tx, memo.entityId);
      if (refund.invoiceId === undefined) return memo;
      const { baseGrandTotal } = memo;
      await countTowardsInvoice(tx, { orderId: order.entityId, invoiceId: refund.invoiceId, baseGrandTotal });
      return memo;
    }),
  );

/** The caller's figures for booking: by hand now, or after a gateway gave the money back. */
const fixedFigures = (order: LockedOrder, memo: PostedMemo): FixedFigures => ({
  figures: postedFigures(refundableOrder(order), memo),
  from: 'caller',
});

function bookingWithTotals(order: LockedOrder, refund: RefundWithTotals): CreditMemoBooking {
  const { memo, incrementId, invoiceId, comment, hooks = [], readReturned, returnToStockItemIds } = refund;
  return {
    order,
    request: fixedFigures(order, memo),
    isOnline: false,
    movesStock: true,
    returnToStockItemIds,
    hooks,
    readReturned,
    incrementId,
    ...(invoiceId === undefined ? {} : { invoiceId }),
    ...(comment === undefined ? {} : { comment }),
  };
}

/** Which figures a refund of an invoice has. Plain data, so that it can be carried out elsewhere and later. */
export type RequestedFigures =
  | ({ from: 'collectors' } & Pick<
      OrderRefund,
      'items' | 'shippingAmount' | 'adjustmentPositive' | 'adjustmentNegative'
    >)
  | { from: 'caller'; memo: PostedMemo };

export interface RequestedMemo {
  invoiceId: number;
  figures: RequestedFigures;
  /** Goods that may be sold again. All others are written off. */
  returnToStockItemIds: readonly number[];
}

/**
 * The figures that a refund of an invoice books, by what is left of the order. With an order that is not locked it only
 * judges: they count once they are worked out under the lock.
 *
 * Refused with: 404 an invoice that is unknown or of another order · 400 as `figuresOfInvoiceRefund` and `figuresGiven`
 * say, and goods of another order.
 */
export async function figuresRequested(
  em: EntityManager,
  order: LockedOrder,
  { invoiceId, figures, returnToStockItemIds }: RequestedMemo,
): Promise<FixedFigures> {
  const invoice = await invoiceOf(em, invoiceId);
  if (invoice?.orderId !== order.entityId) throw noSuchDocument();
  refuseForeignGoods(order.lines, returnToStockItemIds);
  return figures.from === 'caller'
    ? fixedFigures(order, figures.memo)
    : figuresOfInvoiceRefund(em, { order, invoice, refund: { ...figures, returnToStockItemIds } });
}
