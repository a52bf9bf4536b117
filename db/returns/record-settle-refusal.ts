import type { EntityManager } from '@mikro-orm/postgresql';
import { fillIn } from '../../domain/fill-in.ts';
import { PosError } from '../../domain/errors.ts';
import { integer, text } from '../support/kinds.ts';
import { statement } from '../support/statement.ts';
import { withReturn } from './lock-return.ts';

/**
 * After a refused settlement rolled back: the return stays parked, and its history and its order's give the reason.
 * Only final refusals are recorded; a conflict or an unknown return is not. The caller throws the refusal on.
 *
 * Safe to repeat: the same reason is added only once.
 */
export async function recordSettleRefusal(em: EntityManager, returnId: number, error: unknown): Promise<void> {
  if (!(error instanceof PosError) || error.status !== 400) return;
  const message = fillIn(error.message, error.parameters);
  await withReturn(em, returnId, async (tx, { order, rma }) => {
    await addToBothHistories.run(tx, {
      returnId,
      comment: `Not settled: ${message}`,
      status: rma.status,
      orderId: order.entityId,
      orderComment: `Return ${rma.incrementId} was not settled: ${message}`,
      orderStatus: order.status,
    });
  });
}

const addToBothHistories = statement({
  takes: { returnId: integer, comment: text, status: text, orderId: integer, orderComment: text, orderStatus: text },
  text: `
    with added as (
      insert into sale_return_comment (return_id, comment, status, created_at)
      select $returnId, $comment, $status, clock_timestamp()
      where not exists (select from sale_return_comment where return_id = $returnId and comment = $comment)
      returning created_at
    )
    insert into sales_order_status_history (parent_id, comment, status, created_at)
    select $orderId, $orderComment, $orderStatus, created_at from added`,
});
