import type { EntityManager } from '@mikro-orm/postgresql';
import { snakeCase } from '../support/entity-columns.ts';
import type { Kinds } from '../support/kinds.ts';

/** What one kind of credit is kept in: accounts with a balance, and entries that are only ever added to. */
export interface Ledger<Account, Move, Entry> {
  /** The account, locked until the transaction ends. Whoever waited reads the balance that the one before left. */
  lock(em: EntityManager, move: Move): Promise<Account | undefined>;
  /** Where there is none: makes it and locks it, or says why there cannot be one. */
  open(em: EntityManager, move: Move): Promise<Account>;
  /** What the same movement wrote before. */
  find(em: EntityManager, move: Move, account: Account): Promise<Entry | undefined>;
  /** The next entry, and the balance with it. It refuses a balance that cannot be. */
  write(em: EntityManager, move: Move, account: Account): Promise<Entry | undefined>;
}

export interface Posted<Account, Entry> {
  account: Account;
  entry: Entry;
  /** The entry is an earlier one: nothing was written. */
  isRepeat: boolean;
}

/**
 * Moves an account by one entry of its ledger, in the caller's transaction: three statements, under the account's row
 * lock. The first entry may make the account.
 *
 * Safe to repeat where the ledger knows a movement again: its first entry is answered for ever. Refused as the ledger says.
 */
export async function postEntry<Account, Move, Entry>(
  em: EntityManager,
  ledger: Ledger<Account, Move, Entry>,
  move: Move,
): Promise<Posted<Account, Entry>> {
  const account = (await ledger.lock(em, move)) ?? (await ledger.open(em, move));
  // After the lock: only a statement that begins then sees what the one before wrote.
  const known = await ledger.find(em, move, account);
  if (known) return { account, entry: known, isRepeat: true };
  const entry = await ledger.write(em, move, account);
  if (!entry) throw new Error('an entry of a ledger was written and is not there');
  return { account, entry, isRepeat: false };
}

/** The tables of a ledger, and the columns that join and sum them. */
export interface LedgerTables {
  accounts: string;
  entries: string;
  accountKey: string;
  balance: string;
}

/** Entry and balance at once, at the head of a statement that reads the entry `e`. Its parameters are the entry's columns. */
export function writeEntry({ accounts, entries, accountKey, balance }: LedgerTables, takes: Kinds): string {
  const names = Object.keys(takes);
  return `
    with e as (
      insert into ${entries} (${names.map(snakeCase).join(', ')})
      values (${names.map((name) => `$${name}`).join(', ')}) returning *
    ), booked as (
      update ${accounts} a set ${balance} = e.balance_after, updated_at = e.created_at
      from e where a.${accountKey} = e.${accountKey}
    )`;
}
