-- The next human number of a document in a store (platform facts 5.1): nine digits, prefixed with the store's id
-- from the second store on. A sequence each, so that two sales never wait for one another; gaps are fine.
create function next_increment_id(document text, store_id bigint) returns text language plpgsql as $$
declare
  name text := format('increment_%s_%s', document, store_id);
  next bigint;
begin
  begin
    next := nextval(name);
  exception when undefined_table then
    perform pg_advisory_xact_lock(hashtext(name));
    execute format('create sequence if not exists %I', name);
    next := nextval(name);
  end;
  return case when store_id > 1 then store_id::text else '' end || lpad(next::text, 9, '0');
end $$;

-- An order that is over takes no more money, and a cancelled one stays cancelled: refuseMoneyIn and refuseReopening
-- say so to people, the database holds it against everything else.
create function sales_order_over_takes_no_money() returns trigger language plpgsql as $$
begin
  raise exception 'an order that is over takes no more money';
end $$;
create trigger sales_order_over_takes_no_money before update on sales_order
  for each row when ((new.total_paid > old.total_paid or new.base_total_paid > old.base_total_paid) and (new.state in
    ('canceled', 'closed') or new.pos_layaway_status = 'cancelled'))
  execute function sales_order_over_takes_no_money();

create function sales_order_stays_cancelled() returns trigger language plpgsql as $$
begin
  raise exception 'a cancelled order stays cancelled';
end $$;
create trigger sales_order_stays_cancelled before update on sales_order
  for each row when (old.state = 'canceled' and new.state <> 'canceled')
  execute function sales_order_stays_cancelled();
