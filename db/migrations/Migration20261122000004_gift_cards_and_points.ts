import { Migration } from '@mikro-orm/migrations';

interface Ledger {
  /** What people call it in a message. */
  words: string;
  account: string;
  entry: string;
  id: string;
  /** What an account keeps for ever. */
  fixed: readonly string[];
}

const ledgers: readonly Ledger[] = [
  {
    words: 'gift card',
    account: 'gift_card',
    entry: 'gift_card_entry',
    id: 'card_id',
    fixed: ['card_id', 'code', 'code_key', 'website_id', 'base_currency_code'],
  },
  {
    words: 'points account',
    account: 'reward_points_account',
    entry: 'reward_points_entry',
    id: 'account_id',
    fixed: ['account_id', 'customer_id', 'website_id'],
  },
];

/**
 * The books of gift cards and points prove themselves, as those of the wallet do: entries stay as they are, add up, and
 * are what the balance says. And an order that is paid or refunded is put down for its points.
 */
export class Migration20261122000004_gift_cards_and_points extends Migration {
  override up(): void {
    for (const ledger of ledgers) {
      this.addSql(`alter table ${ledger.account} set (fillfactor = 70)`);
      for (const [name, make] of functionsOf(ledger))
        this.addSql(`create function ${name}() returns trigger language plpgsql as $$ ${make} $$`);
      for (const trigger of triggersOf(ledger)) this.addSql(`create ${trigger}`);
    }
    this.addSql(`create function reward_points_fall_due() returns trigger language plpgsql as $$ ${fallDue} $$`);
    for (const trigger of dueTriggers) this.addSql(`create ${trigger}`);
  }

  override down(): void {
    this.addSql(`drop trigger reward_points_due_when_placed on sales_order`);
    this.addSql(`drop trigger reward_points_due_when_changed on sales_order`);
    this.addSql(`drop function reward_points_fall_due`);
    for (const ledger of ledgers) {
      const { account, entry } = ledger;
      for (const name of ['frozen', 'kept', 'adds_up', 'is_counted'])
        this.addSql(`drop trigger ${entry}_${name} on ${entry}`);
      for (const name of ['is_booked', 'fixed']) this.addSql(`drop trigger ${account}_${name} on ${account}`);
      for (const [name] of functionsOf(ledger)) this.addSql(`drop function ${name}`);
      this.addSql(`alter table ${account} reset (fillfactor)`);
    }
  }
}

const functionsOf = ({ words, account, entry, id }: Ledger): readonly (readonly [name: string, make: string])[] => [
  [
    `${entry}_frozen`,
    `
begin
  raise exception 'the ledger of a ${words} is only ever added to';
end`,
  ],
  [
    // Asked at the end of the transaction, of each entry: does it go on where the one before it ended?
    `${entry}_adds_up`,
    `
declare
  before numeric;
begin
  select balance_after into before from ${entry}
    where ${id} = new.${id} and entry_id < new.entry_id order by entry_id desc limit 1;
  if new.balance_after <> coalesce(before, 0) + new.delta then
    raise exception 'entry % of a ${words} does not add up', new.entry_id;
  end if;
  return null;
end`,
  ],
  [
    // Asked at the end of the transaction, of the account and of each entry: is the balance what the last entry says?
    `${account}_is_last`,
    `
declare
  held numeric;
  latest numeric;
begin
  select balance into held from ${account} where ${id} = new.${id};
  select balance_after into latest from ${entry} where ${id} = new.${id} order by entry_id desc limit 1;
  if held is distinct from latest then
    raise exception '${words} % is not what its entries add up to', new.${id};
  end if;
  return null;
end`,
  ],
  [
    `${account}_fixed`,
    `
begin
  raise exception '${words} % stays what it was made as', old.${id};
end`,
  ],
];

/** Deferred: an entry and the balance it leaves are written by one statement, in either order. */
const atTheEnd = 'deferrable initially deferred for each row';
const row = (prefix: string, columns: readonly string[]) =>
  `(${columns.map((column) => `${prefix}.${column}`).join(', ')})`;

const triggersOf = ({ account, entry, fixed }: Ledger): readonly string[] => [
  `trigger ${entry}_frozen before update or delete on ${entry} for each row execute function ${entry}_frozen()`,
  `trigger ${entry}_kept before truncate on ${entry} for each statement execute function ${entry}_frozen()`,
  `constraint trigger ${entry}_adds_up after insert on ${entry} ${atTheEnd} execute function ${entry}_adds_up()`,
  `constraint trigger ${entry}_is_counted after insert on ${entry} ${atTheEnd} execute function ${account}_is_last()`,
  `constraint trigger ${account}_is_booked after insert or update of balance on ${account} ${atTheEnd}
    execute function ${account}_is_last()`,
  `trigger ${account}_fixed before update on ${account} for each row
    when (${row('new', fixed)} is distinct from ${row('old', fixed)}) execute function ${account}_fixed()`,
];

const fallDue = `
begin
  insert into reward_points_due (order_id) values (new.entity_id) on conflict do nothing;
  return null;
end`;

/** Only of orders that are a customer's and paid in full; no others ever earn. */
const isPaid = `new.customer_id is not null and new.base_total_paid > 0 and new.base_total_paid >= new.base_grand_total`;

const dueTriggers = [
  `trigger reward_points_due_when_placed after insert on sales_order for each row
    when (${isPaid}) execute function reward_points_fall_due()`,
  `trigger reward_points_due_when_changed after update on sales_order for each row
    when (${isPaid} and (new.base_total_paid, new.base_total_refunded) is distinct from
      (old.base_total_paid, old.base_total_refunded)) execute function reward_points_fall_due()`,
];
