import type { EntityManager } from '@mikro-orm/postgresql';
import { integer, json, orNull, surely, text, type Kind } from '../../db/support/kinds.ts';
import { statement } from '../../db/support/statement.ts';
import { creditRows } from './credit-events.ts';
import { creditRefundRows } from './credit-refund-events.ts';
import { creditDueText, layawayRow } from './layaway-events.ts';
import { at, list, pairs } from './json-sql.ts';
import { pointsRows } from './points-events.ts';
import { processRows } from './process-events.ts';
import { attemptRows } from './refund-events.ts';
import { shipmentRows } from './sale-events.ts';
import type { SaleRows } from './sale-rows.ts';

/** Everything that is written about one sale, in one query; undefined when there is no such order. */
export const gatherSale = (em: EntityManager, orderId: number): Promise<SaleRows | undefined> =>
  gather.first(em, { orderId });

/** Parts that every sale has, be they empty. */
const surelyJson = <const Name extends keyof SaleRows>(...names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, surely(json())])) as { [Each in Name]: Kind<SaleRows[Each]> };

const gather = statement({
  takes: { orderId: integer },
  gives: {
    ...surelyJson('order', 'lines', 'invoices', 'payments', 'shipments', 'memos', 'comments', 'receipts', 'returns'),
    ...surelyJson('attempts', 'credits', 'creditRefunds', 'points', 'processes', 'audits'),
    layaway: orNull(json<NonNullable<SaleRows['layaway']>>()),
    creditDue: orNull(text),
  },
  text: `
select json_build_object(${pairs({
    orderId: 'o.entity_id',
    incrementId: 'o.increment_id',
    state: 'o.state',
    status: 'o.status',
    isVirtual: 'o.is_virtual',
    currency: 'o.order_currency_code',
    baseCurrency: 'o.base_currency_code',
    at: at('o.created_at'),
    posSaleId: 'o.pos_sale_id',
    paymentMethod: 'p.method',
    paymentReference: 'p.last_trans_id',
    grandTotal: 'o.grand_total::text',
    totalPaid: 'o.total_paid::text',
    totalDue: 'o.total_due::text',
    totalRefunded: 'o.total_refunded::text',
    returnedWithoutMemo: 'o.returned_without_memo::text',
    basePendingRefund: 'o.base_pending_refund::text',
    storeId: 'o.store_id',
  })}) as "order",
${list(
  {
    orderItemId: 'item_id',
    sku: 'sku',
    name: 'name',
    options: 'entered_options',
    isVirtual: 'is_virtual',
    isQtyDecimal: 'is_qty_decimal',
    qtyOrdered: 'qty_ordered::text',
    qtyInvoiced: 'qty_invoiced::text',
    qtyShipped: 'qty_shipped::text',
    qtyRefunded: 'qty_refunded::text',
    qtyCanceled: 'qty_canceled::text',
  },
  'from sales_order_item where order_id = o.entity_id and parent_item_id is null',
  'item_id',
)} as lines,
${list(
  {
    invoiceId: 'entity_id',
    incrementId: 'increment_id',
    state: 'state',
    grandTotal: 'grand_total::text',
    at: at('created_at'),
  },
  'from sales_invoice where order_id = o.entity_id',
  'entity_id',
)} as invoices,
${list(
  { kind: 'kind', reference: 'reference', method: 'method', amount: 'amount::text', at: at('created_at') },
  'from sales_money_in where order_id = o.entity_id',
  'money_in_id',
)} as payments,
${shipmentRows} as shipments,
${list(
  {
    creditMemoId: 'm.entity_id',
    incrementId: 'm.increment_id',
    isOnline: 'm.is_online',
    attemptId: 'm.refund_attempt_id',
    returnId: '(select r.return_id from sale_return r where r.credit_memo_id = m.entity_id limit 1)',
    grandTotal: 'm.grand_total::text',
    subtotal: 'm.subtotal::text',
    discount: 'm.discount_amount::text',
    shipping: 'm.shipping_amount::text',
    tax: 'm.tax_amount::text',
    adjustment: 'm.adjustment::text',
    lines: list(
      { sku: 'sku', qty: 'qty::text' },
      'from sales_creditmemo_item where parent_id = m.entity_id',
      'entity_id',
    ),
    at: at('m.created_at'),
  },
  `from sales_creditmemo m where m.order_id = o.entity_id and m.figures_from <> 'save'`,
  'm.entity_id',
)} as memos,
${list(
  { comment: 'comment', status: 'status', at: at('created_at') },
  'from sales_order_status_history where parent_id = o.entity_id and comment is not null',
  'entity_id',
)} as comments,
${list(
  {
    receiptId: 'receipt_id',
    staffName: 'staff_name',
    terminalName: 'terminal_name',
    locationName: 'location_name',
    at: at('created_at'),
  },
  'from pos_receipt where order_increment_id = o.increment_id',
  'receipt_id',
)} as receipts,
${list(
  {
    returnId: 'r.return_id',
    incrementId: 'r.increment_id',
    status: 'r.status',
    isReady: 'r.is_ready',
    isAutoApproved: 'r.is_auto_approved',
    posSaleId: 'r.pos_sale_id',
    refundMethod: 'r.refund_method',
    creditMemoId: 'r.credit_memo_id',
    refundDifference: 'r.refund_difference',
    locationName: '(select l.name from pos_location l where l.location_id = r.location_id)',
    lines: list(
      {
        sku: 'product_sku',
        name: 'product_name',
        qty: 'qty_requested::text',
        reason: 'reason',
        resolution: 'resolution',
      },
      'from sale_return_item where return_id = r.return_id',
      'entity_id',
    ),
    movements: list(
      {
        kind: 'v.kind',
        sku: 'v.sku',
        qty: 'v.quantity::text',
        sourceCode: 'v.source_code',
        inspectedCondition: 'v.inspected_condition',
        at: at('v.created_at'),
      },
      `from sale_return_movement v join sale_return_item i on i.entity_id = v.return_item_id
       where i.return_id = r.return_id`,
      'v.movement_id',
    ),
    comments: list(
      { comment: 'comment', status: 'status', author: 'author', at: at('created_at') },
      'from sale_return_comment where return_id = r.return_id',
      'comment_id',
    ),
    at: at('r.created_at'),
    updatedAt: at('r.updated_at'),
  },
  'from sale_return r where r.order_id = o.entity_id',
  'r.return_id',
)} as returns,
${attemptRows} as attempts,
${creditRows} as credits,
${creditRefundRows} as credit_refunds,
${pointsRows} as points,
${layawayRow} as layaway,
${creditDueText} as credit_due,
${processRows} as processes,
${list(
  {
    returnId: 'r.return_id',
    fieldName: 'a.field_name',
    oldValue: 'a.old_value',
    newValue: 'a.new_value',
    changeSource: 'a.change_source',
    staffName: 'a.staff_name',
    terminalName: 'a.terminal_name',
    at: at('a.created_at'),
  },
  `from sale_return r join pos_audit_log a on a.entity_type in ('return', 'rma') and a.entity_id = r.return_id::text
   where r.order_id = o.entity_id`,
  'a.log_id',
)} as audits
from sales_order o left join sales_order_payment p on p.order_id = o.entity_id
where o.entity_id = $orderId`,
});
