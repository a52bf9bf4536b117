import type { EntityManager } from '@mikro-orm/postgresql';
import { integer, integers, text } from '../support/kinds.ts';
import { of } from '../support/rows.ts';
import { statement } from '../support/statement.ts';
import { CreditSpending } from './credit-spending.entity.ts';
import type { Spending } from './spending-rows.ts';

type Which = Pick<Spending, 'spendingId'>;

/**
 * Records that the provider took it. A repeat changes nothing.
 *
 * @returns false where an undo began meanwhile: then it pays for nothing
 */
export const markSpent = async (em: EntityManager, { spendingId }: Which, transactionId: string): Promise<boolean> =>
  (await spent.run(em, { spendingId, transactionId })) === 1;

const spent = statement({
  takes: { spendingId: integer, transactionId: text },
  text: `
    update credit_spending set state = 'spent', transaction_id = coalesce(transaction_id, $transactionId),
      updated_at = now()
    where spending_id = $spendingId and state in ('reserved', 'spent')`,
});

/** Records that the provider refused: nothing was taken under this key, nor ever will be. */
export async function markFailed(em: EntityManager, { spendingId }: Which, message: string): Promise<void> {
  await failed.run(em, { spendingId, message: message.slice(0, 1_000) });
}

const failed = statement({
  takes: { spendingId: integer, message: text },
  text: `
    update credit_spending set state = 'failed', message = $message, updated_at = now()
    where spending_id = $spendingId and state = 'reserved'`,
});

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

const abandon = statement({
  takes: { ids: integers },
  gives: of(CreditSpending, 'spendingId'),
  text: `
    update credit_spending set state = 'returning', updated_at = now()
    where spending_id = any($ids) and order_id is null and state in ('reserved', 'spent', 'returning')
    returning spending_id`,
});

/** Records that the provider has undone it. A repeat changes nothing. */
export async function markReturned(em: EntityManager, { spendingId }: Which): Promise<void> {
  await returned.run(em, { spendingId });
}

const returned = statement({
  takes: { spendingId: integer },
  text: `
    update credit_spending set state = 'returned', updated_at = now()
    where spending_id = $spendingId and state = 'returning'`,
});

/** It was not undone yet: the next sweep tries others first. */
export async function postponeSpending(em: EntityManager, { spendingId }: Which): Promise<void> {
  await behind.run(em, { spendingId });
}

const behind = statement({
  takes: { spendingId: integer },
  text: `update credit_spending set updated_at = now() where spending_id = $spendingId and state = 'returning'`,
});
