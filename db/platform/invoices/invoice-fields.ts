import { basePrefixed } from '../../support/columns.ts';
import type { SearchField } from '../../support/search-field.ts';
import { fieldsOfTable } from '../../support/search-fields.ts';
import { columnOf, orderFields } from '../orders/order-fields.ts';
import { documentItemMoney, documentMoney } from '../orders/document-money.ts';
import { Invoice } from './invoice.entity.ts';

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

export const invoiceFields: Readonly<Record<string, SearchField>> = Object.fromEntries([
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
