import type { EntityManager } from '@mikro-orm/postgresql';
import type { CreditKind } from '../domain/credits/applied-credit.ts';
import type { Amount } from '../domain/money.ts';
import type { WalletActor } from '../domain/store-credit.ts';
import { snakeCase, type Kinds } from './support/entity-columns.ts';

/** Credit to be taken from a store, or given back to it. */
export interface CreditMovement {
  /** One movement per key and direction, whatever a repeat contains. At most 128 characters. */
  key: string;
  orderId: number;
  /** The owner; null for a gift card of a guest. */
  customerId: number | null;
  websiteId: number;
  /** Only for a gift card; a secret, never logged. */
  code: string | null;
  /** The movement of a money balance. */
  baseAmount: Amount;
  /** The same in the order's currency, for messages. */
  amount: Amount;
  /** The movement of a points balance; null where the credit was not spent in points. */
  points: number | null;
  /** Of `baseAmount`: the order's base currency. */
  currencyCode: string;
  /** For the store's own history. */
  reason: string;
  /** The owner of the token; absent where the shop itself acts. The wallet stores it. */
  actor?: WalletActor;
}

export interface CreditMoved {
  /** Null where the store counts no money, or does not return it. */
  balanceAfter: Amount | null;
  transactionId: string;
  /** The gift card that was issued for it, because the card of the movement is disabled. */
  issuedCard?: IssuedCard;
  /** Last moment of the card that a refund renewed. */
  renewedUntil?: Date;
}

/** A gift card that a refund issued. */
export interface IssuedCard {
  cardId: number;
  /** A secret, never logged. */
  code: string;
}

/**
 * A store of credit in our own database: moved inside the caller's transaction, under a lock of its own row.
 *
 * Idempotent by key. A refusal is a `PosError` with 400 and a sentence for the cashier; the caller's transaction then
 * rolls back. Nothing outside the database is called.
 */
export interface CreditStore {
  kind: CreditKind;
  providerCode: string;
  /** Refused with 400: too low a balance, an unknown or expired card, no owner. */
  spend(em: EntityManager, movement: CreditMovement): Promise<CreditMoved>;
  giveBack(em: EntityManager, movement: CreditMovement): Promise<CreditMoved>;
}

/** The parts of a ledger: accounts with a balance, and entries that are only ever added. */
export interface Ledger<Account, Move, Entry> {
  /** Locks the account until the transaction ends, and reads the balance that the previous transaction left. */
  lock(em: EntityManager, move: Move): Promise<Account | undefined>;
  /** For a missing account: creates and locks it, or refuses with the reason. */
  open(em: EntityManager, move: Move): Promise<Account>;
  /** The entry that an earlier run of the same movement wrote. */
  find(em: EntityManager, move: Move, account: Account): Promise<Entry | undefined>;
  /** Writes the next entry and the balance. It refuses an impossible balance. */
  write(em: EntityManager, move: Move, account: Account): Promise<Entry | undefined>;
}

export interface Posted<Account, Entry> {
  account: Account;
  entry: Entry;
  /** The entry was written before; this call wrote nothing. */
  isRepeat: boolean;
}

/**
 * Moves an account by one entry of its ledger, in the caller's transaction: three statements, under the account's row
 * lock. The first entry may create the account.
 *
 * Safe to repeat where the ledger recognises a movement: it then answers its first entry. Refused as the ledger
 * defines.
 */
export async function postEntry<Account, Move, Entry>(
  em: EntityManager,
  ledger: Ledger<Account, Move, Entry>,
  move: Move,
): Promise<Posted<Account, Entry>> {
  const account = (await ledger.lock(em, move)) ?? (await ledger.open(em, move));
  // After the lock: only a statement that begins then sees what the previous transaction wrote.
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

/**
 * SQL that writes entry and balance at once, for the head of a statement that reads the entry `e`. Its parameters are
 * the entry's columns.
 */
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
