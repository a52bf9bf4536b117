import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchStore } from '../../../domain/errors.ts';
import { query } from '../../support/query.ts';

/** Everything an order needs before it is written: its numbers, and what the store and the catalog say. */
export interface OrderNumbers {
  orderId: number;
  incrementId: string;
  itemIds: readonly number[];
  billingAddressId: number;
  shippingAddressId: number;
  storeName: string;
  baseCurrencyCode: string;
  currencyCode: string;
  currencyRate: string;
  /** The stock the store sells from; null when its website has none. */
  stockId: number | null;
  /** The products whose stock is managed. */
  managedSkus: ReadonlySet<string>;
  /** The products the catalog says stay sold: attribute `is_returnable` of 0. */
  finalSkus: ReadonlySet<string>;
}

interface PreparedRow {
  order_id: number;
  increment_id: string;
  item_ids: number[];
  billing_address_id: number;
  shipping_address_id: number;
  store_name: string;
  base_currency_code: string;
  currency_code: string;
  currency_rate: string;
  stock_id: number | null;
  managed_skus: string[];
  final_skus: string[];
}

/**
 * Draws the numbers of a new order and looks up what belongs to it, in one round trip.
 *
 * Refused with: 404 unknown store.
 */
export async function prepareOrder(
  em: EntityManager,
  { storeId, incrementId, skus }: { storeId: number; incrementId: string | undefined; skus: readonly string[] },
): Promise<OrderNumbers> {
  const [row] = await query<PreparedRow>(em, prepared, [incrementId ?? null, skus.length, skus, storeId]);
  if (!row) throw noSuchStore();
  return {
    orderId: row.order_id,
    incrementId: row.increment_id,
    itemIds: row.item_ids,
    billingAddressId: row.billing_address_id,
    shippingAddressId: row.shipping_address_id,
    storeName: row.store_name,
    baseCurrencyCode: row.base_currency_code,
    currencyCode: row.currency_code,
    currencyRate: row.currency_rate,
    stockId: row.stock_id,
    managedSkus: new Set(row.managed_skus),
    finalSkus: new Set(row.final_skus),
  };
}

const prepared = `
  select nextval('sales_order_entity_id_seq')::int as order_id,
    coalesce($1::text, next_increment_id('order', v.store_id)) as increment_id,
    array(select nextval('sales_order_item_item_id_seq')::int from generate_series(1, $2::int)) as item_ids,
    nextval('sales_order_address_entity_id_seq')::int as billing_address_id,
    nextval('sales_order_address_entity_id_seq')::int as shipping_address_id,
    concat_ws(E'\\n', w.name, g.name, v.name) as store_name,
    w.base_currency_code, v.currency_code, v.currency_rate,
    (select s.stock_id from inventory_stock s where s.website_codes @> to_jsonb(array[w.code])
     order by s.stock_id limit 1) as stock_id,
    array(select p.sku from product p where p.manage_stock and p.sku = any($3::text[])) as managed_skus,
    array(select p.sku from product p where p.custom_attributes ->> 'is_returnable' in ('0', 'false')
      and p.sku = any($3::text[])) as final_skus
  from store_view v
    join website w on w.website_id = v.website_id
    left join store_group g on g.group_id = v.store_group_id
  where v.store_id = $4`;
