-- The books of points prove themselves, as those of the wallet do: entries stay as they are, add up, and are what
-- the balance says.

alter table reward_points_account set (fillfactor = 70);

create function reward_points_entry_frozen() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger of a points account is only ever added to';
end $$;
create trigger reward_points_entry_frozen before update or delete on reward_points_entry
  for each row execute function reward_points_entry_frozen();
create trigger reward_points_entry_kept before truncate on reward_points_entry
  for each statement execute function reward_points_entry_frozen();

create function reward_points_entry_adds_up() returns trigger language plpgsql as $$
declare
  before numeric;
begin
  select balance_after into before from reward_points_entry
    where account_id = new.account_id and entry_id < new.entry_id order by entry_id desc limit 1;
  if new.balance_after <> coalesce(before, 0) + new.delta then
    raise exception 'entry % of a points account does not add up', new.entry_id;
  end if;
  return null;
end $$;
create constraint trigger reward_points_entry_adds_up after insert on reward_points_entry
  deferrable initially deferred for each row execute function reward_points_entry_adds_up();

create function reward_points_account_is_last() returns trigger language plpgsql as $$
declare
  held numeric;
  latest numeric;
begin
  select balance into held from reward_points_account where account_id = new.account_id;
  select balance_after into latest from reward_points_entry
    where account_id = new.account_id order by entry_id desc limit 1;
  if held is distinct from latest then
    raise exception 'points account % is not what its entries add up to', new.account_id;
  end if;
  return null;
end $$;
create constraint trigger reward_points_entry_is_counted after insert on reward_points_entry
  deferrable initially deferred for each row execute function reward_points_account_is_last();
create constraint trigger reward_points_account_is_booked after insert or update of balance on reward_points_account
  deferrable initially deferred for each row execute function reward_points_account_is_last();

create function reward_points_account_fixed() returns trigger language plpgsql as $$
begin
  raise exception 'points account % stays what it was made as', old.account_id;
end $$;
create trigger reward_points_account_fixed before update on reward_points_account
  for each row when ((new.account_id, new.customer_id, new.website_id) is distinct from (old.account_id,
    old.customer_id, old.website_id))
  execute function reward_points_account_fixed();

-- An order that is paid or refunded is put down for its points. Only orders that are a customer's and paid in full
-- ever earn.
create function reward_points_fall_due() returns trigger language plpgsql as $$
begin
  insert into reward_points_due (order_id) values (new.entity_id) on conflict do nothing;
  return null;
end $$;
create trigger reward_points_due_when_placed after insert on sales_order
  for each row when (new.customer_id is not null and new.base_total_paid > 0 and new.base_total_paid >=
    new.base_grand_total)
  execute function reward_points_fall_due();
create trigger reward_points_due_when_changed after update on sales_order
  for each row when (new.customer_id is not null and new.base_total_paid > 0 and new.base_total_paid >=
    new.base_grand_total and (new.base_total_paid, new.base_total_refunded, new.base_subtotal_refunded)
      is distinct from (old.base_total_paid, old.base_total_refunded, old.base_subtotal_refunded))
  execute function reward_points_fall_due();
