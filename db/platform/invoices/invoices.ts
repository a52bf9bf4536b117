import type { EntityManager } from '@mikro-orm/postgresql';
import { fieldRequired, invalidValue } from '../../../domain/errors.ts';
import {
  coinsOf,
  inBoth,
  moneyOf,
  none,
  plus,
  together,
  twin,
  twins,
  zero,
  type Currency,
  type InBoth,
} from '../../../domain/money.ts';
import { refuseDocument, type ChosenLine, type RequestedLine } from '../../../domain/platform/document-lines.ts';
import {
  invoiceTotals,
  type InvoiceableHeader,
  type InvoiceableLine,
  type InvoiceTotals,
} from '../../../domain/platform/invoice-totals.ts';
import { invoiceErrors, invoiceLines } from '../../../domain/platform/order-state.ts';
import { refuseMoneyIn, stockSkuOf } from '../../../domain/platform/placement.ts';
import { captureNotAvailable, invoiceExists } from '../../../domain/refusals/documents.ts';
import { basePrefixed } from '../../support/columns.ts';
import type { NewRowOf } from '../../support/entity-columns.ts';
import { fieldsOfTable, type SearchField } from '../../support/fields.ts';
import { keep, saveRows } from '../../support/save-rows.ts';
import { shopNow } from '../../support/shop-clock.ts';
import { insertRows, into, type Written } from '../../support/write-rows.ts';
import { reserve } from '../inventory/move-stock.ts';
import {
  applyOrderState,
  documentComments,
  drawsNumbers,
  shippingDiscountTaxCompensation,
  taxOnWeee,
  weeeOfRow,
  withOwnNumber,
} from '../orders/add-order-comment.ts';
import { documentColumns, documentItemMoney, documentMoney, documentRowColumns } from '../orders/document-money.ts';
import { rowsOfOrder, withOrder, type LockedOrder, type OrderLine, type OrderRow } from '../orders/lock-order.ts';
import { MoneyIn } from '../orders/order.entity.ts';
import { createDocumentReader } from '../orders/read-documents.ts';
import { columnOf, orderFields } from '../orders/read-order-items.ts';
import { Invoice, InvoiceItem, invoiceStates } from './invoice.entity.ts';
import {
  linesOfInvoice,
  registerInvoice,
  takeInvoiceBack,
  withInvoice,
  type InvoiceRow,
} from './invoice.repository.ts';
import { markInvoicePaid, payOpened } from './mark-invoice-paid.ts';
import type { DocumentRemark } from '../orders/document-remark.ts';

const headerFigures = {
  ...twins('subtotal', 'subtotalInvoiced', 'subtotalInclTax', 'grandTotal', 'totalInvoiced', 'discountInvoiced'),
  ...twins('shippingAmount', 'shippingInclTax', 'shippingInvoiced', 'shippingTaxAmount', 'shippingDiscountAmount'),
  ...twins('taxAmount', 'taxInvoiced', 'discountTaxCompensationAmount', 'discountTaxCompensationInvoiced'),
  shippingDiscountTaxCompensationAmount: shippingDiscountTaxCompensation,
};

const lineFigures = {
  ...twins('rowTotal', 'rowInvoiced', 'rowTotalInclTax', 'taxAmount', 'taxInvoiced', 'discountAmount'),
  ...twins('discountInvoiced', 'discountTaxCompensationAmount', 'discountTaxCompensationInvoiced'),
  weeeAmount: weeeOfRow,
  weeeInvoiced: twin('weeeTaxAmountInvoiced'),
};

/** An order and its lines as an invoice sees them, in one currency. */
function invoiceFigures(
  order: OrderRow,
  chosen: readonly ChosenLine<OrderLine>[],
  currency: Currency,
): { header: InvoiceableHeader; lines: InvoiceableLine[] } {
  return {
    header: moneyOf(order, headerFigures, currency),
    lines: chosen.map(({ line, qty }) => ({
      quantities: line,
      qty,
      money: { ...moneyOf(line, lineFigures, currency), taxOnWeeeRow: taxOnWeee(line.weeeTaxApplied, currency) },
    })),
  };
}

/**
 * Writes an open invoice of a locked order and adds it to the order's invoiced totals (platform facts 6).
 *
 * It has the named goods, or everything that is left to invoice. A repeat writes a second invoice while something is
 * left. Refused with: 400 nothing to invoice, too many of a line, an order that may not be invoiced or is over.
 */
export async function openInvoice(
  em: EntityManager,
  order: LockedOrder,
  requested: RequestedInvoice = {},
): Promise<InvoiceRow> {
  const draft = await draftInvoice(em, order, requested);
  await insertRows(em, invoiceRows(draft));
  return keep(draft.invoice);
}

interface RequestedInvoice {
  /** Everything left to invoice when empty. */
  items?: readonly RequestedLine[] | undefined;
  /** The caller's own number; absent: the next one. */
  incrementId?: string | undefined;
}

/** An invoice that is not written yet; the totals of its order include it already. */
export interface InvoiceDraft {
  invoice: InvoiceRow;
  items: readonly NewRowOf<typeof InvoiceItem>[];
}

/** An invoice with its lines, and what was paid with it, for the statement that writes them. */
const invoiceRows = ({ invoice, items }: InvoiceDraft, paid: readonly NewRowOf<typeof MoneyIn>[] = []): Written[] => [
  into(Invoice, [invoice]),
  into(InvoiceItem, items),
  into(MoneyIn, paid),
];

/** As `openInvoice`, but the caller writes its `invoiceRows`. */
async function draftInvoice(
  em: EntityManager,
  order: LockedOrder,
  { items = [], incrementId }: RequestedInvoice,
): Promise<InvoiceDraft> {
  const lines = order.lines.filter((line) => line.parentItemId == null);
  const chosen = invoiceLines(lines, items);
  refuseDocument('Invoice', invoiceErrors({ state: order.state, status: order.status, lines }, chosen));
  refuseMoneyIn(order);
  const totals = totalsOf(order, chosen);
  const drawn = await draw(em, order.storeId, incrementId);
  const now = shopNow();
  const invoice: InvoiceRow = {
    ...drawn,
    orderId: order.entityId,
    storeId: order.storeId,
    state: invoiceStates.open,
    totalQty: plus(...chosen.map(({ qty }) => qty)),
    transactionId: order.payment.lastTransId ?? null,
    ...documentColumns(totals),
    baseTotalRefunded: zero,
    isUsedForRefund: false,
    emailSent: null,
    createdAt: now,
    updatedAt: now,
  };
  const rows = itemRows(invoice.entityId, chosen, totals);
  registerInvoice(order, invoice, rows, 'in');
  return { invoice, items: rows };
}

/** Its id and its number are drawn first, so that invoice and lines are written together. */
const draw = drawsNumbers('invoice');

function totalsOf(order: LockedOrder, chosen: readonly ChosenLine<OrderLine>[]): InBoth<InvoiceTotals> {
  const coins = coinsOf(order);
  return inBoth((currency) => {
    const { header, lines } = invoiceFigures(order, chosen, currency);
    return invoiceTotals(header, lines, coins[currency]);
  });
}

/** Lines with nothing to invoice now are left out. */
function itemRows(invoice: number, chosen: readonly ChosenLine<OrderLine>[], totals: InBoth<InvoiceTotals>) {
  return chosen.flatMap(({ line, qty }, at) => {
    const own = totals.order.lines[at];
    const base = totals.base.lines[at];
    if (qty <= none || !own || !base) return [];
    const { itemId: orderItemId, productId, sku, name } = line;
    const money = documentRowColumns(line, { order: own, base });
    return [{ invoice, orderItemId, productId, sku, name, qty, ...money }];
  });
}

/** Virtual goods are never shipped, so their reservation ends when their invoice is paid (platform facts 10). */
export async function releaseVirtual(em: EntityManager, order: LockedOrder, invoice: InvoiceRow): Promise<void> {
  const virtual = new Map(
    order.lines.flatMap((line) => (line.isVirtual ? [[line.itemId, stockSkuOf(line)] as const] : [])),
  );
  if (virtual.size === 0) return;
  const items = await linesOfInvoice(em, invoice.entityId);
  const lines = items.flatMap(({ orderItemId, qty }) => {
    const sku = virtual.get(orderItemId);
    return sku === undefined ? [] : [{ sku, qty }];
  });
  await reserve(em, { orderId: order.entityId, storeId: order.storeId, eventType: 'invoice_created', lines });
}

export interface InvoiceRequest extends RequestedInvoice {
  orderId: number;
  comment?: DocumentRemark;
}

/**
 * Invoices goods of an order. The invoice is always paid, and the order's total paid follows (platform facts 6).
 *
 * Under the order lock. Of several calls for the same goods one succeeds.
 *
 * Refused with: 404 unknown order · 400 `Invoice Document Validation Error(s):` · 400 too many of a line.
 *
 * @returns the invoice's id
 */
export const createInvoice = (em: EntityManager, request: InvoiceRequest): Promise<number> =>
  withOrder(em, request.orderId, async (tx, order) => {
    const draft = await draftInvoice(tx, order, request);
    const { invoice } = draft;
    const paid = markInvoicePaid(order, invoice);
    await applyOrderState(tx, order, 'invoice');
    const remarks = request.comment
      ? [{ document: 'invoice' as const, parentId: invoice.entityId, ...request.comment }]
      : [];
    await saveRows(tx, rowsOfOrder(order), [...invoiceRows(draft, paid), documentComments(remarks)]);
    await releaseVirtual(tx, order, invoice);
    return invoice.entityId;
  });

/** The columns of an invoice and of its lines, as they are answered and searched (platform facts 6). */

export const invoiceMoneyColumns = [...documentMoney, ...basePrefixed(...documentMoney)].map(columnOf);
export const invoiceItemMoneyColumns = [...documentItemMoney, ...basePrefixed(...documentItemMoney)].map(columnOf);

/** The fields of the order that its documents show. */
const ofTheOrder: ReadonlySet<string> = new Set([
  'base_currency_code',
  'global_currency_code',
  'order_currency_code',
  'store_currency_code',
  'base_to_global_rate',
  'base_to_order_rate',
  'store_to_base_rate',
  'store_to_order_rate',
  'billing_address_id',
  'shipping_address_id',
]);

/** A search reads these from the order itself. */
export const documentOrderFields = Object.fromEntries(
  Object.entries(orderFields).filter(([column]) => ofTheOrder.has(column)),
);

const fieldsOf = fieldsOfTable('i', Invoice);

const invoiceFields: Readonly<Record<string, SearchField>> = Object.fromEntries([
  ...fieldsOf('integer', ['entity_id', 'order_id', 'store_id', 'state']),
  ...fieldsOf('code', ['increment_id']),
  ...fieldsOf('text', ['transaction_id']),
  ...fieldsOf('timestamp', ['created_at', 'updated_at']),
  ...fieldsOf('decimal', [...invoiceMoneyColumns, 'base_total_refunded', 'total_qty']),
  ...fieldsOf('boolean', ['is_used_for_refund']),
  // As answers show it: the platform can void nothing, because no money waits at a gateway.
  ['can_void_flag', { column: '0::integer', type: 'integer' } as const],
  ...Object.entries(documentOrderFields),
]);

/** Reads invoices. See `DocumentReader`. */
export const { read: readInvoice, search: searchInvoices } = createDocumentReader({
  entity: Invoice,
  item: InvoiceItem,
  alias: 'i',
  document: 'invoice',
  fields: invoiceFields,
});

/**
 * Pays an open invoice, as the register's settlement of a layaway does (platform facts 6, 12.4).
 *
 * Under the order lock; of several calls one succeeds and the others are refused.
 *
 * Refused with: 404 unknown invoice · 400 an invoice that is paid or cancelled, an order that is over, a layaway that
 * still owes something.
 *
 * @returns the order's id
 */
export const payInvoice = (em: EntityManager, invoiceId: number): Promise<number> =>
  withInvoice(em, invoiceId, async (tx, { order, invoice }) => {
    if (invoice.state !== invoiceStates.open) throw captureNotAvailable();
    await payOpened(tx, order, invoice);
    await applyOrderState(tx, order, 'save');
    await releaseVirtual(tx, order, invoice);
    return order.entityId;
  });

export interface PostedInvoice {
  entityId?: number | undefined;
  orderId?: number | undefined;
  state?: number | undefined;
  items?: readonly RequestedLine[] | undefined;
  /** Of a new invoice; absent: the next one. An invoice keeps the number it has. */
  incrementId?: string | undefined;
}

/**
 * Saves an invoice as `POST /V1/invoices` does (platform facts 6, 12.4).
 *
 * With an id: state 2 pays it and state 3 cancels it. An invoice in that state already is left as it is. Without an id:
 * writes a new invoice of an order, open unless the request asks for state 2. Its amounts are always calculated, never
 * taken from the request. Our choice: the platform stores what is sent, and then its books contradict each other.
 *
 * Refused with: 404 unknown invoice or order · 400 a state the invoice cannot reach, an order that cannot be invoiced,
 * a number that is taken; an invoice that is there and is sent as one of other goods, or as open again.
 *
 * @returns the invoice's id
 */
export async function saveInvoice(em: EntityManager, posted: PostedInvoice): Promise<number> {
  const { entityId, orderId, state = invoiceStates.open, items = [], incrementId } = posted;
  if (entityId !== undefined) {
    await changeState(em, entityId, posted);
    return entityId;
  }
  if (orderId === undefined) throw fieldRequired('orderId');
  const requested = { items, incrementId };
  if (state === invoiceStates.paid)
    return withOwnNumber(incrementId, () => createInvoice(em, { orderId, ...requested }));
  if (state !== invoiceStates.open) throw noSuchState(state);
  return withOwnNumber(incrementId, () =>
    withOrder(em, orderId, async (tx, order) => {
      const invoice = await openInvoice(tx, order, requested);
      await applyOrderState(tx, order, 'save');
      return invoice.entityId;
    }),
  );
}

const changeState = (em: EntityManager, invoiceId: number, posted: PostedInvoice): Promise<void> =>
  withInvoice(em, invoiceId, async (tx, { order, invoice }) => {
    const { state } = posted;
    await refuseOtherInvoice(tx, invoice, posted);
    if (state === undefined || state === invoice.state) return;
    if (invoice.state === invoiceStates.canceled && Object.values<number>(invoiceStates).includes(state))
      throw invoiceExists();
    if (invoice.state !== invoiceStates.open) throw noSuchState(state);
    if (state === invoiceStates.paid) await payOpened(tx, order, invoice);
    else if (state === invoiceStates.canceled) await takeInvoiceBack(tx, order, invoice);
    else throw noSuchState(state);
    await applyOrderState(tx, order, 'save');
    if (state === invoiceStates.paid) await releaseVirtual(tx, order, invoice);
  });

/** What an invoice demands is counted once, when it is made: its order and its goods stay. */
async function refuseOtherInvoice(em: EntityManager, invoice: InvoiceRow, { orderId, items }: PostedInvoice) {
  if (orderId !== undefined && orderId !== invoice.orderId) throw invoiceExists();
  if (!items?.length) return;
  const own = await linesOfInvoice(em, invoice.entityId);
  const ids = new Set([...own, ...items].map(({ orderItemId }) => orderItemId));
  for (const id of ids) if (piecesOf(own, id) !== piecesOf(items, id)) throw invoiceExists();
}

const piecesOf = (lines: readonly RequestedLine[], id: number) =>
  together(lines.flatMap(({ orderItemId, qty }) => (orderItemId === id ? [qty] : [])));

const noSuchState = (value: number) => invalidValue('state', value);
