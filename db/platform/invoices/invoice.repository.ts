import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid, noSuchDocument } from '../../../domain/errors.ts';
import {
  add,
  countMoney,
  inBoth,
  minus,
  moneyOf,
  negate,
  plus,
  scale,
  unitsPerWhole,
  zero,
} from '../../../domain/money.ts';
import { defaultStatus, isOver } from '../../../domain/platform/order-state.ts';
import { refuseWhileRefundUnderWay } from '../../../domain/platform/save-guard.ts';
import { type RowOf } from '../../support/entity-columns.ts';
import { rowOf } from '../../support/rows.ts';
import { keep, cached, saveRows } from '../../support/save-rows.ts';
import { sql } from '../../support/sql.ts';
import { transact } from '../../support/transact.ts';
import { invoiced } from '../orders/add-order-comment.ts';
import { documentFigures, rowFigures } from '../orders/document-money.ts';
import { lockOrder, rowsOfOrder, type LockedOrder } from '../orders/lock-order.ts';
import { Invoice, InvoiceItem, invoiceStates } from './invoice.entity.ts';

/** Rows of invoices. They have no lock of their own: the lock of their order covers them. */

export type InvoiceRow = RowOf<typeof Invoice>;
type InvoiceLine = RowOf<typeof InvoiceItem>;

/** The invoices of an order, the oldest first. */
export const invoicesOfOrder = async (em: EntityManager, orderId: number): Promise<InvoiceRow[]> =>
  (await readAll.all(em, { orderId })).map((found) => keep(found.invoice));

/** The open invoices of an order. */
export const openInvoicesOfOrder = async (em: EntityManager, orderId: number): Promise<InvoiceRow[]> =>
  (await invoicesOfOrder(em, orderId)).filter(({ state }) => state === invoiceStates.open);

export async function invoiceOf(em: EntityManager, invoiceId: number): Promise<InvoiceRow | undefined> {
  const found = await selectInvoice.first(em, { invoiceId });
  return found && keep(found.invoice);
}

export const linesOfInvoice = async (em: EntityManager, invoiceId: number): Promise<InvoiceLine[]> =>
  (await readLines.all(em, { invoiceId })).map((found) => found.line);

/** Writes the changes of an invoice, before something reads it from the database or the transaction ends. */
export const saveInvoiceRow = (em: EntityManager, invoice: InvoiceRow): Promise<void> =>
  saveRows(em, [storedInvoice(invoice)]);

/** For saving an invoice together with other rows. */
const storedInvoice = (invoice: InvoiceRow) => cached(Invoice, [invoice]);

const [invoice, line] = [rowOf(Invoice, 'i'), rowOf(InvoiceItem, 'l')];

const readAll = sql('invoice.repository.readAll', { gives: { invoice } })`
  select ${invoice.columns} from sales_invoice i where i.order_id = $orderId order by i.entity_id`;

const selectInvoice = sql('invoice.repository.selectInvoice', { gives: { invoice } })`
  select ${invoice.columns} from sales_invoice i where i.entity_id = $invoiceId`;

const readLines = sql('invoice.repository.readLines', { gives: { line } })`
  select ${line.columns} from sales_invoice_item l where l.parent_id = $invoiceId order by l.entity_id`;

export interface LockedInvoice {
  order: LockedOrder;
  invoice: InvoiceRow;
}

/**
 * One transaction under the lock of an invoice's order, with both as they are now. What `work` changes of them is
 * written at its end. Refused with: 404 unknown invoice.
 */
export const withInvoice = <Result>(
  em: EntityManager,
  invoiceId: number,
  work: (tx: EntityManager, locked: LockedInvoice) => Promise<Result>,
): Promise<Result> =>
  transact(em, async (tx) => {
    const locked = await lockInvoice(tx, invoiceId);
    const result = await work(tx, locked);
    await saveRows(tx, [...rowsOfOrder(locked.order), storedInvoice(locked.invoice)]);
    return result;
  });

async function lockInvoice(em: EntityManager, invoiceId: number): Promise<LockedInvoice> {
  const order = await lockOrder(em, await orderOfInvoice(em, invoiceId));
  const invoice = await invoiceOf(em, invoiceId);
  if (!invoice) throw noSuchDocument();
  return { order, invoice };
}

/** The order of an invoice; it never changes. Refused with: 404 unknown invoice. */
export async function orderOfInvoice(em: EntityManager, invoiceId: number): Promise<number> {
  const found = await orderOf.first(em, { invoiceId });
  if (!found) throw noSuchDocument();
  return found.orderId;
}

const orderOf = sql('invoice.repository.orderOf')`select order_id from sales_invoice where entity_id = $invoiceId`;

type RegisteredItem = Omit<InvoiceLine, 'entityId' | 'invoice' | 'name' | 'productId' | 'sku'>;

/**
 * Adds an invoice to the invoiced totals of its order and lines, or subtracts it again (platform facts 6).
 *
 * An open invoice counts the same as a paid one.
 */
export function registerInvoice(
  order: LockedOrder,
  invoice: InvoiceRow,
  items: readonly RegisteredItem[],
  direction: 'in' | 'out',
): void {
  const lines = new Map(order.lines.map((line) => [line.itemId, line]));
  let cost = zero;
  for (const item of items) {
    const line = lines.get(item.orderItemId);
    if (!line) throw new Error(`invoice item of an unknown order item ${item.orderItemId}`);
    line.qtyInvoiced = direction === 'in' ? plus(line.qtyInvoiced, item.qty) : minus(line.qtyInvoiced, item.qty);
    const money = inBoth((currency) => moneyOf(item, rowFigures, currency));
    countMoney(line, invoiced.line, money, direction);
    cost = add(cost, scale(line.baseCost ?? zero, item.qty, unitsPerWhole, 1));
  }
  const totals = inBoth((currency) => moneyOf(invoice, documentFigures, currency));
  countMoney(order, invoiced.order, totals, direction);
  order.baseTotalInvoicedCost = add(order.baseTotalInvoicedCost, direction === 'in' ? cost : negate(cost));
}

/**
 * Cancels an open invoice, in the caller's transaction and under the order lock. Its goods can be invoiced again, and
 * its order goes to processing (platform facts 6). An order that is over or under review keeps its state. A held order
 * goes to processing when its hold ends. This is our choice: the platform reopens even a cancelled order.
 *
 * What was paid stays as it is, on the order and on its payment, because an open invoice was never paid. This is our
 * choice too: the platform subtracts the invoice's total from the payment.
 *
 * Refused with: 400 an invoice that is paid or cancelled, one whose order has a refund under way.
 */
export async function takeInvoiceBack(em: EntityManager, order: LockedOrder, invoice: InvoiceRow): Promise<void> {
  if (invoice.state !== invoiceStates.open) throw invalid('The invoice can no longer be canceled.');
  refuseWhileRefundUnderWay(order);
  registerInvoice(order, invoice, await linesOfInvoice(em, invoice.entityId), 'out');
  invoice.state = invoiceStates.canceled;
  await saveInvoiceRow(em, invoice);
  const { state } = order;
  if (isOver(state) || state === 'payment_review') return;
  if (state === 'holded') {
    order.holdBeforeState = 'processing';
    order.holdBeforeStatus = defaultStatus.processing;
    return;
  }
  order.state = 'processing';
  order.status = defaultStatus.processing;
}
