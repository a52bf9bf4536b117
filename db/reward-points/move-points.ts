import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../domain/errors.ts';
import { nextPointsBalance, type PointsEntryKind } from '../../domain/reward-points/ledger.ts';
import { whyNoWallet } from '../store-credit/wallet.repository.ts';
import { bigText, integer, orNull, text } from '../support/kinds.ts';
import { statement, type RowFrom } from '../support/statement.ts';

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
  const { customerId, websiteId, kind, orderId, reason, key } = move;
  const account = (await lock.first(em, { customerId, websiteId })) ?? (await openAccount(em, move));
  // After the lock: only a statement that begins then sees what the one before wrote.
  const known = await findByKey.first(em, { key });
  if (known) return answerOf(known, account);
  const delta = typeof move.delta === 'number' ? move.delta : move.delta();
  const balanceAfter = nextPointsBalance(account.balance, delta);
  const { accountId } = account;
  const written = await write.first(em, { accountId, kind, delta, balanceAfter, orderId, reason, key });
  if (!written) throw new Error('an entry of points was written and is not there');
  return answerOf(written, account);
}

/** Whoever waited reads the balance that the one before left. */
const lock = statement({
  takes: { customerId: integer, websiteId: integer },
  gives: { accountId: integer, balance: integer },
  text: `
    select account_id, balance from reward_points_account
    where customer_id = $customerId and website_id = $websiteId for update`,
});

/** Of several first entries at once one opens the account; the others wait for it, and lock what it left. */
const open = statement({
  takes: { customerId: integer, websiteId: integer },
  text: `
    insert into reward_points_account (customer_id, website_id)
    select c.id, s.website_id from customer c, website s
    where c.id = $customerId and s.website_id = $websiteId and s.website_id > 0
    on conflict do nothing`,
});

type Account = RowFrom<typeof lock>;

async function openAccount(em: EntityManager, { customerId, websiteId }: PointsMove): Promise<Account> {
  await open.run(em, { customerId, websiteId });
  const account = await lock.first(em, { customerId, websiteId });
  if (!account) throw await whyNoWallet(em, customerId, websiteId);
  return account;
}

const entry = { entryId: bigText, accountId: integer, balanceAfter: integer };

const findByKey = statement({
  takes: { key: text },
  gives: entry,
  text: 'select entry_id, account_id, balance_after from reward_points_entry where key = $key',
});

const write = statement({
  takes: {
    accountId: integer,
    kind: text,
    delta: integer,
    balanceAfter: integer,
    orderId: orNull(integer),
    reason: text,
    key: text,
  },
  gives: entry,
  text: `
    with e as (
      insert into reward_points_entry (account_id, kind, delta, balance_after, order_id, reason, key)
      values ($accountId, $kind, $delta, $balanceAfter, $orderId, $reason, $key) returning *
    ), booked as (
      update reward_points_account a set balance = e.balance_after, updated_at = e.created_at
      from e where a.account_id = e.account_id
    )
    select entry_id, account_id, balance_after from e`,
});

function answerOf({ entryId, accountId, balanceAfter }: RowFrom<typeof write>, account: Account): PointsMoved {
  if (accountId !== account.accountId) throw invalid('This key already moved the points of somebody else.');
  return { entryId, balanceAfter };
}
