import type { EntityManager } from '@mikro-orm/postgresql';
import { Order } from '../platform/orders/order.entity.ts';
import { inOneSnapshot } from '../support/one-snapshot.ts';
import { readPage, searchesGrowing, type RecordsOfPage } from '../support/search-growing.ts';
import { unknownReturn } from './lock-return.ts';
import { Return, ReturnComment, type ReturnItem } from './return.entity.ts';

/** A return as the platform's own returns show it (platform facts 11). */
export interface RmaRow {
  rma: Return;
  items: ReturnItem[];
  comments: ReturnComment[];
  order: Pick<Order, 'incrementId' | 'storeId'>;
}

/** One return; 404 when there is none. */
export async function readRma(em: EntityManager, returnId: number): Promise<RmaRow> {
  const [found] = await readRmas(em, { ids: [returnId] });
  if (!found) throw unknownReturn(returnId);
  return found;
}

/** Returns with their lines and comments, oldest first, and what they show of their orders, from one snapshot. */
const readRmas = (em: EntityManager, page: RecordsOfPage): Promise<RmaRow[]> =>
  inOneSnapshot(em, async (tx) => {
    const returns = await readPage<Return>(tx, { entity: Return, key: 'returnId', page, populate: ['items'] });
    const comments = await tx.find(
      ReturnComment,
      { returnId: { $in: returns.map(({ returnId }) => returnId) } },
      { orderBy: { commentId: 'asc' } },
    );
    const orders = await tx.find(
      Order,
      { entityId: { $in: [...new Set(returns.map(({ orderId }) => orderId))] } },
      { fields: ['incrementId', 'storeId'] },
    );
    const commentsOf = Map.groupBy(comments, ({ returnId }) => returnId);
    const orderOf = new Map(orders.map((order) => [order.entityId, order]));
    return returns.flatMap((rma) => {
      const order = orderOf.get(rma.orderId);
      const items = rma.items.getItems().toSorted((one, other) => one.entityId - other.entityId);
      return order ? [{ rma, items, comments: commentsOf.get(rma.returnId) ?? [], order }] : [];
    });
  });

/** Searches returns as the platform does (platform facts 3, 11). */
export const searchRmas = searchesGrowing({
  /** Every return has an order: `left` lets the database leave it out where nothing of it is asked for. */
  table: 'sale_return r left join sales_order o on o.entity_id = r.order_id',
  fields: {
    entity_id: { column: 'r.return_id', type: 'integer' },
    increment_id: { column: 'r.increment_id', type: 'code' },
    order_id: { column: 'r.order_id', type: 'integer' },
    order_increment_id: { column: 'o.increment_id', type: 'code' },
    store_id: { column: 'o.store_id', type: 'integer' },
    customer_id: { column: 'r.customer_id', type: 'integer', isNullable: true },
    status: { column: 'r.status', type: 'code' },
    date_requested: { column: 'r.created_at', type: 'timestamp' },
  },
  order: 'r.return_id',
  kept: {
    list: 'sale_return',
    alias: 'r',
    besides: { alias: 'o', sql: 'cross join lateral (select r.store_id) o' },
  },
  read: readRmas,
  idOf: ({ rma }: RmaRow) => rma.returnId,
});
