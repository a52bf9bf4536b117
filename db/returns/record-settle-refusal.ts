import type { EntityManager } from '@mikro-orm/postgresql';
import { fillIn } from '../../domain/fill-in.ts';
import { PosError } from '../../domain/errors.ts';
import { addOrderComment } from '../platform/orders/add-order-comment.ts';
import { addReturnCommentOnce } from './add-return-comment.ts';
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
    const isNew = await addReturnCommentOnce(tx, { returnId, comment: `Not settled: ${message}`, status: rma.status });
    if (!isNew) return;
    const { entityId: orderId, status } = order;
    await addOrderComment(tx, { orderId, comment: `Return ${rma.incrementId} was not settled: ${message}`, status });
  });
}
