import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../domain/errors.ts';
import { nextPointsBalance, type PointsEntryKind } from '../../domain/reward-points/ledger.ts';
import { whyNoWallet } from '../store-credit/wallet.repository.ts';
import { query } from '../support/query.ts';

export interface PointsMove {
  customerId: number;
  websiteId: number;
  kind: PointsEntryKind;
  /** Whole points; below zero where some are taken. Worked out only for a key that has not moved any. */
  delta: number | (() => number);
  orderId: number | null;
  reason: string;
  key: string;
}

export interface PointsMoved {
  entryId: string;
  balanceAfter: number;
}

/**
 * Moves a customer's points by one entry of the ledger, in the caller's transaction, under the account's row lock.
 *
 * The first entry makes the account. Safe to repeat: the first entry of a key is answered for ever.
 *
 * Refused with: 404 unknown customer or website · 400 a balance below zero, or a key that moved another account.
 */
export async function movePoints(em: EntityManager, move: PointsMove): Promise<PointsMoved> {
  const account = (await lockAccount(em, move)) ?? (await openAccount(em, move));
  const known = await findByKey(em, move.key);
  if (known) return answerOf(known, account);
  const { kind, orderId, reason, key } = move;
  const delta = typeof move.delta === 'number' ? move.delta : move.delta();
  const balanceAfter = nextPointsBalance(account.balance, delta);
  const values = [account.account_id, kind, delta, balanceAfter, orderId, reason, key];
  const [written] = await query<EntryRow>(em, writeText, values);
  if (!written) throw new Error('an entry of points was written and is not there');
  return answerOf(written, account);
}

interface LockedAccount {
  account_id: number;
  balance: number;
}

interface EntryRow {
  entry_id: string;
  account_id: number;
  balance_after: number;
}

type Owner = Pick<PointsMove, 'customerId' | 'websiteId'>;

/** Whoever waited reads the balance that the one before left. */
const lockText = `
select account_id, balance from reward_points_account where customer_id = $1 and website_id = $2 for update`;

async function lockAccount(em: EntityManager, { customerId, websiteId }: Owner): Promise<LockedAccount | undefined> {
  const [account] = await query<LockedAccount>(em, lockText, [customerId, websiteId]);
  return account;
}

/** Of several first entries at once one opens the account; the others wait for it, and lock what it left. */
const openText = `
insert into reward_points_account (customer_id, website_id)
select c.id, s.website_id from customer c, website s where c.id = $1 and s.website_id = $2 and s.website_id > 0
on conflict do nothing`;

async function openAccount(em: EntityManager, owner: Owner): Promise<LockedAccount> {
  await query(em, openText, [owner.customerId, owner.websiteId]);
  const account = await lockAccount(em, owner);
  if (!account) throw await whyNoWallet(em, owner.customerId, owner.websiteId);
  return account;
}

/** Asked for after the lock: only a statement that begins then sees what the one before wrote. */
const keyText = `select entry_id, account_id, balance_after from reward_points_entry where key = $1`;

async function findByKey(em: EntityManager, key: string): Promise<EntryRow | undefined> {
  const [entry] = await query<EntryRow>(em, keyText, [key]);
  return entry;
}

const writeText = `
with e as (
  insert into reward_points_entry (account_id, kind, delta, balance_after, order_id, reason, key)
  values ($1, $2, $3, $4, $5, $6, $7) returning *
), booked as (
  update reward_points_account a set balance = e.balance_after, updated_at = e.created_at
  from e where a.account_id = e.account_id
)
select entry_id, account_id, balance_after from e`;

function answerOf(entry: EntryRow, account: LockedAccount): PointsMoved {
  if (entry.account_id !== account.account_id) throw invalid('This key already moved the points of somebody else.');
  return { entryId: entry.entry_id, balanceAfter: entry.balance_after };
}
