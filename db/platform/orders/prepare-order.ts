import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchStore } from '../../../domain/errors.ts';
import { shownOptions, type EnteredOption } from '../../../domain/platform/catalog/entered-options.ts';
import { skuKey, storedSkuAmong } from '../../../domain/platform/catalog/tier-rows.ts';
import { isAmongSkus } from '../../support/columns.ts';
import { sql } from '../../support/sql.ts';
import type { OrderLine } from './posted-order.ts';

/**
 * Gives lines with custom options the names of what was entered, and the SKU under which their goods are stocked, where
 * the line's own is that of no product: the one of the line's product, as on the platform (platform facts 11). Lines
 * that a cart made have both already.
 */
export async function withStockSkus(em: EntityManager, lines: readonly OrderLine[]): Promise<readonly OrderLine[]> {
  const open = lines.filter((line) => line.enteredOptions === undefined && optionsOf(line).length > 0);
  const productIds = open.flatMap(({ productId }) => productId ?? []);
  if (productIds.length === 0) return lines;
  const rows = await selectProducts.all(em, { productIds, skus: open.map(({ sku }) => sku) });
  const known = new Set(rows.filter(({ isSold }) => isSold).map(({ sku }) => skuKey(sku)));
  return lines.map((line) => {
    if (!open.includes(line)) return line;
    const product = rows.find(({ productId }) => productId === line.productId);
    const named = {
      ...line,
      enteredOptions: shownOptions({ options: product?.options ?? [], entered: optionsOf(line) }),
    };
    if (line.stockSku != null || line.productType === 'configurable' || known.has(skuKey(line.sku))) return named;
    return { ...named, stockSku: product?.sku ?? null };
  });
}

/** What the caller says was entered; whatever else it sent as options says nothing. */
function optionsOf({ productOption }: OrderLine): EnteredOption[] {
  const sent = productOption?.['extension_attributes'];
  if (typeof sent !== 'object' || sent === null || !('custom_options' in sent)) return [];
  const options: unknown = sent.custom_options;
  return Array.isArray(options) ? options.flatMap(enteredIn) : [];
}

function enteredIn(option: unknown): EnteredOption[] {
  if (typeof option !== 'object' || option === null || !('option_id' in option)) return [];
  const value: unknown = 'option_value' in option ? option.option_value : '';
  const isScalar = typeof value === 'string' || typeof value === 'number';
  return [{ optionId: Number(option.option_id), optionValue: isScalar ? String(value) : '' }];
}

const selectProducts = sql('prepare-order.selectProducts')`
  select sku, entity_id as product_id, options, ${isAmongSkus('sku')} as is_sold from product
  where entity_id = any($productIds::bigint[]) or ${isAmongSkus('sku')}`;

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

const prepare = sql('prepare-order.prepare')`
  with known as materialized (
    select p.sku, p.custom_attributes ->> 'is_returnable' in ('0', 'false') as is_final from product p
    where ${isAmongSkus('p.sku')}),
  managed as materialized (
    select p.sku from product p where p.manage_stock and p.sku in (select sku from known)
      order by p.sku for key share)
  select nextval('sales_order_entity_id_seq') as order_id,
    coalesce($incrementId?::text, next_increment_id('order', v.store_id)) as increment_id,
    array(select nextval('sales_order_item_item_id_seq') from generate_series(1, $lines::int)) as item_ids,
    nextval('sales_order_address_entity_id_seq') as billing_address_id,
    nextval('sales_order_address_entity_id_seq') as shipping_address_id,
    concat_ws(E'\\n', w.name, g.name, v.name) as store_name,
    w.base_currency_code, v.currency_code, v.currency_rate,
    (select s.stock_id from inventory_stock s where s.website_codes @> to_jsonb(array[w.code])
     order by s.stock_id limit 1) as stock_id,
    array(select sku from managed) as managed_skus,
    array(select sku from known where is_final) as final_skus, array(select sku from known) as known_skus
  from store_view v
    join website w on w.website_id = v.website_id
    left join store_group g on g.group_id = v.store_group_id
  where v.store_id = $storeId`;
