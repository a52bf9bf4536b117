import type { EntityManager } from '@mikro-orm/postgresql';
import { coinsOf } from '../../../domain/money/coins.ts';
import { none, plus } from '../../../domain/money/quantity.ts';
import { refuseDocument, type ChosenLine, type WantedLine } from '../../../domain/platform/document-lines.ts';
import { invoiceLines, whatForbidsInvoice } from '../../../domain/platform/invoice-quantities.ts';
import { invoiceTotals } from '../../../domain/platform/invoice-totals.ts';
import { refuseMoneyIn } from '../../../domain/platform/refuse-money-in.ts';
import { type LockedOrder, type OrderLine } from '../orders/lock-order.ts';
import { nextIncrementId } from '../orders/next-increment-id.ts';
import { inBaseCurrency, inOrderCurrency } from './invoice-figures.ts';
import { invoiceItemMoney, invoiceMoney, type BothTotals } from './invoice-rows.ts';
import { Invoice, InvoiceItem, invoiceStates } from './invoice.entity.ts';
import { registerInvoice } from './register-invoice.ts';

/**
 * Writes an invoice of a locked order, in the open state, and into the order's registers (platform facts 6).
 *
 * Of the goods named, or of everything left. Nothing makes a repeat safe but the registers: what is invoiced is not
 * left to invoice. Refused with: 400 nothing to invoice, too many of a line, an order that may not be invoiced or is over.
 */
export async function openInvoice(
  em: EntityManager,
  order: LockedOrder,
  wanted: readonly WantedLine[] = [],
): Promise<Invoice> {
  const lines = order.lines.filter((line) => line.parentItemId == null);
  const chosen = invoiceLines(lines, wanted);
  refuseDocument('Invoice', whatForbidsInvoice({ state: order.state, status: order.status, lines }, chosen));
  refuseMoneyIn(order);
  const totals = totalsOf(order, chosen);
  const invoice = em.create(Invoice, {
    orderId: order.entityId,
    incrementId: await nextIncrementId(em, 'invoice', order.storeId),
    storeId: order.storeId,
    state: invoiceStates.open,
    totalQty: plus(...chosen.map(({ qty }) => qty)),
    transactionId: order.payment.lastTransId ?? null,
    ...invoiceMoney(totals),
  });
  registerInvoice(order, invoice, createItems(em, { invoice, chosen, totals }), 'in');
  return invoice;
}

function totalsOf(order: LockedOrder, chosen: readonly ChosenLine<OrderLine>[]): BothTotals {
  const own = inOrderCurrency(order, chosen);
  const base = inBaseCurrency(order, chosen);
  const coins = coinsOf(order);
  return {
    own: invoiceTotals(own.header, own.lines, coins.order),
    base: invoiceTotals(base.header, base.lines, coins.base),
  };
}

interface ItemsOf {
  invoice: Invoice;
  chosen: readonly ChosenLine<OrderLine>[];
  totals: BothTotals;
}

/** Lines that wait are left out. */
function createItems(em: EntityManager, { invoice, chosen, totals }: ItemsOf): InvoiceItem[] {
  return chosen.flatMap(({ line, qty }, at) => {
    const own = totals.own.lines[at];
    const base = totals.base.lines[at];
    if (qty <= none || !own || !base) return [];
    const { itemId: orderItemId, productId, sku, name } = line;
    const money = invoiceItemMoney(line, own, base);
    return [em.create(InvoiceItem, { invoice, orderItemId, productId, sku, name, qty, ...money })];
  });
}
