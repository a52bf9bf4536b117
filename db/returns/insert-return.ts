import type { EntityManager, RequiredEntityData } from '@mikro-orm/postgresql';
import { nextIncrementId } from '../platform/orders/next-increment-id.ts';
import { addReturnComment } from './add-return-comment.ts';
import { Return, ReturnItem } from './return.entity.ts';

type Given<Entity, Set extends string> = Omit<RequiredEntityData<Entity>, Set>;

export interface ReturnToInsert {
  storeId: number;
  rma: Given<Return, 'incrementId' | 'status' | 'items'>;
  items: readonly Given<ReturnItem, 'rma' | 'status' | 'productName' | 'productSku'>[];
  /** What the order says of its lines: their names and products are kept with the return. */
  sold: readonly { orderItemId: number; name?: string | null; sku: string }[];
  /** Who wrote the comment, where somebody is known. */
  author?: string | null;
}

/**
 * Writes a pending return with its lines and its first comment. In the caller's transaction, under the order lock; a
 * repeat writes another one.
 */
export async function insertReturn(em: EntityManager, { storeId, rma: given, items, sold, author }: ReturnToInsert) {
  const rma = em.create(Return, {
    ...given,
    incrementId: await nextIncrementId(em, 'return', storeId),
    status: 'pending',
  });
  for (const item of items) {
    const line = sold.find(({ orderItemId }) => orderItemId === item.orderItemId);
    em.create(ReturnItem, {
      ...item,
      rma,
      // A line without a name is read as one with an empty name.
      productName: line?.name || null,
      productSku: line?.sku ?? '',
      status: 'pending',
    });
  }
  await em.flush();
  if (rma.comment)
    addReturnComment(em, {
      returnId: rma.returnId,
      comment: rma.comment,
      status: 'pending',
      ...(author == null ? {} : { author }),
    });
  return rma;
}
