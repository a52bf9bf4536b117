import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchDocument } from '../../../domain/errors.ts';
import { integer } from '../../support/kinds.ts';
import { of } from '../../support/rows.ts';
import { statement } from '../../support/statement.ts';
import { Order } from './order.entity.ts';

/** The store view an order was placed in. Refused with: 404 unknown order. */
export async function storeOfOrder(em: EntityManager, orderId: number): Promise<number> {
  const row = await read.first(em, { orderId });
  if (!row) throw noSuchDocument();
  return row.storeId;
}

const read = statement({
  takes: { orderId: integer },
  gives: of(Order, 'storeId'),
  text: 'select store_id from sales_order where entity_id = $orderId',
});
