import type { EntityManager } from '@mikro-orm/postgresql';
import { postEntry, writeEntry, type Ledger } from '../credit-stores/post-entry.ts';
import { invalid } from '../../domain/errors.ts';
import { nextPointsBalance, type PointsEntryKind } from '../../domain/reward-points/ledger.ts';
import { whyNoWallet } from '../store-credit/wallet.repository.ts';
import { bigText, integer, orNull, text } from '../support/kinds.ts';
import { statement, type RowFrom } from '../support/statement.ts';

export interface PointsMove {
  customerId: number;
  websiteId: number;
  kind: PointsEntryKind;
  /** Whole points; negative to take some. A function is called only for a key that has not moved any. */
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
 * The first entry creates the account. Safe to repeat: a key always answers its first entry.
 *
 * Refused with: 404 unknown customer or website · 400 a balance below zero, or a key that moved another account.
 */
export async function movePoints(em: EntityManager, move: PointsMove): Promise<PointsMoved> {
  const { account, entry } = await postEntry(em, ledger, move);
  if (entry.accountId !== account.accountId) throw invalid('This key already moved the points of somebody else.');
  return { entryId: entry.entryId, balanceAfter: entry.balanceAfter };
}

const lock = statement({
  takes: { customerId: integer, websiteId: integer },
  gives: { accountId: integer, balance: integer },
  text: `
    select account_id, balance from reward_points_account
    where customer_id = $customerId and website_id = $websiteId for update`,
});

/** Of concurrent first entries one creates the account; the others wait for it and lock it. */
const open = statement({
  takes: { customerId: integer, websiteId: integer },
  text: `
    insert into reward_points_account (customer_id, website_id)
    select c.id, s.website_id from customer c, website s
    where c.id = $customerId and s.website_id = $websiteId and s.website_id > 0
    on conflict do nothing`,
});

const entry = { entryId: bigText, accountId: integer, balanceAfter: integer };

const findByKey = statement({
  takes: { key: text },
  gives: entry,
  text: 'select entry_id, account_id, balance_after from reward_points_entry where key = $key',
});

const tables = {
  accounts: 'reward_points_account',
  entries: 'reward_points_entry',
  accountKey: 'account_id',
  balance: 'balance',
};

const written = {
  accountId: integer,
  kind: text,
  delta: integer,
  balanceAfter: integer,
  orderId: orNull(integer),
  reason: text,
  key: text,
};

const write = statement({
  takes: written,
  gives: entry,
  text: `${writeEntry(tables, written)} select entry_id, account_id, balance_after from e`,
});

const ledger: Ledger<RowFrom<typeof lock>, PointsMove, RowFrom<typeof write>> = {
  lock: (em, { customerId, websiteId }) => lock.first(em, { customerId, websiteId }),
  async open(em, { customerId, websiteId }) {
    await open.run(em, { customerId, websiteId });
    const account = await lock.first(em, { customerId, websiteId });
    if (!account) throw await whyNoWallet(em, customerId, websiteId);
    return account;
  },
  find: (em, { key }) => findByKey.first(em, { key }),
  write(em, { kind, delta: wanted, orderId, reason, key }, { accountId, balance }) {
    const delta = typeof wanted === 'number' ? wanted : wanted();
    const balanceAfter = nextPointsBalance(balance, delta);
    return write.first(em, { accountId, kind, delta, balanceAfter, orderId, reason, key });
  },
};
