import type { EntityManager } from '@mikro-orm/postgresql';

import { Product, type TierPrice } from '../platform/catalog/product.entity.ts';
import { integer, json, texts } from '../support/kinds.ts';
import { of } from '../support/rows.ts';
import { isAmongSkus } from '../support/sku-sql.ts';
import { statement, type RowFrom } from '../support/statement.ts';

/** A product with the catalog's prices for the group. */
export type PricedProduct = RowFrom<typeof read>;

/** Products of a website by SKU, any number of them in one statement, each with the rows of one customer group. */
export const readPricedProducts = (
  em: EntityManager,
  asked: { skus: readonly string[]; websiteId: number; groupId: number },
): Promise<PricedProduct[]> => read.all(em, asked);

const read = statement({
  takes: { skus: texts, websiteId: integer, groupId: integer },
  gives: { ...of(Product, 'sku', 'price'), tiers: json<TierPrice[]>() },
  text: `
    select p.sku, p.price, case when p.tier_prices = '[]' then p.tier_prices else coalesce((
      select jsonb_agg(t) from jsonb_array_elements(p.tier_prices) t
      where t->'customerGroupId' = to_jsonb($groupId::int) and t->'websiteId' in ('0'::jsonb, to_jsonb($websiteId::int))
    ), '[]') end as tiers
    from product p
    where ${isAmongSkus('p.sku')} and $websiteId::text = any(p.website_ids)`,
});
