-- What went out to customers, by its time: written beside its source, with the shop and the way that are known then. A
-- return that is linked to its memo afterwards, in the same transaction, tells both.

create function ops_day_shop_of(ordered bigint) returns bigint language sql stable as $$
  select p.location_id from sales_order o join pos_receipt p on p.order_increment_id = o.increment_id
  where o.entity_id = ordered order by p.receipt_id limit 1
$$;

create function ops_day_of_memo() returns trigger language plpgsql as $$
begin
  insert into ops_day_entry (source, source_id, occurred_at, credit_memo_id, location_id, tender, currency, amount)
  select 'memo', new.entity_id, new.created_at, new.entity_id, coalesce(r.location_id, ops_day_shop_of(new.order_id)),
    coalesce(a.payment_method, r.refund_method, y.method, '?'), coalesce(o.order_currency_code, '?'),
    new.grand_total
  from sales_order o
  left join sales_order_payment y on y.order_id = o.entity_id
  left join refund_attempt a on a.attempt_id = new.refund_attempt_id
  left join sale_return r on r.return_id = a.return_id
  where o.entity_id = new.order_id
  on conflict do nothing;
  return null;
end $$;
create trigger ops_day_of_memo after insert on sales_creditmemo
  for each row when (new.figures_from <> 'save') execute function ops_day_of_memo();

create function ops_day_of_return() returns trigger language plpgsql as $$
begin
  update ops_day_entry e set location_id = coalesce(new.location_id, e.location_id),
    tender = case when e.source = 'memo' then coalesce(
      (select a.payment_method from refund_attempt a where a.credit_memo_id = new.credit_memo_id limit 1),
      new.refund_method, e.tender) else e.tender end
  where e.credit_memo_id = new.credit_memo_id;
  return null;
end $$;
create trigger ops_day_of_new_return after insert on sale_return
  for each row when (new.credit_memo_id is not null) execute function ops_day_of_return();
create trigger ops_day_of_return after update of credit_memo_id, refund_method, location_id on sale_return
  for each row when (new.credit_memo_id is not null) execute function ops_day_of_return();

create function ops_day_of_credit_return() returns trigger language plpgsql as $$
begin
  insert into ops_day_entry (source, source_id, occurred_at, credit_memo_id, location_id, tender, currency, amount)
  select 'credit_return', new.credit_return_id, new.created_at, new.credit_memo_id,
    coalesce((select r.location_id from sale_return r where r.credit_memo_id = new.credit_memo_id limit 1),
      ops_day_shop_of(k.order_id)), k.kind, coalesce(o.order_currency_code, '?'), new.amount
  from order_credit k join sales_order o on o.entity_id = k.order_id
  where k.credit_id = new.credit_id
  on conflict do nothing;
  return null;
end $$;
create trigger ops_day_of_credit_return after insert on order_credit_return
  for each row when (new.amount > 0) execute function ops_day_of_credit_return();

create function ops_day_of_credit_refund() returns trigger language plpgsql as $$
begin
  insert into ops_day_entry (source, source_id, occurred_at, location_id, tender, currency, amount)
  values ('credit_refund', new.refund_id, new.concluded_at, ops_day_shop_of(new.order_id), new.kind,
    coalesce(new.currency_code, '?'), new.amount)
  on conflict do nothing;
  return null;
end $$;
create trigger ops_day_of_credit_refund after insert or update of state on credit_refund
  for each row when (new.state = 'booked') execute function ops_day_of_credit_refund();

-- What the office gave has no shop.
create function ops_day_of_wallet() returns trigger language plpgsql as $$
begin
  insert into ops_day_entry (source, source_id, occurred_at, tender, currency, amount)
  select 'wallet_entry', new.entry_id, new.created_at, 'store_credit', w.base_currency_code, new.delta
  from store_credit_wallet w where w.wallet_id = new.wallet_id
  on conflict do nothing;
  return null;
end $$;
create trigger ops_day_of_wallet after insert on store_credit_entry
  for each row when (new.booking_key is null and new.delta > 0) execute function ops_day_of_wallet();

create function ops_day_of_card() returns trigger language plpgsql as $$
begin
  insert into ops_day_entry (source, source_id, occurred_at, tender, currency, amount)
  select 'card_entry', new.entry_id, new.created_at, 'gift_card', g.base_currency_code, new.delta
  from gift_card g where g.card_id = new.card_id
  on conflict do nothing;
  return null;
end $$;
create trigger ops_day_of_card after insert on gift_card_entry
  for each row when (new.order_id is null and new.delta > 0) execute function ops_day_of_card();

-- An incident is paid out when it is closed with the proof. Store credit has an entry of its own wallet.
create function ops_day_of_incident() returns trigger language plpgsql as $$
begin
  insert into ops_day_entry (source, source_id, occurred_at, location_id, tender, currency, amount)
  select 'incident', new.case_id, new.closed_at, coalesce(r.location_id, ops_day_shop_of(a.order_id)),
    case new.means when 'cash' then 'cash' when 'transfer' then 'banktransfer' else a.payment_method end,
    new.currency_code, new.amount
  from refund_attempt a left join sale_return r on r.return_id = a.return_id
  where a.attempt_id = new.attempt_id
  on conflict do nothing;
  return null;
end $$;
create trigger ops_day_of_incident after update of closed_at on refund_case
  for each row when (old.closed_at is null and new.closed_at is not null and new.means <> 'store_credit')
  execute function ops_day_of_incident();

-- Nothing of it is ever deleted; should a person take some out all the same, it did not go out.
create function ops_day_forgotten() returns trigger language plpgsql as $$
begin
  delete from ops_day_entry where source = tg_argv[0] and source_id = (to_jsonb(old) ->> tg_argv[1])::bigint;
  return null;
end $$;
create trigger ops_day_memo_forgotten after delete on sales_creditmemo
  for each row execute function ops_day_forgotten('memo', 'entity_id');
create trigger ops_day_credit_return_forgotten after delete on order_credit_return
  for each row execute function ops_day_forgotten('credit_return', 'credit_return_id');
create trigger ops_day_incident_forgotten after delete on refund_case
  for each row execute function ops_day_forgotten('incident', 'case_id');
create trigger ops_day_credit_refund_forgotten after delete on credit_refund
  for each row execute function ops_day_forgotten('credit_refund', 'refund_id');
