import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchDocument } from '../../../domain/errors.ts';
import { add, subtract, toWire, zero, type Amount } from '../../../domain/money.ts';
import { freshReads } from '../../support/fresh-reads.ts';
import { sheetRowOf, type SheetRow } from '../../support/sheet-row.ts';
import { OrderItem } from './order-parts.entity.ts';

/** One line of an order. Refused with: 404 unknown line. */
export async function readOrderItem(em: EntityManager, itemId: number): Promise<SheetRow> {
  const line = await freshReads(em).findOne(OrderItem, { itemId });
  if (!line) throw noSuchDocument();
  return rowOf(line);
}

/**
 * A line with its totals net of discount, as answers show them, in `net_…` (platform facts 5.2). Base totals including
 * tax use the fixed tax of one unit, as the platform does.
 */
const rowOf = (line: OrderItem): SheetRow => ({
  ...sheetRowOf(OrderItem, line),
  net_row_total: net([line.rowTotal], line.discountAmount),
  net_base_row_total: net([line.baseRowTotal], line.baseDiscountAmount),
  net_row_total_incl_tax: net(
    [line.rowTotal, line.taxAmount, line.discountTaxCompensationAmount, line.weeeTaxAppliedRowAmount],
    line.discountAmount,
  ),
  net_base_row_total_incl_tax: net(
    [line.baseRowTotal, line.baseTaxAmount, line.baseDiscountTaxCompensationAmount, line.baseWeeeTaxAppliedAmount],
    line.baseDiscountAmount,
  ),
});

/** Never below zero; zero where one of them is not known. */
function net(amounts: readonly (Amount | null | undefined)[], discount: Amount | null | undefined): number {
  const known = amounts.flatMap((one) => one ?? []);
  if (known.length < amounts.length || discount === null || discount === undefined) return 0;
  const total = subtract(add(...known), discount);
  return toWire(total > zero ? total : zero);
}
