import type { EntityManager } from '@mikro-orm/postgresql';
import { formatQuantity, type Quantity } from '../../../domain/money/quantity.ts';
import { integer, listText, text, texts } from '../../support/kinds.ts';
import { statement } from '../../support/statement.ts';
import type { ReservationEvent } from './reservation.entity.ts';

export interface Reserve {
  orderId: number;
  storeId: number;
  eventType: ReservationEvent;
  /** Signed: a reservation is negative, releasing it is positive. */
  lines: readonly { sku: string; qty: Quantity }[];
}

/**
 * Reserves goods of the store's stock for an order, or releases them (platform facts 10). Append-only.
 *
 * Only products with stock management are reserved, and they cannot be deleted until the commit. A release never
 * exceeds what is still reserved for the order. So a finished order's rows sum to zero, even when the product has
 * changed since.
 */
export async function reserve(em: EntityManager, { orderId, storeId, eventType, lines }: Reserve): Promise<void> {
  const moving = lines.filter((line) => line.qty !== 0);
  if (moving.length === 0) return;
  const skus = moving.map((line) => line.sku);
  const qtys = `{${moving.map((line) => formatQuantity(line.qty)).join(',')}}`;
  await promise.run(em, { orderId, storeId, eventType, skus, qtys });
}

/** The stock whose sales channels name the store's website. */
const stockOfStore = `
  select s.stock_id from store_view v
    join website w on w.website_id = v.website_id
    join inventory_stock s on s.website_codes @> to_jsonb(array[w.code])
  where v.store_id = $storeId order by s.stock_id limit 1`;

const promise = statement({
  takes: { orderId: integer, storeId: integer, eventType: text, skus: texts, qtys: listText('numeric[]') },
  text: `
    with line as (
      select sku, sum(qty) as qty from unnest($skus::text[], $qtys::numeric[]) as l(sku, qty) group by sku
    ), managed as materialized (
      select p.sku from product p
      where p.manage_stock and p.sku in (select sku from line where qty < 0) order by p.sku for key share
    ), promised as (
      select sku, stock_id, sum(quantity) as quantity from inventory_reservation
      where order_id = $orderId group by sku, stock_id
    ), change as (
      select (${stockOfStore}) as stock_id, line.sku, line.qty as quantity
      from line join managed on managed.sku = line.sku
      where line.qty < 0
      union all
      select promised.stock_id, line.sku, least(line.qty, -promised.quantity)
      from line join promised on promised.sku = line.sku
      where line.qty > 0 and promised.quantity < 0
    )
    insert into inventory_reservation (stock_id, sku, quantity, event_type, order_id)
    select stock_id, sku, quantity, $eventType, $orderId from change where stock_id is not null order by sku`,
});
