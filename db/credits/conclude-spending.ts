import type { EntityManager } from '@mikro-orm/postgresql';
import type { CreditKind } from '../../domain/credits/applied-credit.ts';
import type { Amount } from '../../domain/money.ts';
import { outsideName } from '../installation/outside-name.ts';
import { of } from '../support/rows.ts';
import { sql } from '../support/sql.ts';
import { CreditSpending } from './credit.entity.ts';

type Which = Pick<Spending, 'spendingId'>;

/**
 * Records that the provider took it. A repeat changes nothing.
 *
 * @returns false where an undo began meanwhile: then it pays for nothing
 */
export const markSpent = async (em: EntityManager, { spendingId }: Which, transactionId: string): Promise<boolean> =>
  (await spent.run(em, { spendingId, transactionId })) === 1;

const spent = sql('conclude-spending.spent')`
  update credit_spending set state = 'spent', transaction_id = coalesce(transaction_id, $transactionId),
    updated_at = now()
  where spending_id = $spendingId and state in ('reserved', 'spent')`;

/** Records that the provider refused: nothing was taken under this key, nor ever will be. */
export async function markFailed(em: EntityManager, { spendingId }: Which, message: string): Promise<void> {
  await failed.run(em, { spendingId, message: message.slice(0, 1_000) });
}

const failed = sql('conclude-spending.failed')`
  update credit_spending set state = 'failed', message = $message, updated_at = now()
  where spending_id = $spendingId and state = 'reserved'`;

/**
 * Marks spendings without an order for undoing, whether they were taken or not known. Spendings of a saved order
 * stay.
 *
 * @returns those that no order claimed
 */
export async function abandonSpendings(em: EntityManager, spendings: readonly Which[]): Promise<Set<number>> {
  const rows = await abandon.all(em, { ids: spendings.map(({ spendingId }) => spendingId) });
  return new Set(rows.map(({ spendingId }) => spendingId));
}

const abandon = sql('conclude-spending.abandon')`
  update credit_spending set state = 'returning', updated_at = now()
  where spending_id = any($ids) and order_id is null and state in ('reserved', 'spent', 'returning')
  returning spending_id`;

/** Records that the provider has undone it. A repeat changes nothing. */
export async function markReturned(em: EntityManager, { spendingId }: Which): Promise<void> {
  await returned.run(em, { spendingId });
}

const returned = sql('conclude-spending.returned')`
  update credit_spending set state = 'returned', updated_at = now()
  where spending_id = $spendingId and state = 'returning'`;

/** It was not undone yet: the next sweep tries others first. */
export async function postponeSpending(em: EntityManager, { spendingId }: Which): Promise<void> {
  await behind.run(em, { spendingId });
}

const behind = sql('conclude-spending.behind')`
  update credit_spending set updated_at = now() where spending_id = $spendingId and state = 'returning'`;

/** Credit of a provider outside that an order is to be paid with. */
export interface RequestedSpending {
  /** Its position among the credits of the order. */
  position: number;
  kind: CreditKind;
  providerCode: string;
  /** Null for a gift card of a guest. */
  customerId: number | null;
  storeId: number;
  websiteId: number;
  /** Only for a gift card; a secret, never logged. */
  code: string | null;
  baseAmount: Amount;
  /** The same in the order's currency. */
  amount: Amount;
  points: number | null;
  baseCurrencyCode: string;
}

/** A recorded spending. */
export interface Spending extends RequestedSpending {
  spendingId: number;
  nameTail: string;
  state: 'reserved' | 'spent' | 'failed' | 'returning' | 'returned';
  /** The order that was saved with it. */
  orderId: number | null;
}

/** The provider's key for a spending. It never changes, so that a repeat takes nothing twice. */
export const spendKeyOf = ({ spendingId, nameTail }: Pick<Spending, 'spendingId' | 'nameTail'>): string =>
  outsideName(`credit-spending-${spendingId}`, nameTail);

/** Whether it is exactly the wanted credit. */
export const isSameSpending = (one: RequestedSpending, other: RequestedSpending): boolean =>
  one.position === other.position &&
  one.kind === other.kind &&
  one.providerCode === other.providerCode &&
  one.customerId === other.customerId &&
  one.websiteId === other.websiteId &&
  one.code === other.code &&
  one.baseAmount === other.baseAmount &&
  one.amount === other.amount &&
  one.points === other.points &&
  one.baseCurrencyCode === other.baseCurrencyCode;

/** Whether the reserved or spent credits are exactly the wanted ones. */
export const areSameSpendings = (
  standing: readonly RequestedSpending[],
  requested: readonly RequestedSpending[],
): boolean =>
  standing.length === requested.length &&
  requested.every((one) => standing.some((other) => isSameSpending(one, other)));

/** The columns of `credit_spending` that this folder's statements return. */
export const spendingParts = {
  ...of(CreditSpending, 'spendingId', 'nameTail', 'position', 'kind', 'providerCode', 'customerId', 'storeId'),
  ...of(CreditSpending, 'websiteId', 'code', 'baseAmount', 'amount', 'points', 'baseCurrencyCode', 'state', 'orderId'),
};

export const spendingColumns = `
  spending_id, name_tail, position, kind, provider_code, customer_id, store_id, website_id, code, base_amount, amount, points,
  base_currency_code, state, order_id`;
