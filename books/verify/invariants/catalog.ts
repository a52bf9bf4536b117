import { skuKeyOf } from '../../../db/support/columns.ts';
import type { Invariant } from '../invariant.ts';

/** A day, as attributes keep it. */
const isDay = (value: string) => `${value} ~ '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])( |$)'`;

/** Goods and their prices. */
export const catalogInvariants: readonly Invariant[] = [
  {
    id: 'U-01',
    sentence: 'No two products have SKUs that differ only in the case or the composition of their letters.',
    needsQuiet: false,
    sql: `
      select ${skuKeyOf('sku')} as sku_key, array_agg(sku order by entity_id) as skus,
        array_agg(entity_id order by entity_id) as product_ids
      from product group by 1 having count(*) > 1`,
  },
  {
    id: 'U-01b',
    sentence: 'A customer has one contract price from a quantity on, however the letters of the SKU are written.',
    needsQuiet: false,
    sql: `
      select customer_id, website_id, qty, array_agg(sku order by contract_price_id) as skus
      from pos_contract_price group by customer_id, website_id, qty, ${skuKeyOf('sku')} having count(*) > 1`,
  },
  {
    id: 'U-02',
    sentence: 'The first and the last day of a special price can be read.',
    needsQuiet: false,
    sql: `
      select p.entity_id as product_id, p.sku, d.key as attribute, d.value
      from product p cross join lateral (
        select p.custom_attributes as attributes
        union all select s.value -> 'customAttributes' from jsonb_each(p.scoped_values) s) a
      cross join lateral jsonb_each_text(case jsonb_typeof(a.attributes) when 'object' then a.attributes else '{}' end) d
      where d.key in ('special_from_date', 'special_to_date') and d.value <> '' and not ${isDay('d.value')}`,
  },
];
