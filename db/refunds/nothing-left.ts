import type { EntityManager } from '@mikro-orm/postgresql';
import { type PosError, invalid } from '../../domain/errors.ts';

/**
 * 400 for a refund that another refund has used up: it names the memo that took the order (spec 4.8 settle), or the
 * refund that is under way.
 */
export async function nothingLeft(em: EntityManager, orderId: number, returnId: number | null): Promise<PosError> {
  const [memo] = await em.execute<{ entity_id: number; increment_id: string }[]>(
    'select entity_id, increment_id from sales_creditmemo where order_id = ? order by entity_id desc limit 1',
    [orderId],
  );
  if (!memo) {
    return invalid('Nothing is left to refund on this order.', {
      outcome: 'nothing_left_to_refund',
      return_id: returnId,
    });
  }
  return invalid(`Nothing is left to refund: credit memo ${memo.increment_id} took it.`, {
    outcome: 'nothing_left_to_refund',
    credit_memo_id: memo.entity_id,
    credit_memo_increment_id: memo.increment_id,
    return_id: returnId,
  });
}
