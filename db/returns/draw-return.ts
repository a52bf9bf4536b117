import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchDocument } from '../../domain/errors.ts';
import { beginWithinSeconds } from '../../domain/patience.ts';
import { beginBeforeSql } from '../support/begin-before.ts';
import { sql } from '../support/sql.ts';
import type { RowFrom } from '../support/statement.ts';

/** What a creation begins with: numbers for the return, and how people find it. Gaps in the numbers are fine. */
export type DrawnReturn = RowFrom<typeof draw>;

/** Draws them. Refused with: 404 unknown order. */
export async function drawReturn(
  em: EntityManager,
  { orderId, locationId }: { orderId: number; locationId: number | null },
): Promise<DrawnReturn> {
  const drawn = await draw.first(em, { orderId, locationId, beginWithinSeconds });
  if (!drawn) throw noSuchDocument();
  return drawn;
}

const draw = sql('draw-return.draw')`
  select nextval('sale_return_return_id_seq') as return_id,
    next_increment_id('return', o.store_id) as increment_id,
    o.store_id, o.increment_id as order_increment_id, l.name as location_name, ${beginBeforeSql} as begin_before
  from sales_order o left join pos_location l on l.location_id = $locationId? where o.entity_id = $orderId`;
