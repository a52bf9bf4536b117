import type { EntityManager } from '@mikro-orm/postgresql';
import { integer, integers, text } from '../support/kinds.ts';
import { of } from '../support/rows.ts';
import { statement } from '../support/statement.ts';
import { CreditSpending } from './credit-spending.entity.ts';
import type { Spending } from './spending-rows.ts';

type Which = Pick<Spending, 'spendingId'>;

/**
 * The provider took it. A repeat changes nothing.
 *
 * @returns false where somebody began to undo it meanwhile: it pays for nothing
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

/** The provider said no: nothing was taken under this key, nor ever will be. */
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
 * No order comes for them: from now on they are to be undone, whether they were spent or nobody knows. What an order was
 * saved with stays.
 *
 * @returns those that nobody claimed
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

/** The provider has undone it. A repeat changes nothing. */
export async function markReturned(em: EntityManager, { spendingId }: Which): Promise<void> {
  await returned.run(em, { spendingId });
}

const returned = statement({
  takes: { spendingId: integer },
  text: `
    update credit_spending set state = 'returned', updated_at = now()
    where spending_id = $spendingId and state = 'returning'`,
});

/** It was not undone yet: the next sweep tries others before it. */
export async function putSpendingBehind(em: EntityManager, { spendingId }: Which): Promise<void> {
  await behind.run(em, { spendingId });
}

const behind = statement({
  takes: { spendingId: integer },
  text: `update credit_spending set updated_at = now() where spending_id = $spendingId and state = 'returning'`,
});
