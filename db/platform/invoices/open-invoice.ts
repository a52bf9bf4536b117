import type { EntityManager } from '@mikro-orm/postgresql';
import { zero } from '../../../domain/money/amount.ts';
import { coinsOf } from '../../../domain/money/coins.ts';
import { inBoth, type InBoth } from '../../../domain/money/in-both.ts';
import { none, plus } from '../../../domain/money/quantity.ts';
import { refuseDocument, type ChosenLine, type WantedLine } from '../../../domain/platform/document-lines.ts';
import { invoiceLines, invoiceErrors } from '../../../domain/platform/invoice-quantities.ts';
import { invoiceTotals, type InvoiceTotals } from '../../../domain/platform/invoice-totals.ts';
import { refuseMoneyIn } from '../../../domain/platform/refuse-money-in.ts';
import type { NewRowOf } from '../../support/entity-columns.ts';
import { keep } from '../../support/kept-rows.ts';
import { insertRows, into, type Written } from '../../support/write-rows.ts';
import { drawsNumbers } from '../orders/draw-document-numbers.ts';
import { type LockedOrder, type OrderLine } from '../orders/lock-order.ts';
import { documentColumns, documentRowColumns } from '../orders/document-money.ts';
import { MoneyIn } from '../orders/money-in.entity.ts';
import { invoiceFigures } from './invoice-figures.ts';
import { Invoice, InvoiceItem, invoiceStates } from './invoice.entity.ts';
import type { InvoiceRow } from './invoice.repository.ts';
import { registerInvoice } from './register-invoice.ts';
import { shopNow } from '../../support/shop-clock.ts';

/**
 * Writes an open invoice of a locked order and adds it to the order's invoiced totals (platform facts 6).
 *
 * It has the named goods, or everything that is left to invoice. A repeat writes a second invoice while something is
 * left. Refused with: 400 nothing to invoice, too many of a line, an order that may not be invoiced or is over.
 */
export async function openInvoice(
  em: EntityManager,
  order: LockedOrder,
  wanted: WantedInvoice = {},
): Promise<InvoiceRow> {
  const draft = await draftInvoice(em, order, wanted);
  await insertRows(em, invoiceRows(draft));
  return keep(draft.invoice);
}

export interface WantedInvoice {
  /** Everything left to invoice when empty. */
  items?: readonly WantedLine[] | undefined;
  /** The caller's own number; absent: the next one. */
  incrementId?: string | undefined;
}

/** An invoice that is not written yet; the totals of its order include it already. */
export interface InvoiceDraft {
  invoice: InvoiceRow;
  items: readonly NewRowOf<typeof InvoiceItem>[];
}

/** An invoice with its lines, and what was paid with it, for the statement that writes them. */
export const invoiceRows = (
  { invoice, items }: InvoiceDraft,
  paid: readonly NewRowOf<typeof MoneyIn>[] = [],
): Written[] => [into(Invoice, [invoice]), into(InvoiceItem, items), into(MoneyIn, paid)];

/** As `openInvoice`, but the caller writes its `invoiceRows`. */
export async function draftInvoice(
  em: EntityManager,
  order: LockedOrder,
  { items = [], incrementId }: WantedInvoice,
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
