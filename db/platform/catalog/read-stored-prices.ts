import type { EntityManager } from '@mikro-orm/postgresql';
import { amount, integer, orNull, surely, text, texts } from '../../support/kinds.ts';
import { of } from '../../support/rows.ts';
import { isAmongSkus } from '../../support/sku-sql.ts';
import { statement } from '../../support/statement.ts';
import { numberIn } from './attribute-sql.ts';
import { Product } from './product.entity.ts';
import { requireAll } from './store-prices.ts';

/** The global prices of products. Refused with 404: an unknown sku. */
export async function readBasePrices(em: EntityManager, skus: readonly string[]) {
  const rows = await base.all(em, { skus });
  requireAll(
    skus,
    rows.map(({ sku }) => sku),
  );
  return rows;
}

const base = statement({
  takes: { skus: texts },
  gives: of(Product, 'sku', 'price'),
  text: `select sku, price from product where ${isAmongSkus('sku')} order by entity_id`,
});

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

const costs = statement({
  takes: { skus: texts },
  gives: { ...of(Product, 'sku'), storeId: surely(integer), cost: surely(amount) },
  text: `
    select p.sku, o.store_id, round(${numberIn(own('cost'))}, 4) as cost ${places}
      and ${numberIn(own('cost'))} is not null
    order by p.entity_id, o.store_id`,
});

/** The special prices of products, by scope. Refused with 404: an unknown sku. */
export async function readSpecialPrices(em: EntityManager, skus: readonly string[]) {
  await readBasePrices(em, skus);
  return specials.all(em, { skus });
}

const specials = statement({
  takes: { skus: texts },
  gives: {
    ...of(Product, 'sku'),
    storeId: surely(integer),
    price: surely(amount),
    priceFrom: orNull(text),
    priceTo: orNull(text),
  },
  text: `
    select p.sku, o.store_id, round(${numberIn(own('special_price'))}, 4) as price,
      ${own('special_from_date')} as price_from, ${own('special_to_date')} as price_to ${places}
      and ${numberIn(own('special_price'))} is not null
    order by p.entity_id, o.store_id`,
});
