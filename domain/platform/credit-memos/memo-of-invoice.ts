import { invalid } from '../../errors.ts';
import { atLeastNone, minimum, minus, none, subtract, together, type Amount, type Quantity } from '../../money.ts';
import { refundQuantityNotValid } from '../../refusals/documents.ts';
import { refuseDocument } from '../document-lines.ts';
import type { RequestedItem } from './credit-memo-figures.ts';

/** Payment methods without a gateway: none of them can give money back. */
const offlineMethods: readonly string[] = ['checkmo', 'banktransfer', 'cashondelivery', 'purchaseorder', 'free'];

export const isOfflineMethod = (paymentMethod: string): boolean => offlineMethods.includes(paymentMethod);

export interface InvoiceToRefund {
  isPaid: boolean;
  paymentMethod: string;
  baseGrandTotal: Amount;
  baseTotalRefunded: Amount;
  lines: readonly InvoicedLine[];
}

/** A line of an invoice: what it invoiced, what its memos took, and what is left on the order. */
export interface InvoicedLine {
  orderItemId: number;
  name: string;
  qty: Quantity;
  refundedByInvoice: Quantity;
  leftOnOrder: Quantity;
}

/**
 * Which goods a memo of one invoice takes (platform facts 7.2): what is asked for, or all that is left; never more
 * than the invoice has left.
 *
 * Refused with: 400 an invoice that is not paid, was given back already, or whose payment knows no refund (platform
 * facts 7.4) · 400 too many of a line.
 */
export function itemsOfInvoiceRefund(
  invoice: InvoiceToRefund,
  requested: readonly RequestedItem[],
): readonly RequestedItem[] {
  const isLeft = subtract(invoice.baseGrandTotal, invoice.baseTotalRefunded) > 0;
  if (!invoice.isPaid || !isLeft || isOfflineMethod(invoice.paymentMethod)) throw noMemo();
  const left = (line: InvoicedLine) => atLeastNone(minimum(minus(line.qty, line.refundedByInvoice), line.leftOnOrder));
  if (requested.length === 0) return invoice.lines.map((line) => ({ orderItemId: line.orderItemId, qty: left(line) }));
  for (const { orderItemId } of requested) {
    const line = invoice.lines.find((one) => one.orderItemId === orderItemId);
    const qty = together(requested.filter((one) => one.orderItemId === orderItemId).map((one) => one.qty));
    if (qty > (line ? left(line) : none)) throw refundQuantityNotValid([line?.name ?? orderItemId]);
  }
  return requested;
}

const noMemo = () =>
  invalid(['Creditmemo Document Validation Error(s):', "We can't create creditmemo for the invoice."].join('\n'));

/**
 * A memo of one invoice brings back goods of that invoice alone (platform facts 7.4, 14).
 *
 * Refused with: 400, one line for each line of the order that the invoice does not have.
 */
export function refuseGoodsOfOtherInvoices(
  orderLines: readonly { orderItemId: number; sku: string }[],
  { invoiced, returned }: { invoiced: readonly { orderItemId: number }[]; returned: readonly number[] },
): void {
  const isInvoiced = (id: number) => invoiced.some(({ orderItemId }) => orderItemId === id);
  const others = orderLines.filter(({ orderItemId: id }) => returned.includes(id) && !isInvoiced(id));
  refuseDocument(
    'Creditmemo',
    others.map(({ sku }) => `The "${sku}" product is not part of the current creditmemo.`),
  );
}
