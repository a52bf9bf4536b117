import type { EntityManager } from '@mikro-orm/postgresql';
import { query } from '../support/query.ts';
import type { Spending } from './spending-rows.ts';

type Which = Pick<Spending, 'spendingId'>;

/**
 * The provider took it. A repeat changes nothing.
 *
 * @returns false where somebody began to undo it meanwhile: it pays for nothing
 */
export async function markSpent(em: EntityManager, { spendingId }: Which, transactionId: string): Promise<boolean> {
  const rows = await query(em, spentText, [spendingId, transactionId]);
  return rows.length === 1;
}

const spentText = `
update credit_spending set state = 'spent', transaction_id = coalesce(transaction_id, $2), updated_at = now()
where spending_id = $1 and state in ('reserved', 'spent')
returning spending_id`;

/** The provider said no: nothing was taken under this key, nor ever will be. */
export const markFailed = (em: EntityManager, { spendingId }: Which, message: string) =>
  query(
    em,
    `update credit_spending set state = 'failed', message = $2, updated_at = now()
     where spending_id = $1 and state = 'reserved'`,
    [spendingId, message.slice(0, 1_000)],
  );

/**
 * No order comes for them: from now on they are to be undone, whether they were spent or nobody knows. What an order was
 * saved with stays.
 *
 * @returns those that nobody claimed
 */
export async function abandonSpendings(em: EntityManager, spendings: readonly Which[]): Promise<Set<number>> {
  const ids = spendings.map(({ spendingId }) => spendingId);
  const rows = await query<{ spending_id: number }>(em, abandonText, [ids]);
  return new Set(rows.map((row) => row.spending_id));
}

const abandonText = `
update credit_spending set state = 'returning', updated_at = now()
where spending_id = any($1) and order_id is null and state in ('reserved', 'spent', 'returning')
returning spending_id`;

/** The provider has undone it. A repeat changes nothing. */
export const markReturned = (em: EntityManager, { spendingId }: Which) =>
  query(
    em,
    `update credit_spending set state = 'returned', updated_at = now() where spending_id = $1 and state = 'returning'`,
    [spendingId],
  );

/** It was not undone yet: the next sweep tries others before it. */
export const putSpendingBehind = (em: EntityManager, { spendingId }: Which) =>
  query(em, `update credit_spending set updated_at = now() where spending_id = $1 and state = 'returning'`, [
    spendingId,
  ]);
