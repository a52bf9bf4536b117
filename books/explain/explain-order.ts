import type { EntityManager } from '@mikro-orm/postgresql';
import { json, orNull, definite, type Kind } from '../../db/support/entity-columns.ts';
import { sql } from '../../db/support/sql.ts';
import { notFound } from '../../domain/errors.ts';
import { formatQuantity, none, parseQuantity } from '../../domain/money.ts';
import type { OrderedLine } from '../../domain/platform/document-lines.ts';
import { invoiceErrors, invoiceLines, shipmentErrors, shipmentLines } from '../../domain/platform/order-state.ts';
import { isDecided } from '../../domain/refunds/refund-finding.ts';
import { isTerminal } from '../../domain/returns/return-status.ts';
import { english, type StoryWords } from './english-story.ts';
import { at, list, pairs } from './json-sql.ts';
import { inOrder, withWays, type Story, type Way } from './story.ts';
import {
  creditRefundEvents,
  creditRefundRows,
  pointsEvents,
  pointsRows,
  promisedCreditText,
  waysOnForPromise,
} from './credit-events.ts';
import { processEvents, processRows, returnEvents } from './return-events.ts';
import {
  creditDueText,
  layawayEvents,
  layawayFacts,
  layawayRow,
  openInvoices,
  waysOnForLayaway,
} from './layaway-events.ts';
import {
  attemptEvents,
  attemptRows,
  caseRows,
  creditEvents,
  creditFacts,
  creditRows,
  findSubject,
  memoEvents,
  saleEvents,
  shipmentRows,
} from './refund-events.ts';
import {
  waysOnForAttempt,
  waysOnForCases,
  waysOnForReturn,
  type AttemptRow,
  type LineRow,
  type SaleRows,
  type SaleReported,
} from './sale-rows.ts';

/** Everything that is written about one sale, in one query; undefined when there is no such order. */
const gatherSale = (em: EntityManager, orderId: number): Promise<SaleRows | undefined> => gather.first(em, { orderId });

/** Parts that every sale has, be they empty. */
const parsedJson = <const Name extends keyof SaleRows>(...names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, definite(json())])) as { [Each in Name]: Kind<SaleRows[Each]> };

const gather = sql('explain-order.gather', {
  gives: {
    ...parsedJson('order', 'lines', 'invoices', 'payments', 'shipments', 'memos', 'comments', 'receipts', 'returns'),
    ...parsedJson('attempts', 'cases', 'credits', 'creditRefunds', 'points', 'processes', 'audits'),
    layaway: orNull(json<NonNullable<SaleRows['layaway']>>()),
  },
})`
select json_build_object(${pairs({
  orderId: 'o.entity_id',
  incrementId: 'o.increment_id',
  state: 'o.state',
  status: 'o.status',
  isVirtual: 'o.is_virtual',
  currency: 'o.order_currency_code',
  baseCurrency: 'o.base_currency_code',
  at: at('o.created_at'),
  posSaleId: 'o.pos_sale_id',
  paymentMethod: 'p.method',
  paymentReference: 'p.last_trans_id',
  grandTotal: 'o.grand_total::text',
  totalPaid: 'o.total_paid::text',
  totalDue: 'o.total_due::text',
  totalRefunded: 'o.total_refunded::text',
  returnedWithoutMemo: 'o.returned_without_memo::text',
  basePendingRefund: 'o.base_pending_refund::text',
  storeId: 'o.store_id',
})}) as "order",
${list(
  {
    orderItemId: 'item_id',
    sku: 'sku',
    name: 'name',
    options: 'entered_options',
    isVirtual: 'is_virtual',
    isQtyDecimal: 'is_qty_decimal',
    qtyOrdered: 'qty_ordered::text',
    qtyInvoiced: 'qty_invoiced::text',
    qtyShipped: 'qty_shipped::text',
    qtyRefunded: 'qty_refunded::text',
    qtyCanceled: 'qty_canceled::text',
  },
  'from sales_order_item where order_id = o.entity_id and parent_item_id is null',
  'item_id',
)} as lines,
${list(
  {
    invoiceId: 'entity_id',
    incrementId: 'increment_id',
    state: 'state',
    grandTotal: 'grand_total::text',
    at: at('created_at'),
  },
  'from sales_invoice where order_id = o.entity_id',
  'entity_id',
)} as invoices,
${list(
  { kind: 'kind', reference: 'reference', method: 'method', amount: 'amount::text', at: at('created_at') },
  'from sales_money_in where order_id = o.entity_id',
  'money_in_id',
)} as payments,
${shipmentRows} as shipments,
${list(
  {
    creditMemoId: 'm.entity_id',
    incrementId: 'm.increment_id',
    isOnline: 'm.is_online',
    attemptId: 'm.refund_attempt_id',
    returnId: '(select r.return_id from sale_return r where r.credit_memo_id = m.entity_id limit 1)',
    grandTotal: 'm.grand_total::text',
    subtotal: 'm.subtotal::text',
    discount: 'm.discount_amount::text',
    shipping: 'm.shipping_amount::text',
    tax: 'm.tax_amount::text',
    adjustment: 'm.adjustment::text',
    lines: list(
      { sku: 'sku', qty: 'qty::text' },
      'from sales_creditmemo_item where parent_id = m.entity_id',
      'entity_id',
    ),
    at: at('m.created_at'),
  },
  `from sales_creditmemo m where m.order_id = o.entity_id and m.figures_from <> 'save'`,
  'm.entity_id',
)} as memos,
${list(
  { comment: 'comment', status: 'status', at: at('created_at') },
  'from sales_order_status_history where parent_id = o.entity_id and comment is not null',
  'entity_id',
)} as comments,
${list(
  {
    receiptId: 'receipt_id',
    staffName: 'staff_name',
    terminalName: 'terminal_name',
    locationName: 'location_name',
    at: at('created_at'),
  },
  'from pos_receipt where order_increment_id = o.increment_id',
  'receipt_id',
)} as receipts,
${list(
  {
    returnId: 'r.return_id',
    incrementId: 'r.increment_id',
    status: 'r.status',
    isReady: 'r.is_ready',
    isAutoApproved: 'r.is_auto_approved',
    posSaleId: 'r.pos_sale_id',
    refundMethod: 'r.refund_method',
    creditMemoId: 'r.credit_memo_id',
    refundDifference: 'r.refund_difference',
    locationName: '(select l.name from pos_location l where l.location_id = r.location_id)',
    lines: list(
      {
        sku: 'product_sku',
        name: 'product_name',
        qty: 'qty_requested::text',
        reason: 'reason',
        resolution: 'resolution',
      },
      'from sale_return_item where return_id = r.return_id',
      'entity_id',
    ),
    movements: list(
      {
        kind: 'v.kind',
        sku: 'v.sku',
        qty: 'v.quantity::text',
        sourceCode: 'v.source_code',
        inspectedCondition: 'v.inspected_condition',
        at: at('v.created_at'),
      },
      `from sale_return_movement v join sale_return_item i on i.entity_id = v.return_item_id
       where i.return_id = r.return_id`,
      'v.movement_id',
    ),
    comments: list(
      { comment: 'comment', status: 'status', author: 'author', at: at('created_at') },
      'from sale_return_comment where return_id = r.return_id',
      'comment_id',
    ),
    at: at('r.created_at'),
    updatedAt: at('r.updated_at'),
  },
  'from sale_return r where r.order_id = o.entity_id',
  'r.return_id',
)} as returns,
${attemptRows} as attempts,
${caseRows} as cases,
${creditRows} as credits,
${creditRefundRows} as credit_refunds,
${pointsRows} as points,
${layawayRow} as layaway,
${creditDueText} as credit_due,
${promisedCreditText} as promised_credit,
${processRows} as processes,
${list(
  {
    returnId: 'r.return_id',
    fieldName: 'a.field_name',
    oldValue: 'a.old_value',
    newValue: 'a.new_value',
    changeSource: 'a.change_source',
    staffName: 'a.staff_name',
    terminalName: 'a.terminal_name',
    at: at('a.created_at'),
  },
  `from sale_return r join pos_audit_log a on a.entity_type in ('return', 'rma') and a.entity_id = r.return_id::text
   where r.order_id = o.entity_id`,
  'a.log_id',
)} as audits
from sales_order o left join sales_order_payment p on p.order_id = o.entity_id
where o.entity_id = $orderId`;

/**
 * What can be done about an order: collect a payment, hand goods over or give money back. Lists only what would not
 * be refused.
 */
function waysOnForOrder(rows: SaleReported): Way[] {
  const open = rows.returns.filter(({ status }) => !isTerminal(status));
  const ways = [
    ...(rows.order.state === 'canceled' ? [] : [...waysOnForLayaway(rows), ...obstaclesOf(rows), ...waysToPay(rows)]),
    ...waysToHandOver(rows),
    ...open.flatMap((rma) =>
      waysOnForReturn(rma, rows).map((way) => named(rows.w.ways.ofReturn(rma.incrementId), way)),
    ),
    ...waysOnForPromise(rows),
    ...waysOnForCases(rows),
    ...waysOnWithoutReturn(rows, new Set(open.map(({ returnId }) => returnId))),
  ];
  return ways.length > 0 ? ways : [rows.w.ways.nothing];
}

/** Of which of several things. */
const named = (name: string, way: Way): Way => ({ ...way, says: `${name}${way.says}` });

function obstaclesOf({ order, w }: SaleReported): Way[] {
  if (order.state === 'holded') return [w.ways.onHold(order.orderId)];
  return order.state === 'payment_review' ? [w.ways.inReview] : [];
}

/** An open invoice is paid; a new invoice takes what has none yet. Layaways and credit due have their own routes. */
function waysToPay(rows: SaleReported): Way[] {
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

function waysToHandOver({ order, lines: rows, w }: SaleReported): Way[] {
  const lines = rows.map(lineOf);
  const left = shipmentLines(lines, []);
  if (shipmentErrors({ ...order, lines }, left, []).length > 0) return [];
  const goods = left.map(({ line, qty }) => `${w.qty(formatQuantity(qty))} × ${line.sku}`);
  return [w.ways.handOver(order.orderId, goods.join(', '))];
}

/** Uncertain refunds whose return has ended, or that never had a return. */
const waysOnWithoutReturn = (rows: SaleReported, explained: ReadonlySet<number>): Way[] =>
  rows.attempts
    .filter(({ state, returnId }) => !isDecided(state) && (returnId === null || !explained.has(returnId)))
    .flatMap((attempt) =>
      waysOnForAttempt(attempt, rows).map((way) => named(rows.w.ways.ofAttempt(attempt.attemptId), way)),
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

/** Whether the gateway of a payment can answer look-ups. A parameter, because this layer has no gateways. */
export type CanLookUp = (payment: { storeId: number; paymentMethod: string }) => Promise<boolean>;

/** How a story is told. */
export interface Telling {
  /** Absent: every gateway counts as able to answer look-ups. */
  canLookUp?: CanLookUp;
  /** Absent: English. */
  w?: StoryWords;
}

const anyCaller: CanLookUp = async () => true;

/**
 * The whole story of an order: the sale, its returns, its refunds.
 *
 * @param input an id, or the number on the receipt
 *
 * Refused with 404 when there is no such order.
 */
export async function explainOrder(em: EntityManager, input: string, telling?: Telling): Promise<Story> {
  const { orderId } = await findSubject(em, 'order', input);
  return orderStory(await saleOf(em, orderId, telling));
}

/** The rows of a sale that was just found; they are missing only if a person deleted them by hand. */
export async function saleOf(
  em: EntityManager,
  orderId: number,
  { canLookUp = anyCaller, w = english }: Telling = {},
): Promise<SaleReported> {
  const rows = await gatherSale(em, orderId);
  if (!rows) throw notFound('No order is known as %1.', [String(orderId)]);
  const attempts = rows.attempts.map(async (attempt): Promise<AttemptRow> => {
    if (attempt.state !== 'uncertain' || (await canLookUp({ ...rows.order, ...attempt }))) return attempt;
    return { ...attempt, cannotBeAsked: true };
  });
  return { ...rows, w, attempts: await Promise.all(attempts) };
}

/** The story of an order from its rows. */
export const orderStory = (rows: SaleReported): Story =>
  withWays(
    {
      title: rows.w.orderTitle(rows.order.incrementId, rows.order.status),
      facts: saleFacts(rows),
      events: inOrder([
        ...saleEvents(rows),
        ...rows.processes.flatMap((run) => processEvents(run, rows)),
        ...rows.attempts.flatMap((attempt) => attemptEvents(attempt, rows)),
        ...rows.memos.flatMap((memo) => memoEvents(memo, rows)),
        ...layawayEvents(rows),
        ...creditEvents(rows),
        ...creditRefundEvents(rows),
        ...pointsEvents(rows),
        ...rows.returns.flatMap((rma) => returnEvents(rma, rows)),
      ]),
      totals: saleTotals(rows),
    },
    waysOnForOrder(rows),
  );

/** How it was paid, and by which register sale. */
export function saleFacts(rows: SaleReported): string[] {
  const { order, w } = rows;
  return [
    w.paidBy(order.paymentMethod === null ? null : w.method(order.paymentMethod), order.paymentReference),
    ...creditFacts(rows),
    ...layawayFacts(rows),
    ...(order.posSaleId === null ? [] : [w.registerSale(order.posSaleId)]),
  ];
}

export function saleTotals({ order, w }: SaleReported): Story['totals'] {
  const amount = (stored: string) => w.amount(stored, order.currency);
  return [
    { what: w.totals.total, amount: amount(order.grandTotal) },
    { what: w.totals.paid, amount: amount(order.totalPaid) },
    { what: w.totals.due, amount: amount(order.totalDue) },
    { what: w.totals.refunded, amount: amount(order.totalRefunded) },
    ...(Number(order.returnedWithoutMemo) === 0
      ? []
      : [{ what: w.totals.withoutMemo, amount: amount(order.returnedWithoutMemo) }]),
    ...(Number(order.basePendingRefund) === 0
      ? []
      : [{ what: w.totals.promised, amount: w.amount(order.basePendingRefund, order.baseCurrency) }]),
  ];
}
