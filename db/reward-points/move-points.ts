import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../domain/errors.ts';
import { coinOf, toCoins, type Amount } from '../../domain/money.ts';
import {
  leastPoints,
  nextPointsBalance,
  pointsRules,
  worthOf,
  type PointsEntryKind,
} from '../../domain/reward-points.ts';
import {
  postEntry,
  writeEntry,
  type CreditMoved,
  type CreditMovement,
  type CreditStore,
  type Ledger,
} from '../credit-stores.ts';
import { readCreditScopeOfOrder } from '../credit-stores/read-credit-scope.ts';
import { whyNoWallet } from '../store-credit/wallet.repository.ts';
import { bigText, integer, orNull, text } from '../support/entity-columns.ts';
import { sql } from '../support/sql.ts';
import type { RowFrom } from '../support/statement.ts';

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
  /** After what was owed is taken. */
  balanceAfter: number;
  /** What was taken at once for goods that came back after their points were spent. */
  owedTaken: number;
}

/**
 * Moves a customer's points by one entry of the ledger, in the caller's transaction, under the account's row lock.
 *
 * The first entry creates the account. Points that are owed are taken from what comes in. Safe to repeat: a key always
 * answers its first entry.
 *
 * Refused with: 404 unknown customer or website · 400 a balance below zero, or a key that moved another account.
 */
export async function movePoints(em: EntityManager, move: PointsMove): Promise<PointsMoved> {
  const { account, entry, isRepeat } = await postEntry(em, ledger, move);
  if (entry.accountId !== account.accountId) throw invalid('This key already moved the points of somebody else.');
  const { entryId, balanceAfter } = entry;
  const owedTaken =
    isRepeat || balanceAfter <= account.balance ? 0 : await takeOwed(em, move, { ...account, balance: balanceAfter });
  return { entryId, balanceAfter: balanceAfter - owedTaken, owedTaken };
}

export interface PointsToVoid {
  customerId: number;
  websiteId: number;
  orderId: number;
  orderNumber: string;
  /** How many, above none. */
  points: number;
}

/**
 * Takes points of an order back, in the caller's transaction, under the locks of order and account. What was spent
 * since is owed from now on: it is taken from the next points of the account. Not safe to repeat by itself: the caller
 * counts what is void and owed already.
 */
export async function voidPoints(em: EntityManager, input: PointsToVoid): Promise<void> {
  const { customerId, websiteId, orderId, orderNumber, points } = input;
  const account = await lock.first(em, { customerId, websiteId });
  if (!account) return;
  const taken = Math.min(points, account.balance);
  if (taken > 0)
    await take(em, {
      customerId,
      websiteId,
      orderId,
      points: taken,
      reason: `Voided: order ${orderNumber} was refunded`,
    });
  if (taken < points) await owe.run(em, { orderId, accountId: account.accountId, points: points - taken });
}

/** Takes what an account owes, the oldest first, as far as it goes. @returns how many points */
async function takeOwed(
  em: EntityManager,
  { customerId, websiteId }: PointsMove,
  { accountId, balance }: RowFrom<typeof lock>,
): Promise<number> {
  let left = balance;
  for (const { orderId, orderNumber, points } of await readOwed.all(em, { accountId })) {
    const taken = Math.min(points, left);
    if (taken <= 0) break;
    const reason = `Voided: order ${orderNumber} was refunded after its points were spent`;
    await take(em, { customerId, websiteId, orderId, points: taken, reason });
    await (taken === points ? settle.run(em, { orderId }) : lower.run(em, { orderId, points: taken }));
    left -= taken;
  }
  return balance - left;
}

interface Taking extends Pick<PointsMove, 'customerId' | 'websiteId' | 'reason'> {
  orderId: number;
  points: number;
}

async function take(em: EntityManager, { points, orderId, ...account }: Taking): Promise<void> {
  const voided = (await countVoided.first(em, { orderId }))?.voided ?? 0;
  const key = `order-${orderId}-voided-${voided + points}`;
  await postEntry(em, ledger, { ...account, kind: 'voided', delta: -points, orderId, key });
}

const countVoided = sql('move-points.countVoided')`
  select coalesce(-sum(delta), 0)::int as voided from reward_points_entry
  where order_id = $orderId and kind = 'voided'`;

const owe = sql('move-points.owe')`
  insert into reward_points_owed as o (order_id, account_id, points) values ($orderId, $accountId, $points)
  on conflict (order_id) do update set points = o.points + excluded.points`;

/** A customer has few of them: each is an order that was refunded when the account was empty. */
const readOwed = sql('move-points.readOwed', { gives: { orderId: integer } })`
  select w.order_id, s.increment_id as order_number, w.points
  from reward_points_owed w join sales_order s on s.entity_id = w.order_id
  where w.account_id = $accountId order by w.created_at, w.order_id limit 100`;

const settle = sql('move-points.settle')`delete from reward_points_owed where order_id = $orderId`;

const lower = sql('move-points.lower')`
  update reward_points_owed set points = points - $points where order_id = $orderId`;

const lock = sql('move-points.lock')`
  select account_id, balance from reward_points_account
  where customer_id = $customerId and website_id = $websiteId for update`;

/** Of concurrent first entries one creates the account; the others wait for it and lock it. */
const open = sql('move-points.open')`
  insert into reward_points_account (customer_id, website_id)
  select c.id, s.website_id from customer c, website s
  where c.id = $customerId and s.website_id = $websiteId and s.website_id > 0
  on conflict do nothing`;

const entry = { entryId: bigText, accountId: integer, balanceAfter: integer };

const findByKey = sql('move-points.findByKey', { gives: entry })`
  select entry_id, account_id, balance_after from reward_points_entry where key = $key`;

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

const write = sql('move-points.write', {
  takes: written,
  gives: entry,
})`${writeEntry(tables, written)} select entry_id, account_id, balance_after from e`;

const ledger: Ledger<RowFrom<typeof lock>, PointsMove, RowFrom<typeof write>> = {
  lock: (em, { customerId, websiteId }) => lock.first(em, { customerId, websiteId }),
  async open(em, { customerId, websiteId }) {
    await open.run(em, { customerId, websiteId });
    const account = await lock.first(em, { customerId, websiteId });
    if (!account) throw await whyNoWallet(em, customerId, websiteId);
    return account;
  },
  find: (em, { key }) => findByKey.first(em, { key }),
  write(em, { kind, delta: requested, orderId, reason, key }, { accountId, balance }) {
    const delta = typeof requested === 'number' ? requested : requested();
    const balanceAfter = nextPointsBalance(balance, delta);
    return write.first(em, { accountId, kind, delta, balanceAfter, orderId, reason, key });
  },
};

/**
 * Reward points as a credit store for orders. A register sends the points, and their value must equal the amount they
 * pay.
 */
export const pointsStore: CreditStore = {
  kind: 'reward_points',
  providerCode: 'reward_points',

  async spend(em, movement) {
    const points = movement.points ?? 0;
    await refuseUnlessWorth(em, { orderId: movement.orderId, points, baseAmount: movement.baseAmount });
    return move(em, movement, { kind: 'spent', delta: -points });
  },

  giveBack: (em, movement) => move(em, movement, { kind: 'returned', delta: movement.points ?? 0 }),
};

/** By the present terms of the order's store view. */
async function refuseUnlessWorth(
  em: EntityManager,
  { orderId, points, baseAmount }: { orderId: number; points: number; baseAmount: Amount },
): Promise<void> {
  const scope = await readCreditScopeOfOrder(em, orderId);
  const rules = scope && pointsRules(scope.settings);
  if (!scope || !rules?.isEnabled) throw invalid('Reward points are not taken here.');
  if (points <= 0) throw invalid('Say how many points are spent.');
  if (points < leastPoints(rules)) throw invalid('At least %1 points have to be spent at once.', [leastPoints(rules)]);
  if (points % rules.granularity !== 0) throw invalid('Points are spent in steps of %1.', [rules.granularity]);
  const worth = toCoins(worthOf(points, rules), coinOf(scope.baseCurrencyCode));
  if (worth < baseAmount) throw invalid('%1 points are not worth that much.', [points]);
}

async function move(
  em: EntityManager,
  { key, customerId, websiteId, orderId, reason }: CreditMovement,
  { kind, delta }: { kind: PointsEntryKind; delta: number },
): Promise<CreditMoved> {
  if (customerId === null) throw invalid('Points belong to a customer.');
  if (delta === 0) return { balanceAfter: null, transactionId: key };
  // A key allows one movement in each direction.
  const moved = await movePoints(em, { customerId, websiteId, kind, delta, orderId, reason, key: `${kind}:${key}` });
  return { balanceAfter: null, transactionId: `points-entry-${moved.entryId}` };
}
