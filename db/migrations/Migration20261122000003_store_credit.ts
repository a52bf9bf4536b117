import { Migration } from '@mikro-orm/migrations';

/** The wallet's books prove themselves: entries stay as they are, add up, and are what the balance says. */
export class Migration20261122000003_store_credit extends Migration {
  override up(): void {
    this.addSql(`alter table store_credit_wallet set (fillfactor = 70)`);
    for (const { name, make } of functions) {
      this.addSql(`create function ${name}() returns trigger language plpgsql as $$ ${make} $$`);
    }
    for (const { kind, name, when, table, each, run } of triggers) {
      this.addSql(`create ${kind} ${name} ${when} on ${table} ${each} execute function ${run}()`);
    }
  }

  override down(): void {
    for (const { name, table } of triggers) this.addSql(`drop trigger ${name} on ${table}`);
    for (const { name } of functions) this.addSql(`drop function ${name}`);
    this.addSql(`alter table store_credit_wallet reset (fillfactor)`);
  }
}

const functions = [
  {
    name: 'store_credit_entry_frozen',
    make: `
begin
  raise exception 'the ledger of store credit is only ever added to';
end`,
  },
  {
    /** Asked at the end of the transaction, of each entry: does it go on where the one before it ended? */
    name: 'store_credit_entry_adds_up',
    make: `
declare
  before numeric;
begin
  select balance_after into before from store_credit_entry
    where wallet_id = new.wallet_id and entry_id < new.entry_id order by entry_id desc limit 1;
  if new.balance_after <> coalesce(before, 0) + new.delta then
    raise exception 'entry % of store credit does not add up', new.entry_id;
  end if;
  return null;
end`,
  },
  {
    /** Asked at the end of the transaction, of the wallet and of each entry: is the balance what the last entry says? */
    name: 'store_credit_balance_is_last',
    make: `
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
end`,
  },
  {
    name: 'store_credit_wallet_fixed',
    make: `
begin
  raise exception 'wallet % of store credit keeps its customer, website and currency', old.wallet_id;
end`,
  },
];

/** Deferred: an entry and the balance it leaves are written by one statement, in either order. */
const atTheEnd = 'deferrable initially deferred for each row';

const triggers = [
  {
    kind: 'trigger',
    name: 'store_credit_entry_frozen',
    when: 'before update or delete',
    table: 'store_credit_entry',
    each: 'for each row',
    run: 'store_credit_entry_frozen',
  },
  {
    kind: 'trigger',
    name: 'store_credit_entry_kept',
    when: 'before truncate',
    table: 'store_credit_entry',
    each: 'for each statement',
    run: 'store_credit_entry_frozen',
  },
  {
    kind: 'constraint trigger',
    name: 'store_credit_entry_adds_up',
    when: 'after insert',
    table: 'store_credit_entry',
    each: atTheEnd,
    run: 'store_credit_entry_adds_up',
  },
  {
    kind: 'constraint trigger',
    name: 'store_credit_entry_is_counted',
    when: 'after insert',
    table: 'store_credit_entry',
    each: atTheEnd,
    run: 'store_credit_balance_is_last',
  },
  {
    kind: 'constraint trigger',
    name: 'store_credit_wallet_is_booked',
    when: 'after insert or update of amount',
    table: 'store_credit_wallet',
    each: atTheEnd,
    run: 'store_credit_balance_is_last',
  },
  {
    kind: 'trigger',
    name: 'store_credit_wallet_fixed',
    when: 'before update',
    table: 'store_credit_wallet',
    each: `for each row when (
      (new.wallet_id, new.customer_id, new.website_id, new.base_currency_code)
      is distinct from (old.wallet_id, old.customer_id, old.website_id, old.base_currency_code))`,
    run: 'store_credit_wallet_fixed',
  },
];
