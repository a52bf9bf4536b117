import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchDocument } from '../../../domain/errors.ts';
import { query } from '../../support/query.ts';

/** The store view an order was placed in. Refused with: 404 unknown order. */
export async function storeOfOrder(em: EntityManager, orderId: number): Promise<number> {
  const text = 'select store_id from sales_order where entity_id = $1';
  const [row] = await query<{ store_id: number }>(em, text, [orderId]);
  if (!row) throw noSuchDocument();
  return row.store_id;
}
