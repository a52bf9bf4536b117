import { basePrefixed } from '../../support/columns.ts';
import type { SearchField, SearchType } from '../../support/search-field.ts';
import { fieldsOfTable } from '../../support/search-fields.ts';
import { Order } from './order.entity.ts';
import { orderIntegers, orderMoney, orderTexts } from './order-columns.ts';

/** `baseGrandTotal` → `base_grand_total`. */
export const columnOf = (property: string) => property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The columns of the platform's order that a search can use (platform facts 3.2, 5.2). */
export const orderColumns = {
  integer: ['entity_id', 'store_id', 'total_item_count', 'customer_id', ...orderIntegers.map(columnOf)],
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
