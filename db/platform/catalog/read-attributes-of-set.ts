import type { EntityManager } from '@mikro-orm/postgresql';
import { isAmongSkus } from '../../support/columns.ts';
import { orNull, text } from '../../support/entity-columns.ts';
import { sql } from '../../support/sql.ts';
import type { RowFrom } from '../../support/statement.ts';
import { numberIn } from './attribute-sql.ts';
import { requireAll } from './store-prices.ts';

/** SQL of an attribute's label in a store view; its code where nobody has named it. */
export const labelInView = (attribute: string, storeId: string) => `
  coalesce(
    (select v ->> 'label' from jsonb_array_elements(${attribute}.store_labels) v
     where (v ->> 'storeId')::bigint = ${storeId} limit 1),
    ${attribute}.label, ${attribute}.attribute_code)`;

/** The fixed-tax attributes of the catalog: those of input type `weee`, with their labels in a store view. */
export const readFixedTaxAttributes = (
  em: EntityManager,
  storeId: number,
): Promise<RowFrom<typeof selectAttributesOfSet>[]> => selectAttributesOfSet.all(em, { storeId });

/** More than any shop has; a register keeps them all. */
const fixedTaxAttributesMostAttributes = 200;

const selectAttributesOfSet = sql('read-attributes-of-set.selectAttributesOfSet')`
  select a.attribute_code as code, ${labelInView('a', '$storeId')} as label from product_attribute a
  where a.frontend_input = 'weee' order by a.attribute_code limit ${fixedTaxAttributesMostAttributes}`;

/** The tax classes of goods. */
export const readProductTaxClasses = (em: EntityManager) => taxClasses.all(em);

const taxClasses = sql('read-attributes-of-set.taxClasses')`
  select class_id as tax_class_id, class_name as name from tax_class where class_type = 'PRODUCT' order by 1`;

/** The global prices of products. Refused with 404: an unknown sku. */
export async function readBasePrices(em: EntityManager, skus: readonly string[]) {
  const rows = await base.all(em, { skus });
  requireAll(
    skus,
    rows.map(({ sku }) => sku),
  );
  return rows;
}

const base = sql('read-attributes-of-set.base')`
  select sku, price from product where ${isAmongSkus('sku')} order by entity_id`;

const own = (code: string) => `(o.attributes ->> '${code}')`;

/**
 * The scopes that can have a product's value: the global one, and each view of a website that has values of its own.
 */
const places = `
  from product p cross join lateral (
    select 0 as store_id, p.custom_attributes as attributes
    union all
    select v.store_id, p.scoped_values -> concat('w', v.website_id) -> 'customAttributes' from store_view v
    where v.store_id > 0 and p.scoped_values -> concat('w', v.website_id) -> 'customAttributes' is not null) o
  where ${isAmongSkus('p.sku')}`;

/** The costs of products, by scope. Refused with 404: an unknown sku. */
export async function readCosts(em: EntityManager, skus: readonly string[]) {
  await readBasePrices(em, skus);
  return costs.all(em, { skus });
}

const costs = sql('read-attributes-of-set.costs')`
  select p.sku, o.store_id, round(${numberIn(own('cost'))}, 4) as cost ${places}
    and ${numberIn(own('cost'))} is not null
  order by p.entity_id, o.store_id`;

/** The special prices of products, by scope. Refused with 404: an unknown sku. */
export async function readSpecialPrices(em: EntityManager, skus: readonly string[]) {
  await readBasePrices(em, skus);
  return specials.all(em, { skus });
}

const specials = sql('read-attributes-of-set.specials', { gives: { priceFrom: orNull(text), priceTo: orNull(text) } })`
  select p.sku, o.store_id, round(${numberIn(own('special_price'))}, 4) as price,
    ${own('special_from_date')} as price_from, ${own('special_to_date')} as price_to ${places}
    and ${numberIn(own('special_price'))} is not null
  order by p.entity_id, o.store_id`;
