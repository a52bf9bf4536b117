import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { CustomOption, MediaEntry, ProductLink } from '../../../domain/platform/catalog/custom-options.ts';
import type { AttributeSettings, StoreLabel } from '../../../domain/platform/catalog/product-attributes.ts';
import type { ScopedValues } from '../../../domain/platform/catalog/scoped-values.ts';
import {
  amountColumn,
  attributeValues,
  optionalIndex,
  optionalTextIndex,
  partIndex,
  quantityColumn,
  setIndex,
  skuKeyOf,
  textIndex,
} from '../../support/columns.ts';
import { timestamps } from '../../support/shop-clock.ts';
import { numberOf } from './attribute-sql.ts';

/** The attributes that a kind of goods has, such as those of all shoes (platform facts 9.1). */
export const AttributeSet = defineEntity({
  name: 'AttributeSet',
  tableName: 'attribute_set',
  properties: {
    attributeSetId: p.bigint('number').primary().autoincrement(),
    attributeSetName: p.string().length(255).unique(),
    sortOrder: p.integer().default(0),
  },
});

export type AttributeSet = InferEntity<typeof AttributeSet>;

export const productTypes = ['simple', 'virtual', 'configurable', 'bundle', 'grouped', 'downloadable'] as const;

/** One row of `tier_prices`; group 32000 means all groups (platform facts 8, 9.1). */
export interface TierPrice {
  customerGroupId: number;
  websiteId: number;
  /** In 1/10 000. */
  qty: number;
  value: number;
  /** For a percentage price: the discount, in 1/10 000 of a percent. `value` then follows the product's price. */
  percentageValue?: number;
}

/** A product of the catalog (platform facts 9.1). Prices are in the base currency. */
export const Product = defineEntity({
  name: 'Product',
  tableName: 'product',
  properties: {
    entityId: p.bigint('number').primary().autoincrement(),
    /** As it was first saved. No other product has it, in any case of letters, composed or not. */
    sku: p.string().length(64).unique(),
    name: p.string().length(255),
    attributeSetId: () =>
      p.manyToOne(AttributeSet).mapToPk().fieldName('attribute_set_id').deleteRule('restrict').default(4),
    price: amountColumn(),
    /** 1 enabled, 2 disabled. */
    status: p.integer().default(1),
    /** 1 not visible, 2 catalog, 3 search, 4 both. */
    visibility: p.integer().default(4),
    typeId: p.enum(productTypes).default('simple'),
    weight: quantityColumn().nullable(),
    taxClassId: p.bigint('number').default(2),
    websiteIds: p.array(Number, String).defaultRaw(`'{}'`),
    categoryIds: p.array().defaultRaw(`'{}'`),
    tierPrices: p.json<TierPrice[]>().defaultRaw(`'[]'::jsonb`),
    customAttributes: p.json<Record<string, unknown>>().defaultRaw(`'{}'::jsonb`),
    /** The values of store views and websites that replace the columns (platform facts 9.1). */
    scopedValues: p.json<ScopedValues>().defaultRaw(`'{}'::jsonb`),
    extensionAttributes: p.json<Record<string, unknown>>().defaultRaw(`'{}'::jsonb`),
    /** Their ids are drawn from the sequence `product_option_id`, as are those of their values. */
    options: p.json<CustomOption[]>().defaultRaw(`'[]'::jsonb`),
    productLinks: p.json<ProductLink[]>().defaultRaw(`'[]'::jsonb`),
    mediaGalleryEntries: p.json<MediaEntry[]>().defaultRaw(`'[]'::jsonb`),
    manageStock: p.boolean().default(true),
    isQtyDecimal: p.boolean().default(false),
    /** The rules of one sale; null: the shop's rule holds. */
    backorders: p.integer().nullable(),
    minSaleQty: quantityColumn().nullable(),
    maxSaleQty: quantityColumn().nullable(),
    enableQtyIncrements: p.boolean().nullable(),
    qtyIncrements: quantityColumn().nullable(),
    minQty: quantityColumn().defaultRaw('0').nullable(),
    ...timestamps,
  },
  indexes: [
    { properties: ['createdAt'] },
    { properties: ['updatedAt'] },
    { properties: ['price'] },
    // Of few values: the goods of each are in the order of their ids, for pages of a filter and of a sort.
    { properties: ['status', 'entityId'] },
    { properties: ['typeId', 'entityId'] },
    { properties: ['visibility', 'entityId'] },
    { properties: ['taxClassId', 'entityId'] },
    { properties: ['attributeSetId', 'entityId'] },
    optionalIndex('product', 'weight'),
    textIndex('product', 'sku'),
    textIndex('product', 'name'),
    optionalTextIndex('product', 'barcode', `"custom_attributes" ->> 'barcode'`),
    optionalTextIndex('product', 'url_key', `"custom_attributes" ->> 'url_key'`),
    optionalTextIndex('product', 'is_returnable', `"custom_attributes" ->> 'is_returnable'`),
    optionalIndex('product', 'special_price', numberOf('special_price')),
    optionalIndex('product', 'cost', numberOf('cost')),
    partIndex('product', 'sku'),
    partIndex('product', 'name'),
    setIndex('product', 'website_ids'),
    setIndex('product', 'category_ids'),
    {
      // What a filter by any attribute finds: attributes differ from shop to shop, so none has an index of its own.
      name: 'product_attribute_values',
      expression: `create index "product_attribute_values" on "product" using gin (${attributeValues})`,
    },
    setIndex('product', 'scoped_values'),
    setIndex('product', 'product_links'),
  ],
  uniques: [
    {
      name: 'product_sku_once',
      expression: `create unique index "product_sku_once" on "product" (${skuKeyOf('"sku"')})`,
    },
  ],
  checks: [
    { name: 'product_price_not_negative', expression: `price >= 0 and price <> 'NaN'` },
    {
      name: 'product_sale_rules_not_negative',
      expression: `backorders >= 0 and backorders <= 2 and min_sale_qty >= 0 and max_sale_qty >= 0 and qty_increments >= 0`,
    },
  ],
});

export type Product = InferEntity<typeof Product>;

/**
 * A fixed tax per unit of a product, base currency, by country and region (platform facts 9.2). Region 0: whole
 * country.
 */
export const FixedProductTax = defineEntity({
  name: 'FixedProductTax',
  tableName: 'fixed_product_tax',
  properties: {
    valueId: p.bigint('number').primary().autoincrement(),
    productId: () => p.manyToOne(Product).mapToPk().fieldName('product_id').index().deleteRule('cascade'),
    attributeCode: p.string().length(64),
    websiteId: p.bigint('number').default(0),
    countryId: p.string().length(2),
    regionId: p.bigint('number').default(0),
    value: amountColumn(),
  },
  uniques: [
    {
      name: 'fixed_product_tax_once_per_place',
      properties: ['productId', 'attributeCode', 'websiteId', 'countryId', 'regionId'],
    },
  ],
});

export type FixedProductTax = InferEntity<typeof FixedProductTax>;

/** Attributes of a set that are shown together, such as all prices (platform facts 9.1). */
export const AttributeGroup = defineEntity({
  name: 'AttributeGroup',
  tableName: 'attribute_group',
  properties: {
    attributeGroupId: p.bigint('number').primary().autoincrement(),
    attributeSetId: () => p.manyToOne(AttributeSet).mapToPk().fieldName('attribute_set_id').deleteRule('cascade'),
    attributeGroupName: p.string().length(255),
    attributeGroupCode: p.string().length(255),
    sortOrder: p.integer().default(0),
  },
  uniques: [
    { name: 'attribute_group_name_once', properties: ['attributeSetId', 'attributeGroupName'] },
    { name: 'attribute_group_code_once', properties: ['attributeSetId', 'attributeGroupCode'] },
  ],
});

export type AttributeGroup = InferEntity<typeof AttributeGroup>;

/**
 * An attribute of a set, by its code: most of the platform's own have no row of their own. Within a set it is in one
 * group (platform facts 9.1).
 */
export const AttributeInSet = defineEntity({
  name: 'AttributeInSet',
  tableName: 'attribute_in_set',
  properties: {
    entityAttributeId: p.bigint('number').primary().autoincrement(),
    attributeSetId: () => p.manyToOne(AttributeSet).mapToPk().fieldName('attribute_set_id').deleteRule('cascade'),
    group: () => p.manyToOne(AttributeGroup).fieldName('attribute_group_id').index().deleteRule('cascade'),
    attributeCode: p.string().length(60).index(),
    sortOrder: p.integer().default(0),
  },
  uniques: [{ name: 'attribute_in_set_once', properties: ['attributeSetId', 'attributeCode'] }],
});

export type AttributeInSet = InferEntity<typeof AttributeInSet>;

/** The bytes of a product's picture. A file never changes: a new picture gets a new file name. */
export const ProductPicture = defineEntity({
  name: 'ProductPicture',
  tableName: 'product_picture',
  properties: {
    pictureId: p.bigint('number').primary().autoincrement(),
    productId: () => p.manyToOne(Product).mapToPk().fieldName('product_id').index().deleteRule('cascade'),
    /** The path below the folder of product pictures. It starts with a slash. */
    file: p.string().length(255).unique(),
    mimeType: p.string().length(32),
    content: p.blob(),
    createdAt: p.datetime(6).defaultRaw('now()'),
  },
});

export type ProductPicture = InferEntity<typeof ProductPicture>;

const scopes = ['global', 'website', 'store'] as const;

/**
 * An attribute of the shop's own, or what the shop keeps of one of the platform's: its labels, its options and its
 * settings. The platform's are `platformAttributes`.
 */
export const ProductAttributeRow = defineEntity({
  name: 'ProductAttributeRow',
  tableName: 'product_attribute',
  properties: {
    attributeId: p.bigint('number').primary().autoincrement(),
    attributeCode: p.string().length(60).unique(),
    /** One of `attributeInputs`. Without more it came with a product: `text`, or `weee` for a list of fixed taxes. */
    frontendInput: p.string().length(20).default('text'),
    /** Null: it came with a product, and nobody has named it. */
    label: p.string().length(255).nullable(),
    storeLabels: p.json<StoreLabel[]>().defaultRaw(`'[]'::jsonb`),
    scope: p.enum(scopes).default('global'),
    isRequired: p.boolean().default(false),
    isUnique: p.boolean().default(false),
    settings: p.json<AttributeSettings>().defaultRaw(`'{}'::jsonb`),
    options: () =>
      p.oneToMany(ProductAttributeOption).mappedBy('attribute').orderBy({ sortOrder: 'asc', optionId: 'asc' }),
  },
});

export type ProductAttributeRow = InferEntity<typeof ProductAttributeRow>;

/** Counts the changes of a feed's data, from every side, so that registers need not fetch the same data twice. */
export const FeedVersion = defineEntity({
  name: 'FeedVersion',
  tableName: 'feed_version',
  properties: {
    feed: p.string().length(64).primary(),
    version: p.bigint('number').default(1),
  },
});
export type FeedVersion = InferEntity<typeof FeedVersion>;

/** A value that an attribute offers; products have its id (platform facts 9.1). */
export const ProductAttributeOption = defineEntity({
  name: 'ProductAttributeOption',
  tableName: 'product_attribute_option',
  properties: {
    optionId: p.bigint('number').primary().autoincrement(),
    attribute: () => p.manyToOne(ProductAttributeRow).fieldName('attribute_id').deleteRule('cascade'),
    label: p.string().length(255),
    storeLabels: p.json<StoreLabel[]>().defaultRaw(`'[]'::jsonb`),
    sortOrder: p.integer().default(0),
  },
  uniques: [{ name: 'product_attribute_option_label_once', properties: ['attribute', 'label'] }],
});

export type ProductAttributeOption = InferEntity<typeof ProductAttributeOption>;

/** A value that one product alone may have, because its attribute says so (platform facts 9.1). */
export const UniqueValue = defineEntity({
  name: 'UniqueValue',
  tableName: 'unique_value',
  properties: {
    attributeId: () =>
      p.manyToOne(ProductAttributeRow).mapToPk().primary().fieldName('attribute_id').deleteRule('cascade'),
    /** In small letters; of a long one its fingerprint. */
    value: p.string().length(255).primary(),
    productId: () => p.manyToOne(Product).mapToPk().fieldName('product_id').index().deleteRule('cascade'),
  },
});

export type UniqueValue = InferEntity<typeof UniqueValue>;
