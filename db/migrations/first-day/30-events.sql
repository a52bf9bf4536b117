-- Events are told by the tables themselves, in the transaction that changes them: whatever writes a row tells of it,
-- and a sale needs no statement more (docs/inside/events.md).

create sequence pos_event_places;

-- Gives committed events their places in the feed, in the order of their ids, one caller at a time. What comes first of
-- one object is committed before the second begins, so a look that sees the second sees the first: places keep that
-- order, and an event that commits late gets a later place. Nobody waits: who comes second leaves it to the first. Each
-- statement of a function sees what was committed before it, so nobody numbers from an old look.
create function pos_give_places(most integer) returns integer language plpgsql as $$
declare
  given integer;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('places of events', 0)) then return 0; end if;
  with placed as materialized (
    select event_id, nextval('pos_event_places') as place
    from (select event_id from pos_event where sequence is null order by event_id limit most) without
  )
  update pos_event e set sequence = p.place from placed p where e.event_id = p.event_id;
  get diagnostics given = row_count;
  return given;
end $$;

-- Ids and places that were never used, also not in a time that the books have lost: milliseconds are more than events.
create function pos_leave_event_numbers() returns void language plpgsql as $$
declare
  unused bigint := (extract(epoch from clock_timestamp()) * 1000)::bigint;
begin
  perform setval('pos_event_event_id_seq', greatest(unused, nextval('pos_event_event_id_seq')));
  perform setval('pos_event_places', greatest(unused, nextval('pos_event_places')));
end $$;

create function pos_tell_order_in() returns trigger language plpgsql as $$
declare
  facts jsonb := jsonb_build_object('increment_id', new.increment_id, 'state', new.state, 'status', new.status,
    'currency', new.order_currency_code, 'grand_total', trim_scale(new.grand_total), 'total_paid', trim_scale(new.total_paid),
    'total_due', trim_scale(new.total_due), 'total_refunded', trim_scale(new.total_refunded), 'customer_id', new.customer_id,
    'pos_sale_id', new.pos_sale_id)
    || case when new.pos_layaway_status is null then '{}'::jsonb else jsonb_build_object(
      'layaway_status', new.pos_layaway_status, 'layaway_balance_owed', trim_scale(new.pos_layaway_balance_owed),
      'layaway_expires_at', new.pos_layaway_expires_at) end;
  types text[] := array['order.placed',
    case when new.total_due = 0 and new.state <> 'canceled' and (new.state <> 'closed' or new.total_paid >= new.grand_total) then 'order.paid' end,
    case when new.state = 'canceled' then 'order.cancelled' end,
    case when new.pos_layaway_status is not null then 'layaway.opened' end];
begin 
  insert into pos_event (type, object_kind, object_id, facts) select told, 'order', new.entity_id::text, facts from unnest(types) told where told is not null;
  return null;
end
$$;

create function pos_tell_order() returns trigger language plpgsql as $$
declare
  facts jsonb := jsonb_build_object('increment_id', new.increment_id, 'state', new.state, 'status', new.status,
    'currency', new.order_currency_code, 'grand_total', trim_scale(new.grand_total), 'total_paid', trim_scale(new.total_paid),
    'total_due', trim_scale(new.total_due), 'total_refunded', trim_scale(new.total_refunded), 'customer_id', new.customer_id,
    'pos_sale_id', new.pos_sale_id)
    || case when new.pos_layaway_status is null then '{}'::jsonb else jsonb_build_object(
      'layaway_status', new.pos_layaway_status, 'layaway_balance_owed', trim_scale(new.pos_layaway_balance_owed),
      'layaway_expires_at', new.pos_layaway_expires_at) end || jsonb_build_object('paid', trim_scale(new.total_paid - old.total_paid));
  types text[] := array[
    case when new.total_due = 0 and old.total_due > 0 and new.state not in ('canceled', 'closed') and new.pos_layaway_status is distinct from 'cancelled' then 'order.paid' end,
    case when new.state = 'canceled' and old.state <> 'canceled' then 'order.cancelled' end];
begin
  if new.pos_layaway_status is not null then
    types := types || array[
      case when old.pos_layaway_status is null then 'layaway.opened' end,
      case when new.total_paid > old.total_paid then 'layaway.paid' end,
      case when new.pos_layaway_status = 'stale' and old.pos_layaway_status <> 'stale' then 'layaway.stale' end,
      case when (new.pos_layaway_status = 'cancelled' or new.state = 'canceled') and not (old.pos_layaway_status = 'cancelled' or old.state = 'canceled') then 'layaway.cancelled' end,
      case when (new.pos_layaway_status = 'ready_to_settle' and new.state not in ('pending_payment', 'canceled')) and not (old.pos_layaway_status = 'ready_to_settle' and old.state not in ('pending_payment', 'canceled')) then 'layaway.settled' end];
  end if; 
  insert into pos_event (type, object_kind, object_id, facts) select told, 'order', new.entity_id::text, facts from unnest(types) told where told is not null;
  return null;
end
$$;

create function pos_tell_memo() returns trigger language plpgsql as $$
begin
  insert into pos_event (type, object_kind, object_id, facts) select 'order.refunded', 'order', o.entity_id::text, jsonb_build_object('increment_id', o.increment_id,
    'credit_memo_id', new.entity_id, 'credit_memo_increment_id', new.increment_id, 'currency', o.order_currency_code,
    'refunded', trim_scale(new.grand_total), 'base_refunded', trim_scale(new.base_grand_total), 'is_online', new.is_online)
  from sales_order o where o.entity_id = new.order_id;
  return null;
end
$$;

create function pos_tell_return_in() returns trigger language plpgsql as $$
declare
  facts jsonb := jsonb_build_object('increment_id', new.increment_id, 'order_id', new.order_id, 'status', new.status,
    'location_id', new.location_id, 'credit_memo_id', new.credit_memo_id, 'refund_method', new.refund_method);
  types text[] := array['return.created',
    case when new.status in ('received', 'received_partially', 'items_received') then 'return.received' end,
    case when new.credit_memo_id is not null then 'return.settled' end,
    case when new.status in ('resolved', 'closed', 'processed_closed') then 'return.closed' end,
    case when new.status in ('rejected', 'denied') then 'return.refused' end];
begin 
  insert into pos_event (type, object_kind, object_id, facts) select told, 'return', new.return_id::text, facts from unnest(types) told where told is not null;
  return null;
end
$$;

-- What came in by the goods is told by them.
create function pos_tell_return() returns trigger language plpgsql as $$
declare
  facts jsonb := jsonb_build_object('increment_id', new.increment_id, 'order_id', new.order_id, 'status', new.status,
    'location_id', new.location_id, 'credit_memo_id', new.credit_memo_id, 'refund_method', new.refund_method);
  types text[] := array[
    case when new.status in ('received', 'received_partially', 'items_received') and old.status not in ('received', 'received_partially', 'items_received') and old.status <> 'awaiting_refund' and not exists (
      select from sale_return_movement m join sale_return_item i on i.entity_id = m.return_item_id
      where i.return_id = new.return_id and m.kind = 'received') then 'return.received' end,
    case when new.credit_memo_id is not null and old.credit_memo_id is null then 'return.settled' end,
    case when new.status in ('resolved', 'closed', 'processed_closed') and old.status not in ('resolved', 'closed', 'processed_closed') then 'return.closed' end,
    case when new.status in ('rejected', 'denied') and old.status not in ('rejected', 'denied') then 'return.refused' end];
begin 
  insert into pos_event (type, object_kind, object_id, facts) select told, 'return', new.return_id::text, facts from unnest(types) told where told is not null;
  return null;
end
$$;

-- A return's status is written at the end of its transaction, and may pass over the arrival; its goods do not.
create function pos_tell_goods() returns trigger language plpgsql as $$
begin
  insert into pos_event (type, object_kind, object_id, facts) select distinct 'return.received', 'return', r.return_id::text, jsonb_build_object('increment_id', r.increment_id,
    'order_id', r.order_id, 'status', r.status, 'location_id', r.location_id, 'credit_memo_id', r.credit_memo_id,
    'refund_method', r.refund_method)
  from added a join sale_return_item i on i.entity_id = a.return_item_id join sale_return r on r.return_id = i.return_id
  where a.kind = 'received';
  return null;
end
$$;

create function pos_tell_attempt() returns trigger language plpgsql as $$
declare
  before text := case when tg_op = 'UPDATE' then old.state end;
  facts jsonb := jsonb_build_object('order_id', new.order_id, 'return_id', new.return_id, 'state', new.state,
    'payment_method', new.payment_method, 'amount', trim_scale(new.amount), 'currency', new.currency_code,
    'credit_memo_id', new.credit_memo_id);
  types text[] := array[
    case when new.state = 'uncertain' and before is distinct from 'uncertain' then 'refund.uncertain' end,
    case when new.state in ('booked', 'failed') and before = 'uncertain' then 'refund.decided' end];
begin 
  insert into pos_event (type, object_kind, object_id, facts) select told, 'refund', new.attempt_id::text, facts from unnest(types) told where told is not null;
  return null;
end
$$;

create function pos_tell_wallet() returns trigger language plpgsql as $$
begin
  insert into pos_event (type, object_kind, object_id, facts) select 'credit.changed', 'store_credit', w.wallet_id::text, jsonb_build_object('entry_id', new.entry_id,
    'delta', trim_scale(new.delta), 'balance', trim_scale(new.balance_after), 'currency', w.base_currency_code,
    'customer_id', w.customer_id, 'website_id', w.website_id)
  from store_credit_wallet w where w.wallet_id = new.wallet_id;
  return null;
end
$$;

-- Never the code: it is as good as the money.
create function pos_tell_card() returns trigger language plpgsql as $$
begin
  insert into pos_event (type, object_kind, object_id, facts) select 'credit.changed', 'gift_card', c.card_id::text, jsonb_build_object('entry_id', new.entry_id,
    'delta', trim_scale(new.delta), 'balance', trim_scale(new.balance_after), 'currency', c.base_currency_code,
    'website_id', c.website_id, 'order_id', new.order_id)
  from gift_card c where c.card_id = new.card_id;
  return null;
end
$$;

create function pos_tell_points() returns trigger language plpgsql as $$
begin
  insert into pos_event (type, object_kind, object_id, facts) select 'credit.changed', 'reward_points', a.account_id::text, jsonb_build_object('entry_id', new.entry_id,
    'delta', new.delta, 'balance', new.balance_after, 'customer_id', a.customer_id, 'website_id', a.website_id,
    'order_id', new.order_id)
  from reward_points_account a where a.account_id = new.account_id;
  return null;
end
$$;

create function pos_tell_receipt() returns trigger language plpgsql as $$
declare
  facts jsonb := jsonb_build_object('pos_order_id', new.pos_order_id, 'order_increment_id', new.order_increment_id,
    'location_id', new.location_id, 'terminal_id', new.terminal_id, 'grand_total', trim_scale(new.grand_total),
    'currency', new.currency, 'sale_type', new.sale_type, 'customer_id', new.customer_id,
    'claimed_order_id', new.claimed_order_id);
begin
  insert into pos_event (type, object_kind, object_id, facts) values (case when tg_op = 'INSERT' then 'receipt.synced' else 'receipt.claimed' end, 'receipt',
    new.receipt_id::text, facts);
  return null;
end
$$;

create function pos_tell_stock() returns trigger language plpgsql as $$
declare
  item inventory_source_item := coalesce(new, old);
begin
  insert into pos_event (type, object_kind, object_id, facts) values ('stock.moved', 'stock', item.sku, jsonb_build_object('sku', item.sku, 'source_code', item.source_code,
    'quantity_before', case when tg_op = 'INSERT' then 0 else trim_scale(old.quantity) end,
    'quantity', case when tg_op = 'DELETE' then 0 else trim_scale(new.quantity) end, 'status', item.status));
  return null;
end
$$;

-- A customer is saved with the addresses, statement by statement, and told of once: as long as nobody else comes between.
create function pos_tell_customer() returns trigger language plpgsql as $$
declare
  untold text[] := '{updated_at, password_hash, confirmation}';
  who bigint;
  as_told text;
begin
  if tg_op = 'UPDATE' and to_jsonb(new) - untold is not distinct from to_jsonb(old) - untold then return null; end if;
  if tg_table_name = 'customer' then who := coalesce(to_jsonb(new), to_jsonb(old)) ->> 'id';
  else who := coalesce(to_jsonb(new) ->> 'customer_id', to_jsonb(old) ->> 'customer_id');
  end if;
  as_told := pg_current_xact_id()::text || ':' || who;
  if (tg_op <> 'DELETE' or tg_table_name <> 'customer') and current_setting('pos.told_customer', true) = as_told then return null; end if;
  if tg_table_name <> 'customer' and not exists (select from customer where id = who) then return null; end if;
  perform set_config('pos.told_customer', as_told, true);
  insert into pos_event (type, object_kind, object_id, facts) values ('customer.changed', 'customer', who::text, jsonb_build_object('change', case
    when tg_table_name <> 'customer' then 'changed' when tg_op = 'INSERT' then 'created'
    when tg_op = 'DELETE' then 'deleted' else 'changed' end));
  return null;
end
$$;

create function pos_tell_terminal() returns trigger language plpgsql as $$
declare
  it pos_terminal := coalesce(new, old);
  before text := case when tg_op <> 'INSERT' and old.is_active then old.device_identifier end;
  now_bound text := case when tg_op <> 'DELETE' and new.is_active then new.device_identifier end;
  facts jsonb := jsonb_build_object('location_id', it.location_id, 'is_active', tg_op <> 'DELETE' and it.is_active);
  types text[] := array[
    case when before is not null and now_bound is distinct from before then 'terminal.revoked' end,
    case when now_bound is not null and now_bound is distinct from before then 'terminal.activated' end];
begin 
  insert into pos_event (type, object_kind, object_id, facts) select told, 'terminal', it.terminal_id::text, facts from unnest(types) told where told is not null;
  return null;
end
$$;

-- The store view whose own values a change touched, by its code: of a website it is the default view. Null: values of
-- everywhere changed only, or those of several views.
create function pos_view_of_change(before jsonb, after jsonb) returns text language sql stable as $$
  with changed as (
    select left(key, 1) as scope, substr(key, 2)::bigint as id
    from (select jsonb_object_keys(before || after) as key) k
    where before -> key is distinct from after -> key and key ~ '^[sw][0-9]{1,16}$'
  ), views as (
    select id from changed where scope = 's'
    union
    select g.default_store_id from changed c join website w on w.website_id = c.id
      join store_group g on g.group_id = w.default_group_id
    where c.scope = 'w' and not exists (select from changed where scope = 's')
  )
  select min(v.code) from views join store_view v on v.store_id = views.id having count(*) = 1
$$;

create function pos_tell_product() returns trigger language plpgsql as $$
declare
  it product := coalesce(new, old);
  view_code text;
begin
  if tg_op = 'UPDATE' and to_jsonb(new) - 'updated_at' is not distinct from to_jsonb(old) - 'updated_at' then return null; end if;
  if tg_op = 'UPDATE' and new.scoped_values is distinct from old.scoped_values then
    view_code := pos_view_of_change(old.scoped_values, new.scoped_values);
  end if;
  insert into pos_event (type, object_kind, object_id, facts) values ('product.changed', 'product', it.entity_id::text, jsonb_build_object('sku', it.sku, 'change', case
    when tg_op = 'INSERT' then 'created' when tg_op = 'DELETE' then 'deleted' else 'changed' end)
    || case when view_code is null then '{}' else jsonb_build_object('store_view', view_code) end);
  return null;
end
$$;

create function pos_tell_content() returns trigger language plpgsql as $$
begin
  insert into pos_event (type, object_kind, object_id, facts) select 'content.published', 'content', i.content_id::text, jsonb_build_object('kind', i.kind,
    'identifier', i.identifier, 'store_id', i.store_id, 'number', new.number)
  from content_item i where i.content_id = new.content_id;
  return null;
end
$$;

create function pos_tell_endpoint() returns trigger language plpgsql as $$
begin
  insert into pos_event (type, object_kind, object_id, facts) values ('endpoint.paused', 'endpoint', new.endpoint_id::text, jsonb_build_object(
    'description', new.description, 'failing_since', new.failing_since, 'reason', new.paused_for));
  return null;
end
$$;

-- A row that changes otherwise costs a comparison and calls nothing.
create trigger pos_told_in after insert on sales_order for each row execute function pos_tell_order_in();

create trigger pos_told after update on sales_order for each row when (old.state is distinct from new.state or old.total_paid is distinct from new.total_paid or old.total_due is distinct from new.total_due or old.pos_layaway_status is distinct from new.pos_layaway_status) execute function pos_tell_order();

create trigger pos_told after insert on sales_creditmemo for each row when (new.state = 2) execute function pos_tell_memo();

create trigger pos_told_in after insert on sale_return for each row execute function pos_tell_return_in();

create trigger pos_told after update on sale_return for each row when (old.status is distinct from new.status or old.credit_memo_id is distinct from new.credit_memo_id) execute function pos_tell_return();

create trigger pos_told after insert on sale_return_movement referencing new table as added for each statement execute function pos_tell_goods();

create trigger pos_told_in after insert on refund_attempt for each row when (new.state = 'uncertain') execute function pos_tell_attempt();

create trigger pos_told after update on refund_attempt for each row when (old.state is distinct from new.state) execute function pos_tell_attempt();

create trigger pos_told after insert on store_credit_entry for each row execute function pos_tell_wallet();

create trigger pos_told after insert on gift_card_entry for each row execute function pos_tell_card();

create trigger pos_told after insert on reward_points_entry for each row execute function pos_tell_points();

create trigger pos_told_in after insert on pos_receipt for each row execute function pos_tell_receipt();

create trigger pos_told after update on pos_receipt for each row when (old.claimed_at is null and new.claimed_at is not null) execute function pos_tell_receipt();

create trigger pos_told_in after insert or delete on inventory_source_item for each row execute function pos_tell_stock();

create trigger pos_told after update on inventory_source_item for each row when (old.quantity is distinct from new.quantity) execute function pos_tell_stock();

create trigger pos_told after insert or update or delete on customer for each row execute function pos_tell_customer();

create trigger pos_told after insert or update or delete on customer_address for each row execute function pos_tell_customer();

-- Whether the newsletter goes to a customer is shown with the customer.
create trigger pos_told_in after insert or delete on newsletter_subscriber for each row execute function pos_tell_customer();

create trigger pos_told after update on newsletter_subscriber for each row when (old.status is distinct from new.status or old.customer_id is distinct from new.customer_id) execute function pos_tell_customer();

create trigger pos_told after insert or update or delete on pos_terminal for each row execute function pos_tell_terminal();

create trigger pos_told after insert or update or delete on product for each row execute function pos_tell_product();

create trigger pos_told_in after insert on content_publication for each row execute function pos_tell_content();

create trigger pos_told after update on content_publication for each row when (old.number is distinct from new.number or old.published_at is distinct from new.published_at) execute function pos_tell_content();

create trigger pos_told after update on webhook_endpoint for each row when (new.state = 'paused' and old.state <> 'paused') execute function pos_tell_endpoint();
