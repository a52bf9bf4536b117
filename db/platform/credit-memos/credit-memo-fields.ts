import { basePrefixed } from '../../support/columns.ts';
import type { SearchField } from '../../support/search-field.ts';
import { fieldsOfTable } from '../../support/search-fields.ts';
import { documentOrderFields, invoiceItemMoneyColumns, invoiceMoneyColumns } from '../invoices/invoice-fields.ts';
import { columnOf } from '../orders/order-fields.ts';
import { CreditMemo } from './credit-memo.entity.ts';

/** The columns of a credit memo and of its lines, as they are answered and searched (platform facts 7.5). */

const adjustments = ['adjustment', 'adjustmentPositive', 'adjustmentNegative'] as const;

export const creditMemoMoneyColumns = [
  ...invoiceMoneyColumns,
  ...[...adjustments, ...basePrefixed(...adjustments)].map(columnOf),
];
export const creditMemoItemMoneyColumns = invoiceItemMoneyColumns;

const fieldsOf = fieldsOfTable('m', CreditMemo);

export const creditMemoFields: Readonly<Record<string, SearchField>> = Object.fromEntries([
  ...fieldsOf('integer', ['entity_id', 'order_id', 'store_id', 'invoice_id', 'state', 'refund_attempt_id']),
  ...fieldsOf('code', ['increment_id', 'transaction_id']),
  ...fieldsOf('timestamp', ['created_at', 'updated_at']),
  ...fieldsOf('decimal', [...creditMemoMoneyColumns, 'base_cost']),
  ...fieldsOf('boolean', ['is_online']),
  // The platform has two fields for the state and fills only one of them; both are filled here (our choice).
  ['creditmemo_status', { column: 'm.state', type: 'integer' } as const],
  // As answers show it: false of a memo that was only written down.
  ['pos_moved_money', { column: "(m.figures_from <> 'save')", type: 'boolean' } as const],
  ...Object.entries(documentOrderFields),
]);
