import { add, negate, scale, zero } from '../../../domain/money/amount.ts';
import { unitsPerWhole } from '../../../domain/money/fixed-point.ts';
import { inBoth } from '../../../domain/money/in-both.ts';
import { minus, plus } from '../../../domain/money/quantity.ts';
import { countMoney, moneyOf } from '../../../domain/money/twins.ts';
import { documentFigures, rowFigures } from '../orders/document-money.ts';
import type { LockedOrder } from '../orders/lock-order.ts';
import { invoiced } from '../orders/registers.ts';
import type { InvoiceLine, InvoiceRow } from './invoice.repository.ts';

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
