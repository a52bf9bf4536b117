import type { EntityManager } from '@mikro-orm/postgresql';
import { unavailable } from '../../domain/errors.ts';
import { query } from '../support/query.ts';
import { wasPlaced } from './reserve-spendings.ts';
import type { Spending } from './spending-rows.ts';

/**
 * Makes what was spent outside that of the order that is being saved, in the transaction that saves it: once, and only
 * while nobody has begun to undo it.
 *
 * Refused with: 400 another order was saved with it · 503 it is being undone: the same order, sent again, spends anew.
 */
export async function claimSpendings(
  em: EntityManager,
  orderId: number,
  spendings: readonly Pick<Spending, 'spendingId'>[],
): Promise<void> {
  if (spendings.length === 0) return;
  const ids = spendings.map(({ spendingId }) => spendingId);
  const claimed = await query(em, claimText, [orderId, ids]);
  if (claimed.length === ids.length) return;
  const [rival] = await query<{ order_id: number }>(em, rivalText, [ids, orderId]);
  if (rival) throw await wasPlaced(em, rival.order_id);
  throw unavailable('The credit of this order is being given back. Send the order again.');
}

const claimText = `
update credit_spending set order_id = $1, updated_at = now()
where spending_id = any($2) and state = 'spent' and order_id is null
returning spending_id`;

const rivalText = 'select order_id from credit_spending where spending_id = any($1) and order_id <> $2 limit 1';
