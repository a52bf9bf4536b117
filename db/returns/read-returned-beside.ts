import type { EntityManager } from '@mikro-orm/postgresql';
import { none, parseQuantity } from '../../domain/money/quantity.ts';
import type { ReturnedBeside } from '../../domain/platform/credit-memo-stock.ts';
import { query } from '../support/query.ts';

interface Row {
  order_item_id: number;
  came_back: string;
  never_shipped: string;
  refunded: string;
}

/** What the returns of an order hold of its lines, by line, those that were closed left out. See `moveRefundedStock`. */
export async function readReturnedBeside(em: EntityManager, orderId: number): Promise<Map<number, ReturnedBeside>> {
  const rows = await query<Row>(em, returnedText, [orderId]);
  return new Map(
    rows.map((row) => [
      row.order_item_id,
      {
        cameBack: parseQuantity(row.came_back) ?? none,
        neverShipped: parseQuantity(row.never_shipped) ?? none,
        refunded: parseQuantity(row.refunded) ?? none,
      },
    ]),
  );
}

const returnedText = `
select order_item_id, sum(came_back)::text as came_back, sum(never_shipped)::text as never_shipped, sum(refunded)::text as refunded
from (
  select i.order_item_id, i.qty_requested - v.qty_never_shipped as came_back, v.qty_never_shipped as never_shipped, 0 as refunded
  from sale_return r join sale_return_item i on i.return_id = r.return_id
    join sale_return_movement v on v.return_item_id = i.entity_id and v.kind = 'received'
  where r.order_id = $1 and not exists (
    select from sale_return_movement back where back.return_item_id = v.return_item_id and back.kind = 'closed')
  union all
  select m.order_item_id, 0, 0, m.qty
  from sale_return r join sales_creditmemo_item m on m.parent_id = r.credit_memo_id
  where r.order_id = $1
) beside group by order_item_id`;
