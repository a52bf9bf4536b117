import type { EntityManager } from '@mikro-orm/postgresql';
import { formatAmount, money, type Amount } from '../../domain/money/amount.ts';
import {
  deltaOf,
  eventTypes,
  nextEntry,
  type WalletActor,
  type WalletChange,
} from '../../domain/store-credit/ledger.ts';
import { query } from '../support/query.ts';
import { transact } from '../support/transact.ts';
import { entryColumns, type EntryRow, whyNoWallet } from './wallet.repository.ts';

export interface NewEntry extends WalletChange {
  customerId: number;
  websiteId: number;
  source: string | null;
  /** Of this customer, website and operation; null: each call is an entry of its own. */
  idempotencyKey: string | null;
  /** Of a booking of the shop's own, which no caller can name. */
  bookingKey?: string;
  actor: WalletActor;
}

/**
 * Moves a customer's store credit by one entry of the ledger, under the wallet's row lock (spec 2.17, 4.11).
 *
 * Three statements on the hot wallet: lock, look for the key, write entry and balance at once. The first entry makes the
 * wallet and fixes its currency. Safe to repeat with a key: the first entry is answered for ever, whatever the repeat
 * asks for; without one, each call is an entry more.
 *
 * Refused with: 404 unknown customer or website · 400 a website that is not the customer's, an amount not above zero, no reason, another currency than that of
 * the stored balance, a balance below zero. A refusal leaves nothing behind, not even a wallet.
 *
 * @param replayed told where the answer is an earlier entry
 */
export async function addEntry(
  em: EntityManager,
  wanted: NewEntry,
  replayed: () => void = () => undefined,
): Promise<EntryRow> {
  const delta = deltaOf(wanted);
  return transact(em, (tx) => addUnderLock(tx, wanted, { delta, replayed }));
}

/** The same inside a caller's transaction; its order is locked before, by the caller. Refusals as above. */
export const addEntryWithin = (em: EntityManager, wanted: NewEntry): Promise<EntryRow> =>
  addUnderLock(em, wanted, { delta: deltaOf(wanted), replayed: () => undefined });

async function addUnderLock(
  em: EntityManager,
  wanted: NewEntry,
  { delta, replayed }: { delta: Amount; replayed: () => void },
): Promise<EntryRow> {
  const wallet = (await lockWallet(em, wanted)) ?? (await openWallet(em, wanted));
  const known = await findByKey(em, wallet.wallet_id, wanted);
  if (known) {
    replayed();
    return known;
  }
  const stored = { balance: money(wallet.amount), currencyCode: wallet.base_currency_code };
  const entry = nextEntry(stored, delta, wallet.website_currency_code);
  const { adminUserId = null, apiUser } = wanted.actor;
  const [written] = await query<EntryRow>(em, writeText, [
    wallet.wallet_id,
    eventTypes[wanted.operation],
    formatAmount(entry.delta),
    formatAmount(entry.balanceAfter),
    wanted.reason,
    wanted.source,
    wanted.idempotencyKey,
    wanted.bookingKey ?? null,
    adminUserId,
    apiUser?.type ?? null,
    apiUser?.id ?? null,
  ]);
  if (!written) throw new Error('a ledger entry was written and is not there');
  return written;
}

interface LockedWallet {
  wallet_id: number;
  amount: string;
  base_currency_code: string;
  website_currency_code: string;
}

/** Whoever waited reads the amount that the one before left. */
const lockText = `
select w.wallet_id, w.amount, w.base_currency_code, s.base_currency_code as website_currency_code
from store_credit_wallet w join website s on s.website_id = w.website_id
where w.customer_id = $1 and w.website_id = $2 for update of w`;

async function lockWallet(
  em: EntityManager,
  { customerId, websiteId }: { customerId: number; websiteId: number },
): Promise<LockedWallet | undefined> {
  const [wallet] = await query<LockedWallet>(em, lockText, [customerId, websiteId]);
  return wallet;
}

/**
 * Of several first entries at once one opens the wallet; the others wait for it, and lock what it left. A caller opens none
 * on a website that is not the customer's; an order placed there does, for its credit has to go somewhere.
 */
const openText = `
insert into store_credit_wallet (customer_id, website_id, base_currency_code)
select c.id, s.website_id, s.base_currency_code from customer c, website s
where c.id = $1 and s.website_id = $2 and s.website_id > 0 and (s.website_id = c.website_id or $3)
on conflict do nothing`;

async function openWallet(em: EntityManager, wanted: NewEntry): Promise<LockedWallet> {
  const { customerId, websiteId } = wanted;
  await query(em, openText, [customerId, websiteId, wanted.bookingKey !== undefined]);
  const wallet = await lockWallet(em, wanted);
  if (!wallet) throw await whyNoWallet(em, customerId, websiteId);
  return wallet;
}

/** Asked for after the lock: only a statement that begins then sees what the one before wrote. */
const textByKey = (column: 'idempotency_key' | 'booking_key') => `
select ${entryColumns} from store_credit_entry e join store_credit_wallet w on w.wallet_id = e.wallet_id
where e.wallet_id = $1 and e.event_type = $2 and e.${column} = $3`;
const callersText = textByKey('idempotency_key');
const bookingText = textByKey('booking_key');

async function findByKey(
  em: EntityManager,
  walletId: number,
  { operation, idempotencyKey, bookingKey }: NewEntry,
): Promise<EntryRow | undefined> {
  const key = bookingKey ?? idempotencyKey;
  if (key === null) return undefined;
  const text = bookingKey === undefined ? callersText : bookingText;
  const [entry] = await query<EntryRow>(em, text, [walletId, eventTypes[operation], key]);
  return entry;
}

const writeText = `
with e as (
  insert into store_credit_entry (wallet_id, event_type, delta, balance_after, reason, source, idempotency_key,
    booking_key, admin_user_id, api_user_type, api_user_id)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) returning *
), booked as (
  update store_credit_wallet w set amount = e.balance_after, updated_at = e.created_at from e
  where w.wallet_id = e.wallet_id
)
select ${entryColumns} from e join store_credit_wallet w on w.wallet_id = e.wallet_id`;
