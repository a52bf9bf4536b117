import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../support/sql.ts';

/**
 * A person says that no order has this spending: the sweep then undoes it. Only for one that a restore holds and no
 * order has claimed.
 *
 * @returns false for any other spending, and for a repeat
 */
export const giveUpHeldSpending = async (em: EntityManager, spendingId: number): Promise<boolean> =>
  (await giveUp.run(em, { spendingId })) === 1;

const giveUp = sql('give-up-held-spending.giveUp')`
  update credit_spending set state = 'returning', held_at = null, updated_at = now()
  where spending_id = $spendingId and order_id is null and held_at is not null and state in ('reserved', 'spent')`;
