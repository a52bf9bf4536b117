import type { EntityManager } from '@mikro-orm/postgresql';
import { integer } from '../support/kinds.ts';
import { statement } from '../support/statement.ts';

/**
 * No order has this spending, a person says: the sweep has it undone. Only one that a restore holds and that no order
 * claimed meanwhile.
 *
 * @returns false where it is not such a one; a repeat is none
 */
export const giveUpHeldSpending = async (em: EntityManager, spendingId: number): Promise<boolean> =>
  (await giveUp.run(em, { spendingId })) === 1;

const giveUp = statement({
  takes: { spendingId: integer },
  text: `
    update credit_spending set state = 'returning', held_at = null, updated_at = now()
    where spending_id = $spendingId and order_id is null and held_at is not null and state in ('reserved', 'spent')`,
});
