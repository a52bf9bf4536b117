-- The books of gift cards prove themselves, as those of the wallet do: entries stay as they are, add up, and are
-- what the balance says.

alter table gift_card set (fillfactor = 70);

create function gift_card_entry_frozen() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger of a gift card is only ever added to';
end $$;
create trigger gift_card_entry_frozen before update or delete on gift_card_entry
  for each row execute function gift_card_entry_frozen();
create trigger gift_card_entry_kept before truncate on gift_card_entry
  for each statement execute function gift_card_entry_frozen();

create function gift_card_entry_adds_up() returns trigger language plpgsql as $$
declare
  before numeric;
begin
  select balance_after into before from gift_card_entry
    where card_id = new.card_id and entry_id < new.entry_id order by entry_id desc limit 1;
  if new.balance_after <> coalesce(before, 0) + new.delta then
    raise exception 'entry % of a gift card does not add up', new.entry_id;
  end if;
  return null;
end $$;
create constraint trigger gift_card_entry_adds_up after insert on gift_card_entry
  deferrable initially deferred for each row execute function gift_card_entry_adds_up();

create function gift_card_is_last() returns trigger language plpgsql as $$
declare
  held numeric;
  latest numeric;
begin
  select balance into held from gift_card where card_id = new.card_id;
  select balance_after into latest from gift_card_entry where card_id = new.card_id order by entry_id desc limit 1;
  if held is distinct from latest then
    raise exception 'gift card % is not what its entries add up to', new.card_id;
  end if;
  return null;
end $$;
create constraint trigger gift_card_entry_is_counted after insert on gift_card_entry
  deferrable initially deferred for each row execute function gift_card_is_last();
create constraint trigger gift_card_is_booked after insert or update of balance on gift_card
  deferrable initially deferred for each row execute function gift_card_is_last();

-- The ledger checks need the moment: money that comes to a disabled card cannot be spent.
create function gift_card_disabled() returns trigger language plpgsql as $$
begin
  new.disabled_at := case when new.state = 'disabled' then clock_timestamp() end;
  return new;
end $$;
create trigger gift_card_disabled before insert or update of state on gift_card
  for each row execute function gift_card_disabled();

create function gift_card_fixed() returns trigger language plpgsql as $$
begin
  raise exception 'gift card % stays what it was made as', old.card_id;
end $$;
create trigger gift_card_fixed before update on gift_card
  for each row when ((new.card_id, new.code, new.code_key, new.website_id, new.base_currency_code) is distinct from
    (old.card_id, old.code, old.code_key, old.website_id, old.base_currency_code))
  execute function gift_card_fixed();
