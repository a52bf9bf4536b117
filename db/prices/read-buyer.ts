import type { EntityManager } from '@mikro-orm/postgresql';
import { type TierPrice } from '../platform/catalog/product.entity.ts';
import { isAmongSkus } from '../support/columns.ts';
import { json } from '../support/entity-columns.ts';
import { sql } from '../support/sql.ts';
import type { RowFrom } from '../support/statement.ts';

/** The buyer and the website. */
export type Buyer = RowFrom<typeof selectBuyer>;

/**
 * The customer, the website whose prices apply (0: the customer's own), and the store view named, by id or code.
 * Unknown ones are null.
 */
export async function readBuyer(
  em: EntityManager,
  request: { customerId: number; websiteId: number; storeView: string },
): Promise<Buyer> {
  const buyer = await selectBuyer.first(em, request);
  if (!buyer) throw new Error('a row that is always there is missing');
  return buyer;
}

const selectBuyer = sql('read-buyer.selectBuyer')`
  select c.id as customer_id, c.group_id, w.website_id, w.base_currency_code, v.website_id as view_website_id
  from (select 1) always
  left join customer c on c.id = $customerId
  left join website w on w.website_id > 0
    and w.website_id = case when $websiteId::bigint <> 0 then $websiteId else c.website_id end
  left join store_view v on v.store_id > 0 and (v.code = $storeView or v.store_id::text = $storeView)
  limit 1`;

/** A product with the catalog's prices for the group. */
export type PricedProduct = RowFrom<typeof selectPricedProducts>;

/** Products of a website by SKU, any number of them in one statement, each with the rows of one customer group. */
export const readPricedProducts = (
  em: EntityManager,
  request: { skus: readonly string[]; websiteId: number; groupId: number },
): Promise<PricedProduct[]> => selectPricedProducts.all(em, request);

const selectPricedProducts = sql('read-buyer.selectPricedProducts', { gives: { tiers: json<TierPrice[]>() } })`
  select p.sku, p.price, case when p.tier_prices = '[]' then p.tier_prices else coalesce((
    select jsonb_agg(t) from jsonb_array_elements(p.tier_prices) t
    where t->'customerGroupId' = to_jsonb($groupId::bigint) and t->'websiteId' in ('0'::jsonb, to_jsonb($websiteId::bigint))
  ), '[]') end as tiers
  from product p
  where ${isAmongSkus('p.sku')} and $websiteId::text = any(p.website_ids)`;
