import { formatQuantity, none, parseQuantity } from '../../domain/money/quantity.ts';
import type { OrderedLine } from '../../domain/platform/document-lines.ts';
import { invoiceLines, invoiceErrors } from '../../domain/platform/invoice-quantities.ts';
import { shipmentLines, shipmentErrors } from '../../domain/platform/shipment-quantities.ts';
import { isDecided } from '../../domain/refunds/refund-attempt-state.ts';
import { isTerminal } from '../../domain/returns/return-status.ts';
import { amountText, qtyText } from './amount-text.ts';
import { openInvoices, waysOnForLayaway } from './layaway-events.ts';
import type { LineRow, SaleRows } from './sale-rows.ts';
import { waysOnForAttempt, waysOnForReturn } from './ways-on.ts';

/**
 * What can be done about an order: collect a payment, hand goods over or give money back. Lists only what would not
 * be refused.
 */
export function waysOnForOrder(rows: SaleRows): string[] {
  const open = rows.returns.filter(({ status }) => !isTerminal(status));
  const ways = [
    ...(rows.order.state === 'canceled' ? [] : [...waysOnForLayaway(rows), ...obstaclesOf(rows), ...waysToPay(rows)]),
    ...waysToHandOver(rows),
    ...open.flatMap((rma) => waysOnForReturn(rma, rows).map((way) => `Return ${rma.incrementId}: ${way}`)),
    ...waysOnWithoutReturn(rows, new Set(open.map(({ returnId }) => returnId))),
  ];
  return ways.length > 0 ? ways : ['Nothing needs to be done.'];
}

function obstaclesOf({ order }: SaleRows): string[] {
  if (order.state === 'holded')
    return [`It is on hold; nothing is handed over until it is released: POST /V1/orders/${order.orderId}/unhold.`];
  return order.state === 'payment_review'
    ? ['Its payment is under review; nothing of it is handed over until that has ended.']
    : [];
}

/** An open invoice is paid; a new invoice takes what has none yet. Layaways and credit due have their own routes. */
function waysToPay(rows: SaleRows): string[] {
  const { order, layaway, creditDue } = rows;
  if (layaway !== null || Number(creditDue ?? 0) > 0) return [];
  const due = amountText(order.totalDue, order.currency);
  const open = openInvoices(rows);
  if (open.length > 0)
    return open.map(
      ({ invoiceId, incrementId }) =>
        `Pay the open invoice ${incrementId} (${due} of the order is still to be paid): POST /V1/invoices/${invoiceId}/capture.`,
    );
  const lines = rows.lines.map(lineOf);
  return Number(order.totalDue) > 0 && invoiceErrors({ ...order, lines }, invoiceLines(lines, [])).length === 0
    ? [`Take the ${due} still to be paid: POST /V1/order/${order.orderId}/invoice.`]
    : [];
}

function waysToHandOver({ order, lines: rows }: SaleRows): string[] {
  const lines = rows.map(lineOf);
  const left = shipmentLines(lines, []);
  if (shipmentErrors({ ...order, lines }, left, []).length > 0) return [];
  const goods = left.map(({ line, qty }) => `${qtyText(formatQuantity(qty))} × ${line.sku}`);
  return [`Hand over ${goods.join(', ')}: POST /V1/order/${order.orderId}/ship.`];
}

/** Uncertain refunds whose return has ended, or that never had a return. */
const waysOnWithoutReturn = ({ attempts, processes }: SaleRows, explained: ReadonlySet<number>): string[] =>
  attempts
    .filter(({ state, returnId }) => !isDecided(state) && (returnId === null || !explained.has(returnId)))
    .flatMap((attempt) =>
      waysOnForAttempt(attempt, processes).map((way) => `Refund attempt ${attempt.attemptId}: ${way}`),
    );

/** A line in the form that the rules of invoices and shipments take. */
const lineOf = (row: LineRow): OrderedLine => ({
  itemId: row.orderItemId,
  sku: row.sku,
  name: row.name,
  isQtyDecimal: row.isQtyDecimal,
  isVirtual: row.isVirtual,
  qtyOrdered: qtyOf(row.qtyOrdered),
  qtyInvoiced: qtyOf(row.qtyInvoiced),
  qtyShipped: qtyOf(row.qtyShipped),
  qtyRefunded: qtyOf(row.qtyRefunded),
  qtyCanceled: qtyOf(row.qtyCanceled),
});

const qtyOf = (stored: string) => parseQuantity(stored) ?? none;
