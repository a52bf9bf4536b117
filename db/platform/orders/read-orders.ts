import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchOrder } from '../../../domain/errors.ts';
import type { SearchCriteria } from '../../../domain/platform/search-criteria.ts';
import { integer, json, orNull, surely } from '../../support/kinds.ts';
import { search, type Found } from '../../support/search.ts';
import { statement } from '../../support/statement.ts';
import { orderFields } from './order-fields.ts';
import { shownItems } from './read-order-items.ts';
import type { SheetRow } from './sheet-row.ts';

/** An order with everything that its answer shows. */
export interface OrderSheet {
  order: SheetRow;
  /** With the totals net of discount as `net_…`; only answers show them (platform facts 5.2). */
  items: readonly SheetRow[];
  addresses: readonly SheetRow[];
  payment: SheetRow | null;
  /** Newest first. */
  comments: readonly SheetRow[];
}

/** One order. Refused with: 400 the id 0 · 404 unknown order. */
export async function readOrder(em: EntityManager, orderId: number): Promise<OrderSheet> {
  const sheet = await readOne.first(em, { orderId });
  if (!sheet) throw noSuchOrder(orderId);
  return sheet;
}

/** Searches orders by any column of the order table (platform facts 3.2). One round trip. */
export const searchOrders = (em: EntityManager, criteria: SearchCriteria): Promise<Found<OrderSheet>> =>
  search<OrderSheet>(em, criteria, {
    table: 'sales_order o',
    columns: sheetColumns,
    fields: orderFields,
    order: 'o.entity_id',
    kept: { list: 'sales_order', alias: 'o', inOrder: { status: 'created_at' } },
  });

/** An order as one row: PostgreSQL makes JSON of every row, so that one round trip and one parse are enough. */
const sheetColumns = `
  to_json(o) as "order",
  (select coalesce(json_agg(i order by i.item_id), '[]')
   from (${shownItems} where i.order_id = o.entity_id) i) as items,
  (select coalesce(json_agg(a), '[]') from sales_order_address a where a.order_id = o.entity_id) as addresses,
  (select to_json(p) from sales_order_payment p where p.order_id = o.entity_id) as payment,
  (select coalesce(json_agg(c order by c.created_at desc, c.entity_id desc), '[]')
   from sales_order_status_history c where c.parent_id = o.entity_id) as comments`;

const readOne = statement({
  takes: { orderId: integer },
  gives: {
    order: surely(json<SheetRow>()),
    items: surely(json<SheetRow[]>()),
    addresses: surely(json<SheetRow[]>()),
    payment: orNull(json<SheetRow>()),
    comments: surely(json<SheetRow[]>()),
  },
  text: `select ${sheetColumns} from sales_order o where o.entity_id = $orderId`,
});
