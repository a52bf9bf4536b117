-- A receipt is what the customer holds: only its token, the order's number and the claim are ever written again.
-- Whoever asks to be forgotten is taken out of it (db/customers/erase-customer.ts); its figures stay frozen.
create function pos_receipt_frozen() returns trigger language plpgsql as $$
declare free text[] := array['token_digest', 'sealed_token', 'order_increment_id', 'customer_id', 'claimed_at',
    'claimed_order_id', 'updated_at'];
begin
  if current_setting('pos.erases_names', true) = 'yes' then
    free := free || array['customer_name', 'customer_email', 'raw_payload', 'receipt_model',
      'ship_to_shipments', 'backorder_shipments'];
  end if;
  if to_jsonb(new) - free is distinct from to_jsonb(old) - free then
    raise exception 'receipt % is frozen', old.receipt_id;
  end if;
  return null;
end $$;
create trigger pos_receipt_frozen after update of receipt_id, pos_order_id, sale_id, terminal_id, location_id, staff_id,
    staff_name, terminal_name, location_name, payment_method, subtotal, tax_amount, discount_amount, grand_total,
    currency, created_at, receipt_number, amount_tendered, change_due, raw_payload, receipt_model, sale_type,
    credit_memo_id, rma_id, original_order_increment_id, shipping_refund, adjustment_positive, adjustment_negative,
    layaway_kind, layaway_amount_captured, layaway_total_paid, layaway_balance_owed, layaway_expires_at, split_payments,
    ship_to_shipments, backorder_shipments, applied_credits, terminal_provider, terminal_payment_id,
    terminal_dashboard_url, terminal_info, terminal_raw_payload, is_reverse_charge, points_earned, customer_name,
    customer_email, register_session_uuid on pos_receipt
  for each row execute function pos_receipt_frozen();

create function pos_receipt_item_frozen() returns trigger language plpgsql as $$
begin
  raise exception 'the lines of receipt % are frozen', old.receipt_id;
end $$;
create trigger pos_receipt_item_frozen after update on pos_receipt_item
  for each row execute function pos_receipt_item_frozen();

-- One claim per receipt, and whose it is, it stays.
create function pos_receipt_stays_claimed() returns trigger language plpgsql as $$
begin
  if old.claimed_at is not null and (new.customer_id, new.claimed_at, new.claimed_order_id)
    is distinct from (old.customer_id, old.claimed_at, old.claimed_order_id) then
    raise exception 'receipt % is claimed', old.receipt_id;
  end if;
  return null;
end $$;
create trigger pos_receipt_stays_claimed after update of customer_id, claimed_at, claimed_order_id on pos_receipt
  for each row execute function pos_receipt_stays_claimed();

-- The link of a receipt to its order in one round trip. The block with its handler is the savepoint: what fails in
-- it is undone alone, and the order is saved all the same. The update sees a receipt that was committed while the
-- lock was waited for, because every statement of the function looks anew.
create function pos_link_receipt(sale text, order_number text) returns text language plpgsql volatile as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('sale ' || sale, 0));
  update pos_receipt set order_increment_id = order_number, updated_at = now()
  where pos_order_id = sale and order_increment_id is null;
  return null;
exception when others or query_canceled then
  return sqlstate || ' ' || sqlerrm;
end $$;
