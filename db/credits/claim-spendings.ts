import type { EntityManager } from '@mikro-orm/postgresql';
import { unavailable } from '../../domain/errors.ts';
import { integer, integers, surely } from '../support/kinds.ts';
import { statement } from '../support/statement.ts';
import { wasPlaced } from './reserve-spendings.ts';
import type { Spending } from './spending-rows.ts';

/**
 * Claims outside spendings for the order that is being saved, in its transaction: once, and only while no undo has
 * begun.
 *
 * Refused with: 400 another order has it · 503 it is being undone: a repeat of the same order spends again.
 */
export async function claimSpendings(
  em: EntityManager,
  orderId: number,
  spendings: readonly Pick<Spending, 'spendingId'>[],
): Promise<void> {
  if (spendings.length === 0) return;
  const ids = spendings.map(({ spendingId }) => spendingId);
  if ((await claim.run(em, { orderId, ids })) === ids.length) return;
  const rival = await findRival.first(em, { ids, orderId });
  if (rival) throw await wasPlaced(em, rival.orderId);
  throw unavailable('The credit of this order is being given back. Send the order again.');
}

const claim = statement({
  takes: { orderId: integer, ids: integers },
  text: `
    update credit_spending set order_id = $orderId, updated_at = now()
    where spending_id = any($ids) and state = 'spent' and order_id is null`,
});

const findRival = statement({
  takes: { ids: integers, orderId: integer },
  gives: { orderId: surely(integer) },
  text: 'select order_id from credit_spending where spending_id = any($ids) and order_id <> $orderId limit 1',
});
