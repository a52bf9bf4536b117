-- The wallet's books prove themselves: entries stay as they are, add up, and are what the balance says.

alter table store_credit_wallet set (fillfactor = 70);

create function store_credit_entry_frozen() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger of store credit is only ever added to';
end $$;
create trigger store_credit_entry_frozen before update or delete on store_credit_entry
  for each row execute function store_credit_entry_frozen();
create trigger store_credit_entry_kept before truncate on store_credit_entry
  for each statement execute function store_credit_entry_frozen();

-- Asked at the end of the transaction, of each entry: does it go on where the one before it ended? Deferred: an
-- entry and the balance it leaves are written by one statement, in either order.
create function store_credit_entry_adds_up() returns trigger language plpgsql as $$
declare
  before numeric;
begin
  select balance_after into before from store_credit_entry
    where wallet_id = new.wallet_id and entry_id < new.entry_id order by entry_id desc limit 1;
  if new.balance_after <> coalesce(before, 0) + new.delta then
    raise exception 'entry % of store credit does not add up', new.entry_id;
  end if;
  return null;
end $$;
create constraint trigger store_credit_entry_adds_up after insert on store_credit_entry
  deferrable initially deferred for each row execute function store_credit_entry_adds_up();

-- Asked at the end of the transaction, of the wallet and of each entry: is the balance what the last entry says?
create function store_credit_balance_is_last() returns trigger language plpgsql as $$
declare
  balance numeric;
  latest numeric;
begin
  select amount into balance from store_credit_wallet where wallet_id = new.wallet_id;
  select balance_after into latest from store_credit_entry
    where wallet_id = new.wallet_id order by entry_id desc limit 1;
  if balance is distinct from latest then
    raise exception 'wallet % of store credit is not what its entries add up to', new.wallet_id;
  end if;
  return null;
end $$;
create constraint trigger store_credit_entry_is_counted after insert on store_credit_entry
  deferrable initially deferred for each row execute function store_credit_balance_is_last();
create constraint trigger store_credit_wallet_is_booked after insert or update of amount on store_credit_wallet
  deferrable initially deferred for each row execute function store_credit_balance_is_last();

create function store_credit_wallet_fixed() returns trigger language plpgsql as $$
begin
  raise exception 'wallet % of store credit keeps its customer, website and currency', old.wallet_id;
end $$;
create trigger store_credit_wallet_fixed before update on store_credit_wallet
  for each row when ((new.wallet_id, new.customer_id, new.website_id, new.base_currency_code) is distinct from
    (old.wallet_id, old.customer_id, old.website_id, old.base_currency_code))
  execute function store_credit_wallet_fixed();
