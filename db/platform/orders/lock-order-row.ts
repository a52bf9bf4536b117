import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchDocument } from '../../../domain/errors.ts';
import { standInLine } from '../../support/connections/stand-in-line.ts';
import { query } from '../../support/query.ts';

/** What is read of an order that is locked and otherwise left as it is. */
export interface LockedOrderRow {
  orderId: number;
  incrementId: string;
  storeId: number;
  customerId: number | null;
}

/**
 * Locks an order without reading its lines and its payment: for work that only has to come after everybody else's on the
 * same order. The same lock as `lockOrder`, and as early.
 *
 * Refused with: 404 unknown order.
 */
export async function lockOrderRow(em: EntityManager, orderId: number): Promise<LockedOrderRow> {
  const [row] = await standInLine(em, `order ${orderId}`, () => query<LockedOrderRow>(em, lockText, [orderId]));
  if (!row) throw noSuchDocument();
  return row;
}

const lockText = `
select entity_id as "orderId", increment_id as "incrementId", store_id as "storeId", customer_id as "customerId"
from sales_order where entity_id = $1 for update`;
