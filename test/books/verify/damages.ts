import { damagesBesideOrders, without, aCreditRefund, aCredit } from './damages-beside-orders.ts';

/** So much of that credit given back without a memo. */
const aLeg = (amount: number) =>
  `insert into order_credit_return (credit_id, base_amount, amount, return_key, state)
   select credit_id, ${amount}, ${amount}, 'leg', 'booked' from order_credit`;

/** The day is told from its beginning on, whatever moments its rows have. */
const toldSinceLong = `update pos_event set occurred_at = '2000-01-01'`;

/** How a careless hand, or a bug, breaks each rule of the day of sales. */
export const damages: Record<string, string[]> = {
  'E-01': [toldSinceLong, `delete from pos_event where type = 'order.placed' and object_id = '2'`],
  'E-02': [toldSinceLong, `delete from pos_event where type = 'order.refunded'`],
  'E-03': [`insert into pos_event (type, object_kind, object_id) values ('order.cancelled', 'order', '2')`],
  'E-04': [
    toldSinceLong,
    `insert into pos_event (type, object_kind, object_id)
    select 'refund.decided', 'refund', attempt_id::text from refund_attempt where state = 'started' limit 1`,
    `update refund_attempt set state = 'uncertain' where state = 'failed'`,
    `delete from pos_event where type = 'refund.uncertain'`,
  ],
  'E-05': [toldSinceLong, `delete from pos_event where type = 'return.settled'`],
  'E-06': [
    `insert into webhook_endpoint (url, sealed_secret) values ('https://erp.example', 'x')`,
    `insert into webhook_delivery (endpoint_id, event_id, sequence, object_key, is_next)
    select 1, event_id, event_id, 'order 2', false from pos_event order by event_id limit 2`,
  ],
  'E-07': [
    `update sales_order set pos_layaway_status = 'open', pos_layaway_balance_owed = 0 where entity_id = 2`,
    toldSinceLong,
    `delete from pos_event where type = 'layaway.opened'`,
  ],
  'E-08': [toldSinceLong, `delete from pos_event where type = 'credit.changed'`],
  'E-09': [
    `insert into pos_event (type, object_kind, object_id, facts)
    select 'stock.moved', 'stock', sku, jsonb_build_object('source_code', source_code, 'quantity', quantity - 1)
    from inventory_source_item limit 1`,
  ],
  'E-10': [
    `insert into pos_event (type, object_kind, object_id, facts)
    select 'stock.moved', 'stock', sku, jsonb_build_object('source_code', source_code, 'quantity', quantity,
      'quantity_before', quantity + step) from inventory_source_item, generate_series(1, 2) step limit 2`,
  ],
  'I-04': [
    without('sales_order', 'sales_order_never_overpaid'),
    'update sales_order set total_paid = 108.01 where entity_id = 2',
  ],
  'I-04b': [
    without('sales_order', 'sales_order_paid_not_negative', 'sales_order_never_over_refunded'),
    `update sales_order set base_total_refunded = 'NaN' where entity_id = 2`,
  ],
  'I-05': ['update sales_money_in set amount = 107.99 where order_id = 2'],
  'I-05b': [
    'drop index sales_money_in_reference_once',
    `insert into sales_money_in (order_id, kind, reference, amount, base_amount)
     select 2, 'layaway_capture', 'the same', 1, 1 from generate_series(1, 2)`,
  ],
  'I-05c': [`insert into sales_money_in (order_id, kind, amount, base_amount) values (2, 'invoice', 0, 0)`],
  'I-10': [
    without('sales_order', 'sales_order_never_over_refunded'),
    'update sales_order set base_total_refunded = 108.01 where entity_id = 1',
  ],
  'I-10g': ['update sales_money_in set amount = 50, base_amount = 50 where order_id = 1'],
  'I-10h': [aCredit('tender'), aLeg(10), 'update sales_money_in set amount = 5, base_amount = 5 where order_id = 2'],
  'I-10i': [aCreditRefund('booked', 1)],
  'I-10j': [aCredit('tender'), aLeg(11)],
  'I-10k': ['update sales_order set returned_without_memo = 1 where entity_id = 2'],
  'I-14': ['update sales_order set pos_credit_due = -1 where entity_id = 2'],
  'I-14c': [
    `update sales_order set pos_credit_due = 60, adjustment_negative = 60, total_paid = 40, base_total_paid = 40
     where entity_id = 2`,
  ],
  'I-14d': [
    `update sales_order set total_paid = 40, base_total_paid = 40, due_taken_off = 10, base_due_taken_off = 10
     where entity_id = 2`,
  ],
  'I-04c': [
    `update sales_order set state = 'pending_payment', pos_layaway_status = 'open', pos_layaway_balance_owed = 1
      where entity_id = 2`,
  ],
  'I-14b': [`insert into sales_money_in (order_id, kind, amount, base_amount) values (2, 'credit_due', 1, 1)`],
  'I-17b': [
    `insert into layaway_cancellation (order_id, operation_key, fee_percent, fee, base_fee, refund, base_refund)
     values (2, 'a request', 0, 0, 0, 0, 0)`,
  ],
  'W-2': [
    `update sales_order set pos_layaway_status = 'open', created_at = now() - interval '3 hours' where entity_id = 2`,
  ],
  'W-2b': [
    `update sales_order set pos_layaway_status = 'open', pos_layaway_followed_at = now(),
       pos_layaway_expires_at = now() - interval '3 hours', total_paid = 100 where entity_id = 2`,
  ],
  'I-17c': [
    `update sales_order set pos_layaway_followed_at = '2020-01-01' where entity_id = 2`,
    `update sales_money_in set kind = 'invoice' where order_id = 2`,
  ],
  'I-17d': [
    `update sales_order set pos_layaway_status = 'open', pos_layaway_followed_at = '2020-01-01'`,
    'update sales_invoice set state = 1',
  ],
  'I-17': [`update sales_order set pos_layaway_status = 'cancelled' where entity_id = 2`],
  'O-01': [
    without('sales_order_item', 'sales_order_item_within_ordered'),
    'update sales_order_item set qty_shipped = 3 where order_id = 2',
  ],
  'S-01': [`update sales_order set state = 'holded' where entity_id = 3`],
  'S-02': [`update sales_order_payment set last_trans_id = 'pay-1' where order_id = 3`],
  'S-03': ['update sales_order set shipping_refunded = 10, shipping_amount = 4 where entity_id = 2'],
  'S-03b': [
    `update sales_order set pending_memos = '[{"refundAttemptId": 3, "figures": {"base": {"shippingAmount": -60000}}}]'
     where entity_id = 3`,
  ],
  'S-04': ['update sales_order set base_tax_amount = 7 where entity_id = 2'],
  'S-04b': ['update sales_order_item set row_total = 90 where order_id = 2'],
  'S-04c': ['update sales_order_item set discount_amount = 5 where order_id = 2'],
  'S-05': [
    without('sales_order', 'sales_order_never_over_refunded'),
    'update sales_order set base_total_paid = 0, base_total_refunded = 0 where entity_id = 2',
  ],
  'O-02': ['update sales_shipment_item set qty = 1'],
  'O-03': [
    without('sales_order', 'sales_order_increment_id_once_per_store'),
    `update sales_order set increment_id = '000000002'`,
  ],
  'N-01': ['update sales_invoice set grand_total = 107.99 where order_id = 2'],
  'N-02': ['update sales_invoice_item set row_total = 99'],
  'N-04': ['update sales_invoice set tax_amount = 7.99 where order_id = 2'],
  'N-03': ['update sales_order set total_paid = 100 where entity_id = 2'],
  'M-01b': ['update sales_creditmemo set base_grand_total = 54.001 where order_id = 1'],
  'M-01': ['update sales_order set total_refunded = 54.01 where entity_id = 1'],
  'M-09': [`update sales_order_item set qty_refunded = qty_ordered where order_id = 1`],
  'M-02': ['update sales_order set tax_refunded = 3.99 where entity_id = 1'],
  'M-03': ['update sales_creditmemo set tax_amount = 4.01'],
  'M-04': ['update sales_creditmemo_item set row_total = 49.99'],
  'M-05': ['update sales_order_item set qty_refunded = 2 where order_id = 1'],
  'M-06': ['update sales_creditmemo_item set order_item_id = 2'],
  'M-07': ['update sales_order_payment set amount_refunded = 0'],
  'M-08': [`delete from sales_payment_transaction where txn_type = 'refund'`],
  'I-31': [`delete from sales_order_status_history where entity_name = 'creditmemo'`],
  'I-07': ['update sales_creditmemo set refund_attempt_id = null'],
  'I-07b': ['update sales_creditmemo set refund_attempt_id = null'],
  'I-07c': [`update refund_attempt set base_amount = 54.01 where state = 'booked'`],
  'I-07d': [
    `insert into sale_return_tender (return_id, order_id, line_id, method, payment_method, source, paid, base_paid, amount,
       base_amount, state, request_key)
     select return_id, order_id, 1, 'cash', 'cash', 'order_payment', 1, 1, 1, 1, 'booked', 'x' from sale_return
     where credit_memo_id is not null limit 1`,
  ],
  'I-07e': [
    `insert into sale_return_tender (return_id, order_id, line_id, method, payment_method, source, paid, base_paid, amount,
       base_amount, state, request_key)
     select return_id, order_id, 1, 'original_payment', 'provider_a', 'order_payment', 1, 1, 1, 1, 'refunded', 'x'
     from sale_return where credit_memo_id is null limit 1`,
  ],
  'I-08': [
    'drop index refund_attempt_one_open_per_return',
    `update refund_attempt set state = 'uncertain', return_id = 3 where state = 'failed'`,
  ],
  'I-08b': [
    'drop index refund_attempt_gateway_reference_once',
    `update refund_attempt set gateway_reference = 'gw-1', payment_method = 'provider_a'`,
  ],
  'I-08c': [
    `update refund_attempt set idempotency_key = 'return-1-2', state = 'booked', credit_memo_id = 1
      where state = 'failed'`,
  ],
  'I-10b': [`update refund_attempt set base_amount = 108.01 where state = 'uncertain'`],
  'I-10c': ['update sales_order set base_pending_refund = 0 where entity_id = 3'],
  'I-10f': ['update sales_order set pending_memos = null where entity_id = 3'],
  'I-12': ['update sale_return set credit_memo_id = 1 where return_id = 3'],
  'I-31c': [`update sale_return set status = 'received', refund_method = null where return_id = 2`],
  'I-31b': [`update refund_attempt set resolved_by = 'Ada' where state = 'booked'`],
  'I-06': [
    without('sale_return', 'sale_return_pos_sale_id_unique'),
    `update sale_return set pos_sale_id = 'the same sale'`,
  ],
  'R-04': ['update sale_return set base_handback = 50 where return_id = 1'],
  'R-05': ['update sale_return set base_refund_total = 50, base_handback = 50 where return_id = 1'],
  'I-18': ['update sale_return_item set qty_requested = 3'],
  'I-18b': [
    'update sale_return set credit_memo_id = null, base_refund_total = null, base_handback = null where return_id = 1',
    `update sales_creditmemo set created_at = '2026-11-01'`,
    `update sale_return_item set qty_requested = 2`,
    `update sale_return set status = 'awaiting_refund' where return_id = 1`,
  ],
  'I-18c': ['update sale_return_item set order_item_id = 3 where return_id = 1'],
  'I-19': [`update sale_return_movement set kind = 'closed'`],
  'I-19d': [`update sale_return_movement set stock_change = quantity + 1`],
  'I-19c': [`update sale_return set status = 'closed' where return_id = 2`],
  'I-19b': [
    without('inventory_source_item', 'inventory_source_item_not_negative'),
    'update inventory_source_item set quantity = -1',
  ],
  'R-01': [`update sale_return set status = 'awaiting_refund' where return_id = 1`],
  'R-03': [`update sale_return set status = 'resolved' where return_id = 1`],
  'R-02': ['update sale_return set refund_method = null where return_id = 2'],
  'Q-01': [`delete from inventory_reservation where event_type = 'shipment_created'`],
  'Q-02': [`delete from inventory_reservation where event_type = 'order_placed'`],
  'C-01': [
    `insert into customer (website_id, store_id, group_id, email, firstname, lastname) values (1, 1, 1,
      'c-01@shop.test', 'C', 'One')`,
    without('quote', 'quote_active_until_ordered'),
    `insert into quote (customer_id, website_id, store_id, order_id) select max(id), 1, 1, 1 from customer`,
  ],
  'C-02': [
    `insert into customer (website_id, store_id, group_id, email, firstname, lastname) values (1, 1, 1,
      'c-02@shop.test', 'C', 'Two')`,
    `insert into quote (customer_id, website_id, store_id, is_active, order_id) select max(id), 1, 1, false, 1
      from customer`,
  ],
  'C-03': [
    `insert into customer (website_id, store_id, group_id, email, firstname, lastname) values (1, 1, 1,
      'c-03@shop.test', 'C', 'Three')`,
    'drop index quote_one_active_per_customer',
    `insert into quote (customer_id, website_id, store_id) select max(id), 1, 1 from customer, generate_series(1, 2)
      group by generate_series`,
  ],
  ...damagesBesideOrders,
};
