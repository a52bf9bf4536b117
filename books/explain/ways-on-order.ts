import { formatQuantity, none, parseQuantity } from '../../domain/money/quantity.ts';
import type { OrderedLine } from '../../domain/platform/document-lines.ts';
import { invoiceLines, invoiceErrors } from '../../domain/platform/invoice-quantities.ts';
import { shipmentLines, shipmentErrors } from '../../domain/platform/shipment-quantities.ts';
import { isDecided } from '../../domain/refunds/refund-attempt-state.ts';
import { isTerminal } from '../../domain/returns/return-status.ts';
import { openInvoices, waysOnForLayaway } from './layaway-events.ts';
import type { LineRow, SaleTold } from './sale-rows.ts';
import { waysOnForAttempt, waysOnForReturn } from './ways-on.ts';

/**
 * What can be done about an order: collect a payment, hand goods over or give money back. Lists only what would not
 * be refused.
 */
export function waysOnForOrder(rows: SaleTold): string[] {
  const open = rows.returns.filter(({ status }) => !isTerminal(status));
  const ways = [
    ...(rows.order.state === 'canceled' ? [] : [...waysOnForLayaway(rows), ...obstaclesOf(rows), ...waysToPay(rows)]),
    ...waysToHandOver(rows),
    ...open.flatMap((rma) => waysOnForReturn(rma, rows).map((way) => rows.w.ways.ofReturn(rma.incrementId, way))),
    ...waysOnWithoutReturn(rows, new Set(open.map(({ returnId }) => returnId))),
  ];
  return ways.length > 0 ? ways : [rows.w.ways.nothing];
}

function obstaclesOf({ order, w }: SaleTold): string[] {
  if (order.state === 'holded') return [w.ways.onHold(order.orderId)];
  return order.state === 'payment_review' ? [w.ways.inReview] : [];
}

/** An open invoice is paid; a new invoice takes what has none yet. Layaways and credit due have their own routes. */
function waysToPay(rows: SaleTold): string[] {
  const { order, layaway, creditDue, w } = rows;
  if (layaway !== null || Number(creditDue ?? 0) > 0) return [];
  const due = w.amount(order.totalDue, order.currency);
  const open = openInvoices(rows);
  if (open.length > 0) return open.map(({ invoiceId, incrementId }) => w.ways.payInvoice(invoiceId, incrementId, due));
  const lines = rows.lines.map(lineOf);
  return Number(order.totalDue) > 0 && invoiceErrors({ ...order, lines }, invoiceLines(lines, [])).length === 0
    ? [w.ways.invoice(order.orderId, due)]
    : [];
}

function waysToHandOver({ order, lines: rows, w }: SaleTold): string[] {
  const lines = rows.map(lineOf);
  const left = shipmentLines(lines, []);
  if (shipmentErrors({ ...order, lines }, left, []).length > 0) return [];
  const goods = left.map(({ line, qty }) => `${w.qty(formatQuantity(qty))} × ${line.sku}`);
  return [w.ways.handOver(order.orderId, goods.join(', '))];
}

/** Uncertain refunds whose return has ended, or that never had a return. */
const waysOnWithoutReturn = (rows: SaleTold, explained: ReadonlySet<number>): string[] =>
  rows.attempts
    .filter(({ state, returnId }) => !isDecided(state) && (returnId === null || !explained.has(returnId)))
    .flatMap((attempt) => waysOnForAttempt(attempt, rows).map((way) => rows.w.ways.ofAttempt(attempt.attemptId, way)));

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
