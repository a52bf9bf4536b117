import type { EntityManager } from '@mikro-orm/postgresql';
import { add, subtract, type Amount } from '../../../domain/money/amount.ts';
import { none } from '../../../domain/money/quantity.ts';
import { afterPendingMemos } from '../../../domain/platform/credit-memos/credit-memo-after.ts';
import type { RefundableOrder } from '../../../domain/platform/credit-memos/credit-memo-figures.ts';
import {
  itemsOfInvoiceRefund,
  refuseGoodsOfOtherInvoices,
  type InvoicedLine,
} from '../../../domain/platform/invoice-refund.ts';
import { toRefund } from '../../../domain/platform/line-quantities.ts';
import { integer, quantity, surely } from '../../support/kinds.ts';
import { statement } from '../../support/statement.ts';
import { invoiceStates } from '../invoices/invoice.entity.ts';
import { linesOfInvoice, type InvoiceRow } from '../invoices/invoice.repository.ts';
import { withInvoice } from '../invoices/lock-invoice.ts';
import { bookCreditMemo, type FixedFigures } from './book-credit-memo.ts';
import { quoteCreditMemo } from './quote-credit-memo.ts';
import type { LockedOrder } from '../orders/lock-order.ts';
import { refundableOrder } from './refundable-order.ts';
import { bookingByHand, type OrderRefund } from './refund-order.ts';

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
export async function figuresOfInvoiceRefund(
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

const readRefunded = statement({
  takes: { orderId: integer, invoiceId: integer },
  gives: { orderItemId: integer, qty: surely(quantity) },
  text: `
    select l.order_item_id, sum(l.qty) as qty
    from sales_creditmemo_item l join sales_creditmemo m on m.entity_id = l.parent_id
    where m.order_id = $orderId and m.invoice_id = $invoiceId and m.figures_from <> 'save' group by l.order_item_id`,
});

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
