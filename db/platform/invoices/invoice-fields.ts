import { basePrefixed } from '../../support/columns.ts';
import type { SearchField, SearchType } from '../../support/search-condition.ts';
import { columnOf } from '../orders/order-fields.ts';
import { documentItemMoney, documentMoney } from './invoice.entity.ts';

/** The columns of an invoice and of its lines, as they are answered and searched (platform facts 6). */

export const invoiceMoneyColumns = [...documentMoney, ...basePrefixed(...documentMoney)].map(columnOf);
export const invoiceItemMoneyColumns = [...documentItemMoney, ...basePrefixed(...documentItemMoney)].map(columnOf);

export const invoiceFields: Readonly<Record<string, SearchField>> = Object.fromEntries([
  ...fieldsOf('integer', ['entity_id', 'order_id', 'store_id', 'state']),
  ...fieldsOf('code', ['increment_id', 'transaction_id']),
  ...fieldsOf('timestamp', ['created_at', 'updated_at']),
  ...fieldsOf('decimal', [...invoiceMoneyColumns, 'base_total_refunded', 'total_qty']),
  ...fieldsOf('boolean', ['is_used_for_refund']),
]);

function fieldsOf(type: SearchType, columns: readonly string[]): [string, SearchField][] {
  return columns.map((column) => [column, { column: `i.${column}`, type, isNullable: column === 'transaction_id' }]);
}
