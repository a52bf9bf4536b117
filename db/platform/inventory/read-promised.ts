import type { EntityManager } from '@mikro-orm/postgresql';
import { atLeastNone, minus, none, parseQuantity, type Quantity } from '../../../domain/money/quantity.ts';

/** What of each product is still promised to an order; a product that never was has no entry. */
export async function readPromised(em: EntityManager, orderId: number): Promise<Map<string, Quantity>> {
  const rows = await em.execute<{ sku: string; quantity: string }[]>(
    'select sku, sum(quantity) as quantity from inventory_reservation where order_id = ? group by sku',
    [orderId],
  );
  return new Map(rows.map((row) => [row.sku, atLeastNone(minus(none, parseQuantity(row.quantity) ?? none))]));
}
