import type { EntityManager } from '@mikro-orm/postgresql';
import type { CameBack } from '../../domain/platform/credit-memos/credit-memo-coins.ts';
import { quantity, definite } from '../support/entity-columns.ts';
import { sql } from '../support/sql.ts';

/** How much the returns of an order received of its lines, by line, without closed returns. See `moveRefundedStock`. */
export async function readReturned(em: EntityManager, orderId: number): Promise<Map<number, CameBack>> {
  const rows = await selectReturned.all(em, { orderId });
  return new Map(rows.map(({ orderItemId, ...cameBack }) => [orderItemId, cameBack]));
}

/** A movement `v` whose goods the shop has: a close hands them back. */
export const isTakenIn = `v.kind = 'received' and not exists (
      select from sale_return_movement back where back.return_item_id = v.return_item_id and back.kind = 'closed')`;

/** Goods that were announced but did not come are still with the buyer. */
const selectReturned = sql('read-returned.selectReturned', {
  gives: { neverShipped: definite(quantity), cameBack: definite(quantity) },
})`
  select i.order_item_id, sum(v.qty_never_shipped) as never_shipped,
    sum(least(v.quantity, i.qty_requested - v.qty_never_shipped)) as came_back
  from sale_return r join sale_return_item i on i.return_id = r.return_id
    join sale_return_movement v on v.return_item_id = i.entity_id
  where r.order_id = $orderId and ${isTakenIn}
  group by i.order_item_id`;
