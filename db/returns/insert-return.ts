import type { EntityManager } from '@mikro-orm/postgresql';
import type { NewRowOf } from '../support/entity-columns.ts';
import { integer, surely, text } from '../support/kinds.ts';
import { statement } from '../support/statement.ts';
import { insertRows, into, type Written } from '../support/write-rows.ts';
import { returnComments } from './add-return-comment.ts';
import type { ReturnNumbers } from './new-return.ts';
import { Return, ReturnItem } from './return.entity.ts';

export interface ReturnToInsert {
  storeId: number;
  rma: Omit<NewRowOf<typeof Return>, 'incrementId' | 'status'>;
  items: readonly Omit<NewRowOf<typeof ReturnItem>, 'rma' | 'status' | 'productName' | 'productSku'>[];
  /** The order's data of its lines: names and products are stored with the return. */
  sold: readonly { orderItemId: number; name?: string | null; sku: string }[];
  /** The author of the comment, where known. */
  author?: string | null;
  /** Drawn before; absent: drawn here. */
  numbers?: ReturnNumbers | undefined;
}

/**
 * Writes a pending return with its lines and its first comment. In the caller's transaction, under the order lock; a
 * repeat writes another one.
 */
export async function insertReturn(
  em: EntityManager,
  { storeId, numbers, ...wanted }: ReturnToInsert,
): Promise<ReturnNumbers> {
  const drawn = numbers ?? (await draw.first(em, { storeId }));
  if (!drawn) throw new Error('no numbers for a return');
  await insertRows(em, newReturnRows(drawn, wanted));
  return drawn;
}

/** The rows of a pending return whose numbers are drawn, for a statement that writes them. */
export const newReturnRows = (
  { returnId, incrementId }: ReturnNumbers,
  { rma, items, sold, author }: Omit<ReturnToInsert, 'storeId' | 'numbers'>,
): Written[] => [
  into(Return, [{ ...rma, returnId, incrementId, status: 'pending' }]),
  into(
    ReturnItem,
    items.map((item) => ({ ...item, rma: returnId, ...nameOf(item, sold), status: 'pending' })),
  ),
  returnComments(rma.comment ? [{ returnId, comment: rma.comment, status: 'pending', author: author ?? null }] : []),
];

const draw = statement({
  takes: { storeId: integer },
  gives: { returnId: surely(integer), incrementId: surely(text) },
  text: `
    select nextval('sale_return_return_id_seq')::int as return_id,
      next_increment_id('return', $storeId) as increment_id`,
});

function nameOf({ orderItemId }: { orderItemId: number }, sold: ReturnToInsert['sold']) {
  const line = sold.find((one) => one.orderItemId === orderItemId);
  // A line without a name is read as one with an empty name.
  return { productName: line?.name || null, productSku: line?.sku ?? '' };
}
