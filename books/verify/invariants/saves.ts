import { isMore, isOther, type Invariant } from '../invariant.ts';

/** Rules that saves and other verbs of an order must keep for its refunds. */
export const saveInvariants: readonly Invariant[] = [
  {
    id: 'S-01',
    sentence: 'While a refund is under way its order is in a state in which the memo can be booked.',
    needsQuiet: false,
    sql: `
      select a.attempt_id, a.state, o.entity_id as order_id, o.increment_id, o.state as order_state
      from refund_attempt a join sales_order o on o.entity_id = a.order_id
      where a.state in ('started', 'uncertain') and o.state in ('holded', 'payment_review', 'canceled', 'closed')`,
  },
  {
    id: 'S-02',
    sentence:
      'A refund asked for money where its order was paid: method, transaction and currency are the order’s, or ' +
      'those of a payment of the layaway, of what was due, or of its tenders.',
    needsQuiet: false,
    sql: `
      select a.attempt_id, a.order_id, a.payment_method, p.method, a.payment_reference, p.last_trans_id,
        a.currency_code,
             o.order_currency_code
      from refund_attempt a
      join sales_order o on o.entity_id = a.order_id
      join sales_order_payment p on p.order_id = a.order_id
      where a.currency_code <> o.order_currency_code
         or ((a.payment_method <> p.method
             or (a.payment_reference is not null and a.payment_reference is distinct from p.last_trans_id))
           and not exists (select from sales_money_in m where m.order_id = a.order_id and m.kind = 'layaway_capture'
             and m.method = a.payment_method and m.reference = a.payment_reference)
           and not (exists (select from sales_money_in m where m.order_id = a.order_id
               and m.kind = 'credit_due' and m.reference = a.payment_reference)
             or exists (select from jsonb_array_elements(coalesce(o.extension_attributes -> 'pos_tenders', '[]')) t
               where t ->> 'payment_id' = a.payment_reference)))`,
  },
  {
    id: 'S-03',
    sentence: 'No more shipping was refunded than the order says it was.',
    needsQuiet: false,
    // A posted figure finer than a coin counts as the nearest coin.
    sql: `
      select entity_id as order_id, increment_id, shipping_amount, shipping_refunded, base_shipping_amount,
             base_shipping_refunded
      from sales_order
      where shipping_refunded > greatest(shipping_amount, in_coins(shipping_amount, order_currency_code))
         or base_shipping_refunded
              > greatest(base_shipping_amount, in_coins(base_shipping_amount, base_currency_code))`,
  },
  {
    id: 'S-03b',
    sentence: 'A memo under way gives back no part of an order that is below nothing.',
    needsQuiet: false,
    sql: `
      select o.entity_id as order_id, o.increment_id, memo ->> 'refundAttemptId' as attempt_id, figures.value as figures
      from sales_order o
      cross join lateral jsonb_array_elements(o.pending_memos) memo
      cross join lateral (values (memo #> '{figures,base}'), (memo #> '{figures,order}')) figures (value)
      where least((figures.value ->> 'shippingAmount')::numeric, (figures.value ->> 'shippingTaxAmount')::numeric,
                  (figures.value ->> 'grandTotal')::numeric) < 0`,
  },
  {
    id: 'S-04',
    sentence: 'An order that has invoices is worth no less than they took of it: in all, its goods and its tax.',
    needsQuiet: false,
    sql: `
      select o.entity_id as order_id, o.increment_id, o.grand_total, o.total_invoiced, o.subtotal, o.subtotal_invoiced,
             o.tax_amount, o.tax_invoiced
      from sales_order o
      where exists (select from sales_invoice i where i.order_id = o.entity_id and i.state <> 3)
        and (${isMore('o.total_invoiced', 'o.grand_total')} or ${isMore('o.base_total_invoiced', 'o.base_grand_total')}
          or ${isMore('o.subtotal_invoiced', 'o.subtotal')} or ${isMore('o.base_subtotal_invoiced', 'o.base_subtotal')}
          or ${isMore('o.tax_invoiced', 'o.tax_amount')} or ${isMore('o.base_tax_invoiced', 'o.base_tax_amount')})`,
  },
  {
    id: 'S-04b',
    sentence: 'A line is worth no less than its invoices took of it.',
    needsQuiet: false,
    // A negative price compares downwards.
    sql: `
      select i.item_id as order_item_id, i.order_id, i.sku, i.row_total, i.row_invoiced, i.tax_amount, i.tax_invoiced
      from sales_order_item i join sales_order o on o.entity_id = i.order_id
      where exists (select from sales_invoice_item n where n.order_item_id = i.item_id)
        and (${isMore('abs(i.row_invoiced)', 'abs(i.row_total)')}
          or ${isMore('abs(i.base_row_invoiced)', 'abs(i.base_row_total)')}
          or ${isMore('abs(i.tax_invoiced)', 'abs(i.tax_amount)')}
          or ${isMore('abs(i.base_tax_invoiced)', 'abs(i.base_tax_amount)')})`,
  },
  {
    id: 'S-04c',
    sentence: 'A line whose last piece was invoiced is worth what its invoices took of it.',
    needsQuiet: false,
    // Pieces that were cancelled are in no invoice; an order may be posted as invoiced elsewhere.
    sql: `
      select i.item_id as order_item_id, i.order_id, i.sku, i.row_total, i.row_invoiced, i.tax_amount, i.tax_invoiced,
             i.discount_amount, i.discount_invoiced
      from sales_order_item i join sales_order o on o.entity_id = i.order_id
      where exists (select from sales_invoice_item n where n.order_item_id = i.item_id)
        and i.qty_invoiced >= i.qty_ordered and i.qty_canceled = 0
        and (${isOther('i.row_total', 'i.row_invoiced')} or ${isOther('i.base_row_total', 'i.base_row_invoiced')}
          or ${isOther('i.tax_amount', 'i.tax_invoiced')} or ${isOther('i.base_tax_amount', 'i.base_tax_invoiced')}
          or ${isOther('i.discount_amount', 'i.discount_invoiced')}
          or ${isOther('i.base_discount_amount', 'i.base_discount_invoiced')})`,
  },
  {
    id: 'S-05',
    sentence: 'An order that was paid can be refunded: it has lines, and was paid in both currencies.',
    needsQuiet: false,
    // Less than a cent in the other currency counts as zero there.
    sql: `
      select o.entity_id as order_id, o.increment_id, o.total_paid, o.base_total_paid, o.base_to_order_rate
      from sales_order o
      where o.total_paid > 0
        and ((o.base_total_paid = 0 and o.total_paid >= 0.01 * greatest(o.base_to_order_rate, 1))
          or not exists (select from sales_order_item i where i.order_id = o.entity_id))`,
  },
];

/** Triggers of the database: a trigger that was dropped is reported before the first row breaks its rule. */
const triggers: readonly (readonly [name: string, table: string])[] = [
  ['pos_receipt_frozen', 'pos_receipt'],
  ['pos_receipt_stays_claimed', 'pos_receipt'],
  ['pos_receipt_item_frozen', 'pos_receipt_item'],
  ['pos_held_cart_stays_claimed', 'pos_held_cart'],
  ['pos_terminal_ends_access', 'pos_terminal'],
  ['pos_terminal_ends_access_deleted', 'pos_terminal'],
  ['store_credit_entry_frozen', 'store_credit_entry'],
  ['store_credit_entry_adds_up', 'store_credit_entry'],
  ['store_credit_entry_is_counted', 'store_credit_entry'],
  ['store_credit_wallet_is_booked', 'store_credit_wallet'],
  ['gift_card_entry_frozen', 'gift_card_entry'],
  ['gift_card_entry_adds_up', 'gift_card_entry'],
  ['gift_card_entry_is_counted', 'gift_card_entry'],
  ['gift_card_is_booked', 'gift_card'],
  ['reward_points_entry_frozen', 'reward_points_entry'],
  ['reward_points_entry_adds_up', 'reward_points_entry'],
  ['reward_points_entry_is_counted', 'reward_points_entry'],
  ['reward_points_account_is_booked', 'reward_points_account'],
  ['sales_order_over_takes_no_money', 'sales_order'],
  ['sales_order_stays_cancelled', 'sales_order'],
  ['reward_points_due_when_placed', 'sales_order'],
  ['reward_points_due_when_changed', 'sales_order'],
  ['pos_move_by_receipt', 'pos_receipt'],
  ['pos_move_by_linked_receipt', 'pos_receipt'],
  ['pos_move_by_money_in', 'sales_money_in'],
  ['pos_move_by_memo', 'sales_creditmemo'],
  ['pos_assign_by_new_return', 'sale_return'],
  ['pos_assign_by_return', 'sale_return'],
  ['pos_move_by_cancellation', 'layaway_cancellation'],
  ['pos_move_by_order_credit', 'order_credit'],
  ['pos_move_by_credit_return', 'order_credit_return'],
  ['pos_move_by_credit_refund', 'credit_refund'],
  ['pos_move_by_wallet', 'store_credit_entry'],
  ['pos_move_by_card', 'gift_card_entry'],
  ['pos_move_by_incident', 'refund_case'],
];

const uniqueIndexes = [
  'sales_order_pos_sale_id_once',
  'sales_money_in_reference_once',
  'sales_money_in_operation_key_unique',
  'due_payment_reference_once',
  'pos_movement_once',
  'layaway_cancellation_credit_memo_id_unique',
  'sales_payment_transaction_once',
  'sales_creditmemo_refund_attempt_id_unique',
  'sale_return_pos_sale_id_unique',
  'sale_return_movement_once',
  'refund_attempt_one_open_per_return',
  'refund_attempt_one_open_per_order_without_return',
  'refund_attempt_gateway_reference_once',
  'pos_receipt_pos_order_id_unique',
  'pos_held_cart_cart_key_unique',
  'pos_terminal_device_identifier_unique',
  'store_credit_entry_key_once',
  'gift_card_code_key_unique',
  'gift_card_entry_key_unique',
  'reward_points_entry_key_unique',
  'credit_refund_request_once',
  'quote_one_active_per_customer',
  'quote_order_once',
  'product_sku_once',
  'pos_contract_price_once',
];

const checks = [
  'sales_order_never_overpaid',
  'sales_order_paid_not_negative',
  'sales_order_never_over_refunded',
  'sales_order_never_given_back_twice',
  'sales_order_item_within_ordered',
  'due_payment_adds_up',
  'layaway_cancellation_within_deposit',
  'pos_receipt_claimed_by_somebody',
  'pos_held_cart_free_without_claim',
  'refund_attempt_amount_positive',
  'refund_attempt_booked_has_memo',
  'inventory_source_item_not_negative',
  'store_credit_wallet_not_negative',
  'gift_card_not_negative',
  'reward_points_account_not_negative',
  'quote_active_until_ordered',
];

const rows = (names: readonly string[]) => names.map((name) => `('${name}')`).join(', ');

export const guardInvariants: readonly Invariant[] = [
  {
    id: 'G-01',
    sentence: 'Every guard of the database is in place.',
    needsQuiet: false,
    sql: `
      select 'trigger' as missing, g.name, g.on_table
      from (values ${triggers.map(([name, table]) => `('${name}', '${table}')`).join(', ')}) g(name, on_table)
      where not exists (
        select from pg_trigger t
        where t.tgname = g.name and t.tgrelid = to_regclass(g.on_table) and t.tgenabled <> 'D')
      union all
      select 'unique index', g.name, null
      from (values ${rows(uniqueIndexes)}) g(name)
      where not exists (
        select from pg_index i where i.indexrelid = to_regclass(g.name) and i.indisunique and i.indisvalid)
      union all
      select 'check', g.name, null
      from (values ${rows(checks)}) g(name)
      where not exists (select from pg_constraint c where c.conname = g.name and c.contype = 'c' and c.convalidated)`,
  },
];
