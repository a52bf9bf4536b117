import type { EntityManager } from '@mikro-orm/postgresql';
import { fillIn } from '../../domain/fill-in.ts';
import { PosError } from '../../domain/errors.ts';
import { addOrderComment } from '../platform/orders/add-order-comment.ts';
import { addReturnComment } from './add-return-comment.ts';
import { withReturn } from './lock-return.ts';

/**
 * After a refused settlement rolled back: the return stays parked, and its history and its order's give the reason.
 * Only final refusals are recorded; a conflict or an unknown return is not. The caller throws the refusal on.
 */
export async function recordSettleRefusal(em: EntityManager, returnId: number, error: unknown): Promise<void> {
  if (!(error instanceof PosError) || error.status !== 400) return;
  const message = fillIn(error.message, error.parameters);
  await withReturn(em, returnId, async (tx, { order, rma }) => {
    await addReturnComment(tx, { returnId, comment: `Not settled: ${message}`, status: rma.status });
    const { entityId: orderId, status } = order;
    await addOrderComment(tx, { orderId, comment: `Return ${rma.incrementId} was not settled: ${message}`, status });
  });
}
