import type { EntityManager } from '@mikro-orm/postgresql';
import { Product, ProductAttributeOption, type TierPrice } from '../../db/platform/catalog/product.entity.ts';
import { replaceOptions } from '../../db/platform/catalog/product-links.ts';
import { findProductAttribute } from '../../db/platform/catalog/read-product-attributes.ts';
import { Category } from '../../db/platform/categories/category.entity.ts';
import { SalesCoupon, SalesRule } from '../../db/platform/sales-rules/sales-rule.entity.ts';
import { json } from '../../db/support/entity-columns.ts';
import { sql } from '../../db/support/sql.ts';
import { amount, money, pieces } from '../../domain/money.ts';
import { goOnAfter } from './stores.ts';

/**
 * What no file says of the goods: categories, prices of many, the variants of the shirt, what is engraved, fees, a
 * coupon.
 */

/** Below the one that both shops show, by the ids that the list of products names. */
const categories = ['Tableware', 'Home', 'Pantry', 'Stationery', 'Clothing', 'Services'];
const firstCategory = 3;

export async function seedCategories(em: EntityManager): Promise<void> {
  await em.upsertMany(Category, categories.map(categoryOf));
  await goOnCategories.run(em);
}

function categoryOf(name: string, at: number) {
  const entityId = firstCategory + at;
  return {
    ...{ entityId, parentId: 2, path: `1/2/${entityId}`, level: 2, position: at + 1, name },
    customAttributes: { url_key: name.toLowerCase() },
  };
}

const goOnCategories = goOnAfter('category', 'entity_id');

/** Everything beside the list of products. A repeat changes nothing. */
export async function seedGoods(em: EntityManager): Promise<void> {
  await seedTiers(em);
  await linkShirts(em);
  await seedEngravedMug(em);
  await insertFees.run(em, { fees: ecoFees });
  await seedCoupon(em);
}

const everyGroup = 32_000;
const wholesale = 2;
const oneUnit = amount(10_000);

/** Plates are cheaper by the half dozen for everyone; mugs always are for wholesalers. */
async function seedTiers(em: EntityManager): Promise<void> {
  for (const product of await em.find(Product, { sku: { $like: 'PLATE-%' } }))
    product.tierPrices = [tier({ customerGroupId: everyGroup, qty: pieces(6), percentageValue: 100_000 })];
  for (const product of await em.find(Product, { sku: { $like: 'MUG-%', $ne: engravedMug } }))
    product.tierPrices = [tier({ customerGroupId: wholesale, qty: pieces(1), value: product.price - oneUnit })];
  await em.flush();
}

const tier = (own: Omit<TierPrice, 'websiteId' | 'value'> & { value?: number }): TierPrice => ({
  websiteId: 0,
  value: 0,
  ...own,
});

const shirt = 'SHIRT';

/** The shirt that comes in sizes and colours. */
async function linkShirts(em: EntityManager): Promise<void> {
  const parent = await em.findOneOrFail(Product, { sku: shirt });
  if (parent.extensionAttributes['configurable_product_options'] !== undefined) return;
  const children = await em.find(Product, { sku: { $like: `${shirt}-%` } }, { orderBy: { entityId: 'asc' } });
  const options = [
    await optionOf(em, { id: 1, code: 'size', label: 'Size', position: 0 }),
    await optionOf(em, { id: 2, code: 'color', label: 'Color', position: 1 }),
  ];
  parent.extensionAttributes = {
    ...parent.extensionAttributes,
    configurable_product_options: options.map((option) => ({ ...option, product_id: parent.entityId })),
    configurable_product_links: children.map(({ entityId }) => entityId),
  };
  await em.flush();
}

async function optionOf(
  em: EntityManager,
  { code, ...option }: { id: number; code: string; label: string; position: number },
) {
  const { attribute_id: attributeId } = await findProductAttribute(em, code);
  const values = await em.find(
    ProductAttributeOption,
    { attribute: Number(attributeId) },
    { orderBy: { sortOrder: 'asc' } },
  );
  return {
    ...option,
    attribute_id: String(attributeId),
    values: values.map(({ optionId }) => ({ value_index: optionId })),
  };
}

/** A mug with a name on it: what is engraved is entered, and the letters are chosen. */
const engravedMug = 'MUG-NAMED';
const longestName = 20;

const options = [
  {
    ...{ type: 'field', title: 'Name', sku: 'NAME', price: money('5'), priceType: 'fixed', sortOrder: 1 },
    ...{ isRequire: true, maxCharacters: longestName },
  },
  {
    ...{ type: 'drop_down', title: 'Letters', sortOrder: 2, isRequire: true },
    values: [
      { title: 'Plain', sku: 'PLAIN', price: money('0'), priceType: 'fixed', sortOrder: 1 },
      { title: 'Gold', sku: 'GOLD', price: money('3'), priceType: 'fixed', sortOrder: 2 },
    ],
  },
];

/** Gives the mug its options. One that has some keeps them. */
async function seedEngravedMug(em: EntityManager): Promise<void> {
  const mug = await em.findOneOrFail(Product, { sku: engravedMug });
  if (mug.options.length > 0) return;
  await replaceOptions(em, mug, options);
  await em.flush();
}

/** Fixed taxes per lamp, before tax, in each website's base currency: country-wide, and for one region instead. */
const ecoFees = [
  { countryId: 'US', regionId: 0, value: '2.50' },
  { countryId: 'US', regionId: 12, value: '4.00' },
  { countryId: 'CA', regionId: 0, value: '1.20' },
  { countryId: 'DE', regionId: 0, value: '0.89' },
] as const;

const insertFees = sql('goods.insertFees', { takes: { fees: json<typeof ecoFees>() } })`
  insert into fixed_product_tax (product_id, attribute_code, website_id, country_id, region_id, value)
  select p.entity_id, 'eco_fee', 0, fee."countryId", fee."regionId", fee.value
  from product p, jsonb_to_recordset($fees) as fee ("countryId" text, "regionId" integer, value numeric)
  where p.sku like 'LAMP-%'
  on conflict (product_id, attribute_code, website_id, country_id, region_id) do nothing`;

/** Ten percent off any cart. */
const coupon = {
  name: 'Ten percent for friends of the shop',
  simpleAction: 'by_percent',
  discountAmount: money('10'),
  couponType: 'SPECIFIC_COUPON',
} as const;
const couponCode = 'LANTERN10';

async function seedCoupon(em: EntityManager): Promise<void> {
  if ((await em.count(SalesCoupon, { code: couponCode })) > 0) return;
  const rule = em.create(SalesRule, coupon);
  await em.flush();
  em.create(SalesCoupon, { rule, code: couponCode, isPrimary: true });
  await em.flush();
}
