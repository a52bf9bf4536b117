export const without = (table: string, ...constraints: string[]) =>
  `alter table ${table} ${constraints.map((name) => `drop constraint ${name}`).join(', ')}`;

/** A credit of ten on the second order that nothing else knows of. */
export const aCredit = (use: 'tender' | 'discount') =>
  `insert into order_credit (order_id, kind, provider_code, applies_as, website_id, base_amount, amount, spend_key)
   values (2, 'gift_card', 'gift_card', '${use}', 1, 10, 10, 'x')`;

/** A gift card with five on it, and points of a customer, that no entry speaks of. */
const aCard = `insert into gift_card (code, code_key, website_id, base_currency_code, balance) values ('C', 'C', 1,
  'USD', 5)`;

const aMember = [
  `insert into customer (website_id, store_id, group_id, email, firstname, lastname) values (1, 1, 1, 'r@shop.test',
    'R', 'P')`,
  `insert into reward_points_account (customer_id, website_id, balance) select max(id), 1, 5 from customer`,
];

const pointsEntry = (kind: string, delta: number, after: number) =>
  `insert into reward_points_entry (account_id, kind, delta, balance_after, order_id, reason, key)
   select account_id, '${kind}', ${delta}, ${after}, 2, 'why', '${kind}-${after}' from reward_points_account`;

export const aCreditRefund = (state: string, amount: number, orderId = 2) =>
  `insert into credit_refund (order_id, kind, provider_code, code, website_id, amount, base_amount, currency_code,
     base_currency_code, reason, state, created_at, concluded_at)
   values (${orderId}, 'gift_card', 'gift_card', 'C', 1, ${amount}, ${amount}, 'USD', 'USD', 'why', '${state}',
     now() - interval '1 hour', ${state === 'reserved' ? 'null' : 'now()'})`;

/** A session of a drawer that nothing else knows of. */
const aSession = (state: string) => `with drawer as (
    insert into pos_drawer (location_id, name) values (1, 'D') returning drawer_id)
  insert into pos_register_session (register_session_uuid, drawer_id, terminal_id, location_id, state, opening,
    request_hash, opened_at, forced_after, counts_permitted)
  select '00000000-0000-4000-8000-000000000001', drawer_id, 1, 1, '${state}', '[]', 'x', now(), now(), 2 from drawer`;

/** Damage to what stands beside orders and returns: credit, wallets, cards, points, receipts, runs. */
export const damagesBesideOrders: Record<string, string[]> = {
  'L-01': [aCredit('tender')],
  'L-02': [
    without('order_credit', 'order_credit_never_over_returned'),
    aCredit('discount'),
    'update order_credit set base_returned = 11',
  ],
  'L-03': [aCredit('discount'), 'update order_credit set points_returned = 0, amount_returned = 1'],
  'L-04': [
    aCredit('discount'),
    `insert into order_credit_return (credit_id, credit_memo_id, base_amount, amount, return_key, state)
     select credit_id, 1, 1, 1, 'x', 'booked' from order_credit`,
  ],
  'L-05': [aCredit('discount'), 'update order_credit set amount_reserved = 1'],
  'L-06': [aCredit('discount'), `update order_credit set provider_code = 'store_credit'`],
  'L-07': [aCredit('discount'), `update order_credit set provider_code = 'elsewhere'`],
  'L-08': [
    `insert into credit_spending (request_key, position, kind, provider_code, store_id, website_id, code, base_amount,
      amount,
       base_currency_code, updated_at)
     values ('sale-x', 1, 'gift_card', 'elsewhere', 1, 1, 'C', 10, 10, 'USD', now() - interval '61 minutes')`,
  ],
  'U-01': [
    'drop index product_sku_once',
    `insert into product (sku, name, price) select lower(sku), name, price from product where sku = 'MUG'`,
  ],
  'U-01b': [
    'drop index pos_contract_price_once',
    ...aMember,
    `insert into pos_contract_price (customer_id, website_id, sku, qty, price)
     select max(id), 1, sku, 1, 9 from customer, unnest(array['MUG', 'mug']) as s (sku) group by sku`,
  ],
  'U-02': [
    `update product set custom_attributes = '{"special_price": "2", "special_to_date": "31.12.2030"}'
      where sku = 'MUG'`,
  ],
  'I-01': [
    without('pos_held_cart', 'pos_held_cart_cart_key_unique'),
    'insert into pos_held_cart (location_id, cart_uuid, cart_data) select location_id, cart_uuid, cart_data ' +
      'from pos_held_cart',
  ],
  'I-03': [
    `insert into pos_held_cart (location_id, cart_uuid, cart_data, recalled_at, recalled_by_staff_id, parked_at)
     select location_id, 'parked-over', cart_data, now(), 1, now() + interval '1 second' from pos_held_cart limit 1`,
  ],
  'L-09': [
    `insert into store_credit_promise (order_id, amount, currency_code, since)
     values (1, 5, 'USD', now() - interval '2 hours')`,
  ],
  'L-10': [`insert into store_credit_promise (order_id, amount, currency_code, since) values (1, 5, 'USD', now())`],
  'I-22': [
    'alter table store_credit_wallet disable trigger user',
    without('store_credit_wallet', 'store_credit_wallet_not_negative'),
    `update store_credit_wallet set amount = 'NaN'`,
  ],
  'I-23': ['alter table store_credit_wallet disable trigger user', 'update store_credit_wallet set amount = 514'],
  'I-23b': [
    'alter table store_credit_entry disable trigger user',
    `update store_credit_entry set balance_after = 14 where idempotency_key = 'b'`,
  ],
  'I-24': [
    'alter table store_credit_entry disable trigger user',
    'drop index store_credit_entry_key_once',
    `insert into store_credit_entry (wallet_id, event_type, delta, balance_after, reason, idempotency_key)
     select wallet_id, event_type, delta, balance_after, reason, idempotency_key from store_credit_entry`,
  ],
  'K-01': [without('gift_card', 'gift_card_not_negative'), aCard, 'update gift_card set balance = -1'],
  'K-02': [aCard],
  'K-03': [
    aCard,
    `insert into gift_card_entry (card_id, kind, delta, balance_after, reason, key)
     select card_id, 'issued', 5, 4, 'why', 'x' from gift_card`,
  ],
  'K-04': [
    aCard,
    `insert into gift_card_entry (card_id, kind, delta, balance_after, reason, key)
     select card_id, 'returned', 5, 5, 'why', 'x' from gift_card`,
    `update gift_card set balance = 5, expires_at = now() - interval '1 day'`,
  ],
  'B-01': [
    without('reward_points_account', 'reward_points_account_not_negative'),
    ...aMember,
    'update reward_points_account set balance = -1',
  ],
  'B-02': aMember,
  'B-03': [...aMember, pointsEntry('given', 5, 4)],
  'B-04': [...aMember, pointsEntry('earned', 2, 2), pointsEntry('earned', 3, 5)],
  'B-06': [
    ...aMember,
    pointsEntry('earned', 2, 2),
    `insert into reward_points_owed (order_id, account_id, points) select 2, account_id, 5 from reward_points_account`,
  ],
  'B-05': [`insert into reward_points_due (order_id, created_at) values (2, now() - interval '1 hour')`],
  'I-13': [aCreditRefund('booked', 100_000)],
  'I-13b': [aCreditRefund('reserved', 1)],
  'I-13c': [aCreditRefund('booked', 1)],
  // Its memo went back to the card.
  'I-13d': [aCreditRefund('booked', 10, 1)],
  'G-01': ['alter table pos_receipt disable trigger pos_receipt_frozen'],
  'I-20': [
    without('pos_receipt', 'pos_receipt_pos_order_id_unique'),
    'alter table pos_receipt disable trigger user',
    `update pos_receipt set pos_order_id = 'the same sale'`,
  ],
  'I-20b': ['update pos_receipt set order_increment_id = null'],
  'I-20c': [
    'drop index if exists sales_order_pos_sale_id_once',
    `update sales_order set pos_sale_id = 'the same sale' where entity_id in (1, 2)`,
  ],
  'I-20d': [`update pos_receipt set order_increment_id = null, updated_at = now() - interval '8 days'`],
  'I-21': [
    `update pos_receipt set claimed_at = now(), customer_id = 99, claimed_order_id = (select min(entity_id)
      from sales_order)`,
  ],
  'I-26': [
    without('pos_terminal', 'pos_terminal_device_identifier_unique'),
    `update pos_terminal set device_identifier = 'till-1'`,
  ],
  'I-29': [
    `insert into pos_telemetry_event (recorded_on, recorded_at, received_at, event_type, event_name, value)
     select current_date - 1, now(), now() - interval '5 hours', 'counter', 'sale', 1 from generate_series(1, 3)`,
    `insert into pos_telemetry_summary (day, location_id, event_type, event_name, event_count, value_count, value_sum,
      summarised_at)
     values (current_date - 1, 0, 'counter', 'sale', 3, 3, 2, now())`,
  ],
  'V-01': [
    `insert into pos_register_report (revision, session_id, number, schema_version, terminal_id, location_id,
      opened_at, closed_at, currency_code, document, document_hash, content_hash, document_bytes)
    values (900001, 'altered', 1, 1, 1, 1, now(), now(), 'USD', '{}', repeat('0', 64), repeat('0', 64), 2)`,
  ],
  'V-02': [
    `insert into pos_register_report (revision, session_id, number, schema_version, terminal_id, location_id,
      opened_at, closed_at, currency_code, document, document_hash, content_hash, document_bytes, conflict)
    values (900002, 'marked', 1, 1, 1, 1, now(), now(), 'USD', '{}', encode(sha256('{}'), 'hex'), repeat('1', 64), 2,
      true)`,
  ],
  'D-01': [
    aSession('open'),
    `insert into pos_closing (drawer_id, number, session_id, location_id, terminal_id, business_day, document, hash,
       closed_at)
     select drawer_id, 2, session_id, 1, 1, current_date, '{"number":2}', 'x', now() from pos_register_session`,
  ],
  'D-02': [
    aSession('closed'),
    `insert into pos_closing (drawer_id, number, session_id, location_id, terminal_id, business_day, document, hash,
       closed_at)
     select drawer_id, 1, session_id, 1, 1, current_date, d.document,
       encode(sha256(convert_to(d.document, 'UTF8')), 'hex'), now()
     from pos_register_session, (select '{"number":1,"previous_hash":null,"tenders":[
       {"currency":"USD","tender":"cash","net":5}]}') d (document)`,
    `update pos_drawer d set last_number = 1, last_hash = c.hash from pos_closing c where c.drawer_id = d.drawer_id`,
  ],
  'D-03': [aSession('closed')],
  'T-01': [
    `insert into pos_audit_log_count (grain, size, bucket, counted, least_key, greatest_key)
     values ('shop', 'day', '2026-11-21', 1, 1, 1)`,
  ],
  'T-02': [
    `insert into pos_receipt_count (grain, size, bucket, counted, least_key, greatest_key)
     values ('shop', 'day', '2026-11-21', 1, 1, 1)`,
  ],
  'T-03': [`insert into pos_list_count (list, type_id, counted) values ('product', 'simple', 1)`],
  'T-04': [`update pos_movement set amount = amount + 1 where source <> 'receipt'`],
  // A receipt of the total of its paid order, whose movement was lost.
  'T-05': [
    'alter table pos_receipt disable trigger user',
    `update sales_order set total_paid = grand_total, state = 'complete', pos_credit_due = null,
      pos_layaway_status = null where pos_sale_id is not null`,
    `update pos_receipt r set grand_total = o.grand_total, currency = o.order_currency_code, payment_method = 'cash',
      order_increment_id = o.increment_id, sale_type = null, layaway_kind = null, split_payments = null
      from sales_order o where o.pos_sale_id = r.pos_order_id`,
    'delete from pos_movement',
  ],
  'I-30': [`update refund_attempt set state = 'started' where state = 'uncertain'`],
  'I-30b': [
    'delete from sale_return_comment',
    "update sale_return set is_ready = false, updated_at = now() - interval '1 hour' where return_id = 2",
  ],
  'I-30d': [
    `insert into return_process (order_id, request_key, resolution, is_online, updated_at)
     values (2, 'stuck', 'refund', false, now() - interval '1 hour')`,
  ],
  'P-01': [
    `insert into return_process (order_id, request_key, resolution, is_online, state, credit_memo_id)
     select 2, 'odd', 'refund', false, 'done', entity_id from sales_creditmemo where order_id <> 2 limit 1`,
  ],
  'P-02': [
    `insert into return_process (order_id, request_key, resolution, is_online, state, credit_memo_id,
      store_credit_issued)
     select order_id, 'odd', 'store_credit', false, 'done', entity_id, 5 from sales_creditmemo limit 1`,
  ],
  'P-03': [
    `insert into return_process (order_id, request_key, resolution, is_online, state)
     values (2, 'odd', 'refund', false, 'refused')`,
  ],
  'I-30c': [
    `create view public.pg_stat_activity as select current_database() as datname, 1 as pid, 'api' as application_name,
       'idle in transaction' as state, now() - interval '31 seconds' as xact_start, 'select 1' as query`,
    'set local search_path = public, pg_catalog',
  ],
};
