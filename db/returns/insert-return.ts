import type { EntityManager, RequiredEntityData } from '@mikro-orm/postgresql';
import { insertRows } from '../support/insert-rows.ts';
import { query } from '../support/query.ts';
import { Return, ReturnComment, ReturnItem } from './return.entity.ts';

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
export async function insertReturn(
  em: EntityManager,
  { storeId, rma, items, sold, author }: ReturnToInsert,
): Promise<InsertedReturn> {
  const [drawn] = await query<InsertedReturn>(em, numbersText, [storeId]);
  if (!drawn) throw new Error('no numbers for a return');
  const { returnId } = drawn;
  const comment = { returnId, comment: rma.comment, status: 'pending', author: author ?? null };
  await insertRows(em, [
    { entity: Return, rows: [{ ...rma, ...drawn, status: 'pending' }] },
    {
      entity: ReturnItem,
      rows: items.map((item) => ({ ...item, rma: returnId, ...nameOf(item, sold), status: 'pending' })),
    },
    { entity: ReturnComment, rows: rma.comment ? [comment] : [] },
  ]);
  return drawn;
}

export interface InsertedReturn {
  returnId: number;
  incrementId: string;
}

const numbersText = `
select nextval('sale_return_return_id_seq')::int as "returnId", next_increment_id('return', $1) as "incrementId"`;

function nameOf({ orderItemId }: { orderItemId: unknown }, sold: ReturnToInsert['sold']) {
  const line = sold.find((one) => one.orderItemId === orderItemId);
  // A line without a name is read as one with an empty name.
  return { productName: line?.name || null, productSku: line?.sku ?? '' };
}
