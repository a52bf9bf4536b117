import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchDocument } from '../../../domain/errors.ts';
import { queueForRecord } from '../../support/connections/queue-for-record.ts';
import { sql } from '../../support/sql.ts';
import type { RowFrom } from '../../support/statement.ts';

/** The fields that are read of an order which is locked but not changed here. */
export type LockedOrderRow = RowFrom<typeof lock>;

/**
 * Locks an order without reading its lines and its payment, for work that must only take its turn on the order. It is
 * the same lock as `lockOrder`, and is taken as early.
 *
 * Refused with: 404 unknown order.
 */
export async function lockOrderRow(em: EntityManager, orderId: number): Promise<LockedOrderRow> {
  const row = await queueForRecord(em, `order ${orderId}`, () => lock.first(em, { orderId }));
  if (!row) throw noSuchDocument();
  return row;
}

const lock = sql('lock-order-row.lock')`
  select entity_id as order_id, increment_id, store_id, customer_id, status from sales_order
  where entity_id = $orderId for update`;
