import { Product } from '../../db/platform/catalog/product.entity.ts';
import { findProductAttribute } from '../../db/platform/catalog/search-product-attributes.ts';
import type { EntityManager } from '@mikro-orm/postgresql';
import { json, text } from '../../db/support/kinds.ts';
import { of } from '../../db/support/rows.ts';
import { statement } from '../../db/support/statement.ts';
import { ecoFees, shirt } from './assortment.ts';
import { seedCheckout } from './checkout.ts';
import { seedEngravedMug } from './engraved-mug.ts';
import { places } from './places.ts';
import { demoProducts } from './products.ts';

/**
 * Everything beside the products: the shirt's sizes and colours, the fees of lamps, stock quantities, taxes and a
 * coupon.
 */
export async function seedGoods(em: EntityManager): Promise<void> {
  await linkShirts(em);
  await seedEngravedMug(em);
  await seedFees(em);
  await seedShelves(em);
  await seedCheckout(em);
}

async function linkShirts(em: EntityManager): Promise<void> {
  const rows = await findShirts.all(em, { sku: shirt.sku });
  const parent = rows.find(({ sku }) => sku === shirt.sku);
  const children = rows.filter(({ sku }) => sku !== shirt.sku);
  const idOf = async (code: string) => String((await findProductAttribute(em, code)).attribute_id);
  const links = {
    configurable_product_options: [
      optionOf({ id: 1, attributeId: await idOf('size'), label: 'Size', position: 0, values: shirt.sizes }),
      optionOf({ id: 2, attributeId: await idOf('color'), label: 'Color', position: 1, values: shirt.colours }),
    ].map((option) => ({ ...option, product_id: parent?.entityId })),
    configurable_product_links: children.map(({ entityId }) => entityId),
  };
  await setLinks.run(em, { links, sku: shirt.sku });
}

const findShirts = statement({
  takes: { sku: text },
  gives: of(Product, 'entityId', 'sku'),
  text: `select entity_id, sku from product where sku = $sku or sku like $sku || '-%' order by entity_id`,
});

const setLinks = statement({
  takes: { links: json<object>(), sku: text },
  text: `
    update product set extension_attributes = extension_attributes || $links
    where sku = $sku and not extension_attributes @> '{"configurable_product_links": []}'`,
});

const optionOf = (option: {
  id: number;
  attributeId: string;
  label: string;
  position: number;
  values: readonly { optionId: number }[];
}) => ({
  id: option.id,
  attribute_id: option.attributeId,
  label: option.label,
  position: option.position,
  values: option.values.map(({ optionId }) => ({ value_index: optionId })),
});

const seedFees = (em: EntityManager) => insertFees.run(em, { fees: ecoFees });

const insertFees = statement({
  takes: { fees: json<typeof ecoFees>() },
  text: `
    insert into fixed_product_tax (product_id, attribute_code, website_id, country_id, region_id, value)
    select p.entity_id, 'eco_fee', 0, fee."countryId", fee."regionId", fee.value
    from product p, jsonb_to_recordset($fees) as fee ("countryId" text, "regionId" integer, value numeric)
    where p.sku like 'LAMP-%'
    on conflict (product_id, attribute_code, website_id, country_id, region_id) do nothing`,
});

/** Stock for managed products: a different quantity at every shop, and none of the rug or the old sign. */
async function seedShelves(em: EntityManager): Promise<void> {
  const rows = demoProducts()
    .filter(({ manageStock }) => manageStock !== false)
    .flatMap(({ sku }, index) =>
      places.map(({ source }, place) => ({
        sku,
        source_code: source,
        quantity: quantityOn(String(sku), index + place),
      })),
    );
  await insertShelves.run(em, { rows });
}

const insertShelves = statement({
  takes: { rows: json<readonly object[]>() },
  text: `
    insert into inventory_source_item (sku, source_code, quantity, status)
    select sku, source_code, quantity, case when quantity > 0 or sku = 'RUG' then 1 else 0 end
    from jsonb_to_recordset($rows) as row (sku text, source_code text, quantity numeric)
    order by sku, source_code
    on conflict (sku, source_code) do nothing`,
});

const emptyShelves: readonly string[] = ['RUG', 'SIGN-OLD'];

const quantityOn = (sku: string, step: number) => (emptyShelves.includes(sku) ? 0 : 200 + ((step * 7) % 40));
