import type { EntityManager } from '@mikro-orm/postgresql';
import { atLeastNone, minus, none, type Quantity } from '../../../domain/money.ts';
import { quantity, definite } from '../../support/entity-columns.ts';
import { sql } from '../../support/sql.ts';

/** How much of each product is still reserved for an order; a product without reservations has no entry. */
export async function readPromised(em: EntityManager, orderId: number): Promise<Map<string, Quantity>> {
  const rows = await selectPromised.all(em, { orderId });
  return new Map(rows.map((row) => [row.sku, atLeastNone(minus(none, row.quantity))]));
}

const selectPromised = sql('read-promised.selectPromised', { gives: { quantity: definite(quantity) } })`
  select sku, sum(quantity) as quantity from inventory_reservation where order_id = $orderId group by sku`;
