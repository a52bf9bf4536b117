import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { CustomOption } from '../../../domain/platform/catalog/custom-option.ts';
import type { MediaEntry } from '../../../domain/platform/catalog/media-gallery.ts';
import type { ProductLink } from '../../../domain/platform/catalog/product-links.ts';
import type { ScopedValues } from '../../../domain/platform/catalog/scoped-values.ts';
import { amountColumn, quantityColumn } from '../../support/columns.ts';
import { numberIndex, partIndex, setIndex, textIndex } from '../../support/search-indexes.ts';
import { skuKeyOf } from '../../support/sku-sql.ts';
import { timestamps } from '../../support/timestamps.ts';
import { AttributeSet } from './attribute-set.entity.ts';
import { numberOf } from './attribute-sql.ts';

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
    entityId: p.integer().primary().autoincrement(),
    /** As it was first saved. No other product has it, in any case of letters, composed or not. */
    sku: p.string().length(64).unique(),
    name: p.string().length(255),
    attributeSetId: () =>
      p.manyToOne(AttributeSet).mapToPk().fieldName('attribute_set_id').index().deleteRule('restrict').default(4),
    price: amountColumn(),
    /** 1 enabled, 2 disabled. */
    status: p.integer().default(1).index(),
    /** 1 not visible, 2 catalog, 3 search, 4 both. */
    visibility: p.integer().default(4),
    typeId: p.enum(productTypes).default('simple'),
    weight: quantityColumn().nullable(),
    taxClassId: p.integer().default(2),
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
    { properties: ['weight'] },
    { properties: ['typeId'] },
    { properties: ['visibility'] },
    { properties: ['taxClassId'] },
    textIndex('product', 'sku'),
    textIndex('product', 'name'),
    textIndex('product', 'barcode', `"custom_attributes" ->> 'barcode'`),
    textIndex('product', 'url_key', `"custom_attributes" ->> 'url_key'`),
    textIndex('product', 'is_returnable', `"custom_attributes" ->> 'is_returnable'`),
    numberIndex('product', 'special_price', numberOf('special_price')),
    numberIndex('product', 'cost', numberOf('cost')),
    partIndex('product', 'sku'),
    partIndex('product', 'name'),
    setIndex('product', 'website_ids'),
    setIndex('product', 'category_ids'),
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
