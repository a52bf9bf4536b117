import type { EntityManager } from '@mikro-orm/postgresql';
import { flag, integer, orNull, quantity, surely, text } from '../support/kinds.ts';
import { of } from '../support/rows.ts';
import { statement, type RowFrom } from '../support/statement.ts';
import { OrderItem } from '../platform/orders/order-item.entity.ts';
import type { LockedReturn } from './lock-return.ts';
import { isTakenIn } from './read-returned.ts';

/** What is needed about a sold line before its goods can be received. */
export type LinePlace = RowFrom<typeof read>;

/** By order item, in one statement. */
export async function goodsPlaces(em: EntityManager, rma: LockedReturn): Promise<Map<number, LinePlace>> {
  const rows = await read.all(em, { locationId: rma.locationId, orderId: rma.orderId });
  return new Map(rows.map((row) => [row.itemId, row]));
}

const read = statement({
  takes: { locationId: orNull(integer), orderId: integer },
  gives: {
    ...of(OrderItem, 'itemId', 'qtyOrdered', 'qtyShipped', 'stockSku'),
    isStockManaged: surely(flag),
    /** How many shipped ones came back before: by returns that did not hand them back, and by memos. */
    qtyCameBack: surely(quantity),
    /** The source it was shipped from, else the location's own. */
    originSourceCode: orNull(text),
    damagedSourceCode: orNull(text),
  },
  text: `
select i.item_id, i.stock_sku, not i.is_virtual and coalesce(p.manage_stock, true) as is_stock_managed, i.qty_ordered, i.qty_shipped,
  (select coalesce(sum(vi.qty_requested - v.qty_never_shipped), 0) from sale_return_movement v join sale_return_item vi on vi.entity_id = v.return_item_id
    where vi.order_item_id = i.item_id and ${isTakenIn})
  + (select coalesce(sum(c.qty - c.qty_never_shipped), 0) from sales_creditmemo_item c
    where c.order_item_id = i.item_id and c.qty_never_shipped is not null) as qty_came_back,
  coalesce((select s.source_code from sales_shipment s join sales_shipment_item si on si.parent_id = s.entity_id
    where si.order_item_id = i.item_id order by s.entity_id desc limit 1), l.source_code,
    -- A collapsed return names no location: then the source its store sells from (as a shipment would choose).
    case when l.location_id is null then (
      select k.source_code from store_view v join website w on w.website_id = v.website_id
        join inventory_stock t on t.website_codes @> to_jsonb(array[w.code])
        join inventory_stock_source k on k.stock_id = t.stock_id
      where v.store_id = (select o.store_id from sales_order o where o.entity_id = i.order_id)
      order by k.source_code <> 'default', k.priority, k.source_code limit 1) end) as origin_source_code,
  l.damaged_stock_source_code as damaged_source_code
from sales_order_item i
left join product p on p.sku = coalesce(i.stock_sku, i.sku)
left join pos_location l on l.location_id = $locationId
where i.order_id = $orderId`,
});
