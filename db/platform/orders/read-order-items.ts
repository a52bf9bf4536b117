import type { EntityManager } from '@mikro-orm/postgresql';
import type { SearchCriteria } from '../../../domain/platform/search-criteria.ts';
import { noSuchOrder } from '../../../domain/refusals/platform.ts';
import { basePrefixed } from '../../support/columns.ts';
import { json, orNull, definite } from '../../support/entity-columns.ts';
import { fieldsOfTable, type SearchField, type SearchType } from '../../support/fields.ts';
import { search, type Found } from '../../support/search.ts';
import { sql } from '../../support/sql.ts';
import { orderIds, orderIntegers, orderMoney, orderTexts } from './order-columns.ts';
import { OrderItem, orderItemMoney } from './order-parts.entity.ts';
import { Order } from './order.entity.ts';
import type { SheetRow } from '../../support/sheet-row.ts';

/** `baseGrandTotal` → `base_grand_total`. */
export const columnOf = (property: string) => property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The columns of the platform's order that a search can use (platform facts 3.2, 5.2). */
export const orderColumns = {
  integer: [
    'entity_id',
    'store_id',
    'total_item_count',
    'customer_id',
    ...[...orderIntegers, ...orderIds].map(columnOf),
  ],
  boolean: ['is_virtual', 'customer_is_guest'],
  code: ['increment_id', 'state'],
  timestamp: ['created_at', 'updated_at'],
  decimal: [
    ...orderMoney.map(columnOf),
    ...basePrefixed(...orderMoney).map(columnOf),
    'shipping_discount_tax_compensation_amount',
    'base_shipping_discount_tax_compensation_amnt',
    'base_total_invoiced_cost',
    'payment_authorization_amount',
    'base_payment_authorization_amount',
    'total_due',
    'base_total_due',
    'total_qty_ordered',
    'weight',
    'base_to_global_rate',
    'base_to_order_rate',
    'store_to_base_rate',
    'store_to_order_rate',
  ],
  text: [
    'status',
    'store_name',
    'protect_code',
    'customer_note',
    'base_currency_code',
    'global_currency_code',
    'order_currency_code',
    'store_currency_code',
    ...orderTexts.map(columnOf),
  ],
} as const satisfies Partial<Record<SearchType, readonly string[]>>;

/** The columns that the point of sale adds. Answers show them as extension attributes; a search uses them by name. */
export const orderExtensionColumns = {
  code: ['pos_sale_id', 'pos_layaway_status'],
  decimal: ['pos_credit_due', 'pos_layaway_deposit_amount', 'pos_layaway_balance_owed'],
  timestamp: ['pos_layaway_expires_at'],
  text: ['pos_layaway_initial_payment_method'],
} as const satisfies Partial<Record<SearchType, readonly string[]>>;

const fieldsOf = fieldsOfTable('o', Order);

/** Every column of the order table, by name. */
export const orderFields: Readonly<Record<string, SearchField>> = Object.fromEntries([
  ...fieldsOf('integer', orderColumns.integer),
  ...fieldsOf('boolean', orderColumns.boolean),
  ...fieldsOf('code', [...orderColumns.code, ...orderExtensionColumns.code]),
  ...fieldsOf('timestamp', [...orderColumns.timestamp, ...orderExtensionColumns.timestamp]),
  ...fieldsOf('decimal', [...orderColumns.decimal, ...orderExtensionColumns.decimal]),
  ...fieldsOf('text', [...orderColumns.text, ...orderExtensionColumns.text]),
]);

/**
 * Lines of orders as `i`. Their totals net of discount, as answers show them, are in `net_…` (platform facts 5.2). Base
 * totals including tax use the fixed tax of one unit, as the platform does.
 */
const shownItems = `
  select i.*,
    greatest(i.row_total - i.discount_amount, 0) as net_row_total,
    greatest(i.base_row_total - i.base_discount_amount, 0) as net_base_row_total,
    greatest(i.row_total + i.tax_amount + i.discount_tax_compensation_amount + i.weee_tax_applied_row_amount
      - i.discount_amount, 0) as net_row_total_incl_tax,
    greatest(i.base_row_total + i.base_tax_amount + i.base_discount_tax_compensation_amount
      + i.base_weee_tax_applied_amount - i.base_discount_amount, 0) as net_base_row_total_incl_tax
  from sales_order_item i`;

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

const orderItemsFieldsOf = fieldsOfTable('i', OrderItem);

const fields: Readonly<Record<string, SearchField>> = Object.fromEntries([
  ...orderItemsFieldsOf('integer', [
    'item_id',
    'order_id',
    'parent_item_id',
    'store_id',
    'product_id',
    'quote_item_id',
  ]),
  ...orderItemsFieldsOf('integer', ['no_discount', 'free_shipping', 'locked_do_invoice', 'locked_do_ship']),
  ...orderItemsFieldsOf('boolean', ['is_virtual', 'is_qty_decimal']),
  ...orderItemsFieldsOf('code', ['sku', 'product_type']),
  ...orderItemsFieldsOf('text', ['name', 'description', 'applied_rule_ids', 'additional_data', 'weee_tax_applied']),
  ...orderItemsFieldsOf('timestamp', ['created_at', 'updated_at']),
  ...orderItemsFieldsOf('decimal', [...orderItemMoney, ...basePrefixed(...orderItemMoney)].map(columnOf)),
  ...orderItemsFieldsOf('decimal', [
    'price_incl_tax',
    'row_total_incl_tax',
    'base_price_incl_tax',
    'base_row_total_incl_tax',
  ]),
  ...orderItemsFieldsOf('decimal', ['cost', 'base_cost', 'weight', 'row_weight', 'tax_percent', 'discount_percent']),
  ...orderItemsFieldsOf('decimal', ['weee_tax_applied_row_amount', 'base_weee_tax_applied_row_amnt']),
  ...orderItemsFieldsOf(
    'decimal',
    quantities.map((what) => `qty_${what}`),
  ),
]);

/** An order with everything that its answer shows. */
export interface OrderSheet {
  order: SheetRow;
  /** With the totals net of discount as `net_…`; only answers show them (platform facts 5.2). */
  items: readonly SheetRow[];
  addresses: readonly SheetRow[];
  payment: SheetRow | null;
  /** Newest first. */
  comments: readonly SheetRow[];
}

/** One order. Refused with: 400 the id 0 · 404 unknown order. */
export async function readOrder(em: EntityManager, orderId: number): Promise<OrderSheet> {
  const sheet = await ordersReadOne.first(em, { orderId });
  if (!sheet) throw noSuchOrder(orderId);
  return sheet;
}

/** Searches orders by any column of the order table (platform facts 3.2). One round trip. */
export const searchOrders = (em: EntityManager, criteria: SearchCriteria): Promise<Found<OrderSheet>> =>
  search<OrderSheet>(em, criteria, {
    table: 'sales_order o',
    columns: sheetColumns,
    fields: orderFields,
    order: 'o.entity_id',
    kept: { list: 'sales_order', alias: 'o', inOrder: { status: 'created_at' } },
  });

/** An order as one row: PostgreSQL makes JSON of every row, so that one round trip and one parse are enough. */
const sheetColumns = `
  to_json(o) as "order",
  (select coalesce(json_agg(i order by i.item_id), '[]')
   from (${shownItems} where i.order_id = o.entity_id) i) as items,
  (select coalesce(json_agg(a), '[]') from sales_order_address a where a.order_id = o.entity_id) as addresses,
  (select to_json(p) from sales_order_payment p where p.order_id = o.entity_id) as payment,
  (select coalesce(json_agg(c order by c.created_at desc, c.entity_id desc), '[]')
   from sales_order_status_history c where c.parent_id = o.entity_id) as comments`;

const ordersReadOne = sql('read-order-items.ordersReadOne', {
  gives: {
    order: definite(json<SheetRow>()),
    items: definite(json<SheetRow[]>()),
    addresses: definite(json<SheetRow[]>()),
    payment: orNull(json<SheetRow>()),
    comments: definite(json<SheetRow[]>()),
  },
})`
  select ${sheetColumns} from sales_order o where o.entity_id = $orderId`;
