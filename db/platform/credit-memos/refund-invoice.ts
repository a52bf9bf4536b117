import type { EntityManager } from '@mikro-orm/postgresql';
import { add } from '../../../domain/money/amount.ts';
import { none, parseQuantity, type Quantity } from '../../../domain/money/quantity.ts';
import { itemsOfInvoiceRefund, type InvoicedLine } from '../../../domain/platform/invoice-refund.ts';
import { toRefund } from '../../../domain/platform/line-quantities.ts';
import { query } from '../../support/query.ts';
import { transact } from '../../support/transact.ts';
import { invoiceStates, type Invoice } from '../invoices/invoice.entity.ts';
import { lockInvoice } from '../invoices/lock-invoice.ts';
import { linesOf, paymentOf, type LockedOrder } from '../orders/lock-order.ts';
import { bookCreditMemo } from './book-credit-memo.ts';
import { bookingByHand, type OrderRefund } from './refund-order.ts';

export type InvoiceRefund = Omit<OrderRefund, 'orderId'> & { invoiceId: number };

/**
 * Refunds one invoice by hand: the memo, its invoice's register, and the goods with it (platform facts 7). Under the order
 * lock.
 *
 * What is refunded is not left, so of several at once one wins. Refused with: 404 unknown invoice · 400 as
 * `itemsOfInvoiceRefund` and `computeCreditMemo` say.
 *
 * @returns the credit memo's id
 */
export const refundInvoice = (em: EntityManager, { invoiceId, ...refund }: InvoiceRefund): Promise<number> =>
  transact(em, async (tx) => {
    const { order, invoice } = await lockInvoice(tx, invoiceId);
    const facts = {
      isPaid: invoice.state === invoiceStates.paid,
      paymentMethod: paymentOf(order).method,
      baseGrandTotal: invoice.baseGrandTotal,
      baseTotalRefunded: invoice.baseTotalRefunded,
      lines: await linesOfInvoice(tx, order, invoice),
    };
    const items = itemsOfInvoiceRefund(facts, refund.items);
    const memo = await bookCreditMemo(tx, { ...bookingByHand(order, { ...refund, items }), invoiceId });
    invoice.isUsedForRefund = true;
    invoice.baseTotalRefunded = add(invoice.baseTotalRefunded, memo.baseGrandTotal);
    return memo.entityId;
  });

const refundedText = `
select l.order_item_id, sum(l.qty) as qty from sales_creditmemo_item l join sales_creditmemo m on m.entity_id = l.parent_id
where m.order_id = $1 and m.invoice_id = $2 group by l.order_item_id`;

async function linesOfInvoice(em: EntityManager, order: LockedOrder, invoice: Invoice): Promise<InvoicedLine[]> {
  const rows = await query<{ order_item_id: number; qty: string }>(em, refundedText, [
    order.entityId,
    invoice.entityId,
  ]);
  const refunded = new Map(rows.map((row): [number, Quantity] => [row.order_item_id, parseQuantity(row.qty) ?? none]));
  await em.populate(invoice, ['items'], { refresh: true });
  return invoice.items.getItems().map((item) => {
    const line = linesOf(order).find(({ itemId }) => itemId === item.orderItemId);
    return {
      orderItemId: item.orderItemId,
      name: item.name ?? item.sku,
      qty: item.qty,
      refundedByInvoice: refunded.get(item.orderItemId) ?? none,
      leftOnOrder: line ? toRefund(line) : none,
    };
  });
}
