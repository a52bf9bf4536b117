import type { EntityManager } from '@mikro-orm/postgresql';
import type { SearchCriteria } from '../../domain/platform/search-criteria.ts';
import { flag, float, integer, listOf, orNull, text } from '../support/entity-columns.ts';
import { search, type Found } from '../support/search.ts';
import { statement, type RowFrom } from '../support/statement.ts';
import { unknownReturn } from './lock-return.ts';

/** A return as the platform's own returns show it (platform facts 11). Quantities as JSON numbers. */
export type RmaRow = RowFrom<typeof byId>;

const columns = `
  r.return_id, r.increment_id, r.order_id, o.increment_id as order_increment_id, o.store_id, r.customer_id, r.status,
  to_char(r.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') as date_requested,
  (select coalesce(json_agg(json_build_object('entity_id', i.entity_id, 'order_item_id', i.order_item_id,
     'qty_requested', i.qty_requested::float8, 'qty_authorized', i.qty_authorized::float8,
     'qty_approved', i.qty_approved::float8, 'qty_returned', i.qty_returned::float8, 'reason', i.reason,
     'condition', i.condition, 'resolution', i.resolution, 'status', i.status) order by i.entity_id), '[]')
   from sale_return_item i where i.return_id = r.return_id) as items,
  (select coalesce(json_agg(json_build_object('entity_id', c.comment_id, 'comment', c.comment,
     'customer_notified', c.is_customer_notified, 'visible_on_front', c.is_visible_on_front, 'status', c.status,
     'created_at', to_char(c.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS')) order by c.comment_id), '[]')
   from sale_return_comment c where c.return_id = r.return_id) as comments`;

const table = 'sale_return r join sales_order o on o.entity_id = r.order_id';
/** Every return has an order: `left` lets the database leave it out where nothing of it is asked for. */
const searched = 'sale_return r left join sales_order o on o.entity_id = r.order_id';

const byId = statement({
  takes: { returnId: integer },
  gives: {
    ...{ return_id: integer, increment_id: text, order_id: integer, order_increment_id: text, store_id: integer },
    ...{ customer_id: orNull(integer), status: text, date_requested: text },
    items: listOf({
      ...{ entity_id: integer, order_item_id: integer, qty_requested: float, qty_authorized: orNull(float) },
      ...{ qty_approved: orNull(float), qty_returned: orNull(float), reason: orNull(text), condition: orNull(text) },
      ...{ resolution: orNull(text), status: text },
    }),
    comments: listOf({
      ...{ entity_id: integer, comment: text, customer_notified: flag, visible_on_front: flag },
      ...{ status: orNull(text), created_at: text },
    }),
  },
  text: `select ${columns} from ${table} where r.return_id = $returnId`,
});

/** One return; 404 when there is none. */
export async function readRma(em: EntityManager, returnId: number): Promise<RmaRow> {
  const found = await byId.first(em, { returnId });
  if (!found) throw unknownReturn(returnId);
  return found;
}

/** Searches returns as the platform does (platform facts 3, 11). */
export const searchRmas = (em: EntityManager, criteria: SearchCriteria): Promise<Found<RmaRow>> =>
  search<RmaRow>(em, criteria, {
    table: searched,
    columns,
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
  });
