import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchStore } from '../../../domain/errors.ts';
import { storedSkuAmong } from '../../../domain/platform/catalog/sku-key.ts';
import { decimal, integer, integers, orNull, surely, text, texts } from '../../support/kinds.ts';
import { isAmongSkus } from '../../support/sku-sql.ts';
import { statement } from '../../support/statement.ts';

/** What a new order needs before it is written: its numbers, and data of its store and the catalog. */
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
  /** The products that cannot be returned: their attribute `is_returnable` is 0. */
  finalSkus: ReadonlySet<string>;
  /** How the catalog writes a SKU; one that it does not have stays as it was posted. */
  storedSku: (sku: string) => string;
}

/**
 * Draws the numbers of a new order and reads the data of its store and products, in one round trip. Products that the
 * order will reserve cannot be deleted until it is committed.
 *
 * Refused with: 404 unknown store.
 */
export async function prepareOrder(
  em: EntityManager,
  { storeId, incrementId, skus }: { storeId: number; incrementId: string | undefined; skus: readonly string[] },
): Promise<OrderNumbers> {
  const row = await prepare.first(em, { incrementId: incrementId ?? null, lines: skus.length, skus, storeId });
  if (!row) throw noSuchStore();
  const { managedSkus, finalSkus, knownSkus, ...numbers } = row;
  return {
    ...{ ...numbers, managedSkus: new Set(managedSkus), finalSkus: new Set(finalSkus) },
    storedSku: storedSkuAmong(knownSkus),
  };
}

const prepare = statement({
  takes: { incrementId: orNull(text), lines: integer, skus: texts, storeId: integer },
  gives: {
    orderId: surely(integer),
    incrementId: surely(text),
    itemIds: surely(integers),
    billingAddressId: surely(integer),
    shippingAddressId: surely(integer),
    storeName: surely(text),
    baseCurrencyCode: text,
    currencyCode: text,
    currencyRate: decimal,
    stockId: orNull(integer),
    managedSkus: surely(texts),
    finalSkus: surely(texts),
    knownSkus: surely(texts),
  },
  text: `
    with known as materialized (
      select p.sku, p.custom_attributes ->> 'is_returnable' in ('0', 'false') as is_final from product p
      where ${isAmongSkus('p.sku')}),
    managed as materialized (
      select p.sku from product p where p.manage_stock and p.sku in (select sku from known) order by p.sku for key share)
    select nextval('sales_order_entity_id_seq')::int as order_id,
      coalesce($incrementId::text, next_increment_id('order', v.store_id)) as increment_id,
      array(select nextval('sales_order_item_item_id_seq')::int from generate_series(1, $lines::int)) as item_ids,
      nextval('sales_order_address_entity_id_seq')::int as billing_address_id,
      nextval('sales_order_address_entity_id_seq')::int as shipping_address_id,
      concat_ws(E'\\n', w.name, g.name, v.name) as store_name,
      w.base_currency_code, v.currency_code, v.currency_rate,
      (select s.stock_id from inventory_stock s where s.website_codes @> to_jsonb(array[w.code])
       order by s.stock_id limit 1) as stock_id,
      array(select sku from managed) as managed_skus,
      array(select sku from known where is_final) as final_skus, array(select sku from known) as known_skus
    from store_view v
      join website w on w.website_id = v.website_id
      left join store_group g on g.group_id = v.store_group_id
    where v.store_id = $storeId`,
});
