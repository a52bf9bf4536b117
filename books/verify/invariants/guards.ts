import type { Invariant } from '../invariant.ts';

/** Triggers of the database: a trigger that was dropped is reported before the first row breaks its rule. */
const triggers: readonly (readonly [name: string, table: string])[] = [
  ['pos_receipt_frozen', 'pos_receipt'],
  ['pos_receipt_stays_claimed', 'pos_receipt'],
  ['pos_receipt_item_frozen', 'pos_receipt_item'],
  ['pos_held_cart_stays_claimed', 'pos_held_cart'],
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
];

const uniqueIndexes = [
  'sales_order_pos_sale_id_once',
  'sales_money_in_reference_once',
  'sales_money_in_operation_key_unique',
  'due_payment_reference_once',
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
