import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchDocument } from '../../../domain/errors.ts';

/** 404 unless there is such an order; reads nothing else of it. */
export async function requireOrder(em: EntityManager, orderId: number): Promise<void> {
  const [found] = await em.execute<{ found: number }[]>('select 1 as found from sales_order where entity_id = ?', [
    orderId,
  ]);
  if (!found) throw noSuchDocument();
}
