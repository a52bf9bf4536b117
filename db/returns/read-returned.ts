import type { EntityManager } from '@mikro-orm/postgresql';
import { none, parseQuantity } from '../../domain/money/quantity.ts';
import type { CameBack } from '../../domain/platform/credit-memo-stock.ts';
import { query } from '../support/query.ts';

interface Row {
  order_item_id: number;
  came_back: string;
  never_shipped: string;
}

/** What the returns of an order took in of its lines, by line, those that were closed left out. See `moveRefundedStock`. */
export async function readReturned(em: EntityManager, orderId: number): Promise<Map<number, CameBack>> {
  const rows = await query<Row>(em, returnedText, [orderId]);
  return new Map(
    rows.map((row) => [
      row.order_item_id,
      {
        cameBack: parseQuantity(row.came_back) ?? none,
        neverShipped: parseQuantity(row.never_shipped) ?? none,
      },
    ]),
  );
}

/** A movement `v` whose goods the shop has: a close hands them back. */
export const isTakenIn = `v.kind = 'received' and not exists (
      select from sale_return_movement back where back.return_item_id = v.return_item_id and back.kind = 'closed')`;

/** What was announced and did not come is with the buyer still. */
const returnedText = `
select i.order_item_id, sum(v.qty_never_shipped)::text as never_shipped,
  sum(least(v.quantity, i.qty_requested - v.qty_never_shipped))::text as came_back
from sale_return r join sale_return_item i on i.return_id = r.return_id
  join sale_return_movement v on v.return_item_id = i.entity_id
where r.order_id = $1 and ${isTakenIn}
group by i.order_item_id`;
