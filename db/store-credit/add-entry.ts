import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../domain/errors.ts';
import type { Amount } from '../../domain/money.ts';
import {
  deltaOf,
  eventTypes,
  nextEntry,
  refuseFinerThanCoins,
  type Operation,
  type WalletActor,
  type WalletChange,
} from '../../domain/store-credit.ts';
import {
  postEntry,
  writeEntry,
  type CreditMoved,
  type CreditMovement,
  type CreditStore,
  type Ledger,
} from '../credit-stores.ts';
import { readCreditScopeOfOrder } from '../credit-stores/read-credit-scope.ts';
import { amount, integer, orNull, text } from '../support/entity-columns.ts';
import { sql } from '../support/sql.ts';
import { statement, type RowFrom } from '../support/statement.ts';
import { transact } from '../support/transact.ts';
import { entryColumns, entryPosted, whyNoWallet, type Entry } from './wallet.repository.ts';

export interface NewEntry extends WalletChange {
  customerId: number;
  websiteId: number;
  source: string | null;
  /** Per customer, website and operation; null: each call is a new entry. */
  idempotencyKey: string | null;
  /** The key of the shop's own booking, separate from callers' keys. */
  bookingKey?: string;
  actor: WalletActor;
}

/**
 * Moves a customer's store credit by one entry of the ledger, under the wallet's row lock (spec 2.17, 4.11).
 *
 * Three statements on a busy wallet: lock, look for the key, write entry and balance at once. The first entry creates
 * the wallet and fixes its currency. Safe to repeat with a key: it always answers its first entry, whatever the
 * repeat contains. Without a key each call is a new entry.
 *
 * Refused with: 404 unknown customer or website · 400 a website that is not the customer's, an amount not above zero,
 * no reason, a currency other than the balance's, a balance below zero, an amount finer than a coin. A refusal writes
 * nothing, not even a wallet.
 *
 * @param replayed called where the answer is an earlier entry
 */
export async function addEntry(
  em: EntityManager,
  requested: NewEntry,
  replayed: () => void = () => undefined,
): Promise<Entry> {
  const move = { ...requested, delta: deltaOf(requested) };
  const { entry, isRepeat } = await transact(em, (tx) => postEntry(tx, ledger, move));
  if (isRepeat) replayed();
  return entry;
}

/** The same within a caller's transaction; the caller has locked the order before. Refusals as above. */
export const addEntryWithin = async (em: EntityManager, requested: NewEntry): Promise<Entry> =>
  (await postEntry(em, ledger, { ...requested, delta: deltaOf(requested) })).entry;

const lock = sql('add-entry.lock')`
  select w.wallet_id, w.amount, w.base_currency_code, s.base_currency_code as website_currency_code
  from store_credit_wallet w join website s on s.website_id = w.website_id
  where w.customer_id = $customerId and w.website_id = $websiteId for update of w`;

/**
 * Of concurrent first entries one creates the wallet; the others wait for it and lock it. A caller cannot create one
 * on a website that is not the customer's; an order placed there can, because its credit must go somewhere.
 */
const open = sql('add-entry.open')`
  insert into store_credit_wallet (customer_id, website_id, base_currency_code)
  select c.id, s.website_id, s.base_currency_code from customer c, website s
  where c.id = $customerId and s.website_id = $websiteId and s.website_id > 0
    and (s.website_id = c.website_id or $isBooking)
  on conflict do nothing`;

const byKey = (column: 'idempotency_key' | 'booking_key') =>
  statement({
    takes: { walletId: integer, eventType: integer, key: text },
    gives: entryPosted,
    text: `
      select ${entryColumns} from store_credit_entry e join store_credit_wallet w on w.wallet_id = e.wallet_id
      where e.wallet_id = $walletId and e.event_type = $eventType and e.${column} = $key`,
  });
const findOfCaller = byKey('idempotency_key');
const findOfBooking = byKey('booking_key');

const tables = {
  accounts: 'store_credit_wallet',
  entries: 'store_credit_entry',
  accountKey: 'wallet_id',
  balance: 'amount',
};

const written = {
  walletId: integer,
  eventType: integer,
  delta: amount,
  balanceAfter: amount,
  reason: text,
  source: orNull(text),
  idempotencyKey: orNull(text),
  bookingKey: orNull(text),
  adminUserId: orNull(integer),
  apiUserType: orNull(text),
  apiUserId: orNull(integer),
};

const write = sql('add-entry.write', { takes: written, gives: entryPosted })`
  ${writeEntry(tables, written)}
  select ${entryColumns} from e join store_credit_wallet w on w.wallet_id = e.wallet_id`;

const ledger: Ledger<RowFrom<typeof lock>, NewEntry & { delta: Amount }, Entry> = {
  lock: (em, { customerId, websiteId }) => lock.first(em, { customerId, websiteId }),
  async open(em, { customerId, websiteId, bookingKey }) {
    await open.run(em, { customerId, websiteId, isBooking: bookingKey !== undefined });
    const wallet = await lock.first(em, { customerId, websiteId });
    if (!wallet) throw await whyNoWallet(em, customerId, websiteId);
    return wallet;
  },
  async find(em, { operation, idempotencyKey, bookingKey }, { walletId }) {
    const eventType = eventTypes[operation];
    if (bookingKey !== undefined) return findOfBooking.first(em, { walletId, eventType, key: bookingKey });
    return idempotencyKey === null ? undefined : findOfCaller.first(em, { walletId, eventType, key: idempotencyKey });
  },
  write(em, { operation, delta, reason, source, idempotencyKey, bookingKey = null, actor }, wallet) {
    const stored = { balance: wallet.amount, currencyCode: wallet.baseCurrencyCode };
    const entry = nextEntry(stored, delta, wallet.websiteCurrencyCode);
    if (bookingKey === null) refuseFinerThanCoins(entry, wallet.baseCurrencyCode);
    const { adminUserId = null, apiUser } = actor;
    return write.first(em, {
      ...entry,
      ...{ walletId: wallet.walletId, eventType: eventTypes[operation] },
      ...{ reason, source, idempotencyKey, bookingKey, adminUserId },
      ...{ apiUserType: apiUser?.type ?? null, apiUserId: apiUser?.id ?? null },
    });
  },
};

/**
 * Store credit as a credit store for orders: the customer's wallet on the order's website (spec 4.6, 4.11). Where the
 * merchant disabled it none is taken; credit spent before still comes back.
 */
export const walletStore: CreditStore = {
  kind: 'store_credit',
  providerCode: 'store_credit',

  async spend(em, movement) {
    const scope = await readCreditScopeOfOrder(em, movement.orderId);
    if (scope && !scope.settings.flag('vendor_store_credit/general/enabled'))
      throw invalid('Store credit is not taken here.');
    return move(em, 'debit', movement);
  },

  giveBack: (em, movement) => move(em, 'credit', movement),
};

async function move(em: EntityManager, operation: Operation, movement: CreditMovement): Promise<CreditMoved> {
  const { customerId, websiteId, baseAmount, reason, key } = movement;
  if (customerId === null) throw invalid('Store credit belongs to a customer account; this order has none.');
  const entry = await addEntryWithin(em, {
    customerId,
    websiteId,
    operation,
    amount: baseAmount,
    reason,
    source: 'order',
    idempotencyKey: null,
    bookingKey: key,
    actor: movement.actor ?? {},
  });
  return { balanceAfter: entry.balanceAfter, transactionId: entry.entryId };
}
