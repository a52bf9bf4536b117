import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchDocument } from '../../../domain/errors.ts';
import type { SearchCriteria } from '../../../domain/platform/search-criteria.ts';
import { basePrefixed } from '../../support/columns.ts';
import { integer, json, surely } from '../../support/kinds.ts';
import type { SearchField } from '../../support/search-field.ts';
import { fieldsOfTable } from '../../support/search-fields.ts';
import { search, type Found } from '../../support/search.ts';
import { statement } from '../../support/statement.ts';
import { columnOf } from './order-fields.ts';
import { OrderItem, orderItemMoney } from './order-item.entity.ts';
import type { SheetRow } from './sheet-row.ts';

/**
 * Lines of orders as `i`. Their totals net of discount, as answers show them, are in `net_…` (platform facts 5.2). Base
 * totals including tax use the fixed tax of one unit, as the platform does.
 */
export const shownItems = `
  select i.*,
    greatest(i.row_total - i.discount_amount, 0) as net_row_total,
    greatest(i.base_row_total - i.base_discount_amount, 0) as net_base_row_total,
    greatest(i.row_total + i.tax_amount + i.discount_tax_compensation_amount + i.weee_tax_applied_row_amount
      - i.discount_amount, 0) as net_row_total_incl_tax,
    greatest(i.base_row_total + i.base_tax_amount + i.base_discount_tax_compensation_amount
      + i.base_weee_tax_applied_amount - i.base_discount_amount, 0) as net_base_row_total_incl_tax
  from sales_order_item i`;

/** One line of an order. Refused with: 404 unknown line. */
export async function readOrderItem(em: EntityManager, itemId: number): Promise<SheetRow> {
  const row = await readOne.first(em, { itemId });
  if (!row) throw noSuchDocument();
  return row.item;
}

const readOne = statement({
  takes: { itemId: integer },
  gives: { item: surely(json<SheetRow>()) },
  text: `select to_json(i) as item from (${shownItems} where i.item_id = $itemId) i`,
});

/** Searches order lines by their stored, gross columns. One round trip. */
export const searchOrderItems = (em: EntityManager, criteria: SearchCriteria): Promise<Found<{ item: SheetRow }>> =>
  search<{ item: SheetRow }>(em, criteria, {
    table: `(${shownItems}) i`,
    columns: 'to_json(i) as item',
    fields,
    order: 'i.item_id',
    kept: { list: 'sales_order_item', alias: 'i' },
  });

const quantities = ['ordered', 'invoiced', 'shipped', 'refunded', 'canceled', 'backordered', 'returned'];

const fieldsOf = fieldsOfTable('i', OrderItem);

const fields: Readonly<Record<string, SearchField>> = Object.fromEntries([
  ...fieldsOf('integer', ['item_id', 'order_id', 'parent_item_id', 'store_id', 'product_id', 'quote_item_id']),
  ...fieldsOf('integer', ['no_discount', 'free_shipping', 'locked_do_invoice', 'locked_do_ship']),
  ...fieldsOf('boolean', ['is_virtual', 'is_qty_decimal']),
  ...fieldsOf('code', ['sku', 'product_type']),
  ...fieldsOf('text', ['name', 'description', 'applied_rule_ids', 'additional_data', 'weee_tax_applied']),
  ...fieldsOf('timestamp', ['created_at', 'updated_at']),
  ...fieldsOf('decimal', [...orderItemMoney, ...basePrefixed(...orderItemMoney)].map(columnOf)),
  ...fieldsOf('decimal', ['price_incl_tax', 'row_total_incl_tax', 'base_price_incl_tax', 'base_row_total_incl_tax']),
  ...fieldsOf('decimal', ['cost', 'base_cost', 'weight', 'row_weight', 'tax_percent', 'discount_percent']),
  ...fieldsOf('decimal', ['weee_tax_applied_row_amount', 'base_weee_tax_applied_row_amnt']),
  ...fieldsOf(
    'decimal',
    quantities.map((what) => `qty_${what}`),
  ),
]);
