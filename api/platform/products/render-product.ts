import type { EntityManager } from '@mikro-orm/postgresql';
import { z } from 'zod';
import type { TierPrice } from '../../../db/platform/catalog/product.entity.ts';
import {
  productAt,
  readFixedProductTaxes,
  readProduct,
  type FixedProductTaxRow,
  type ProductRow,
} from '../../../db/platform/catalog/read-products.ts';
import { readStockItem } from '../../../db/platform/inventory/read-stock-item.ts';
import { scaleUnits, toWire, unitsPerWhole, wholeInPercent } from '../../../domain/money.ts';
import {
  optionKinds,
  rolesOf,
  type CustomOption,
  type MediaEntry,
  type OptionPrice,
  type OptionValue,
  type ProductLink,
} from '../../../domain/platform/catalog/custom-options.ts';
import type { StoreScope } from '../../http/route.ts';
import { renderStockItem } from './stock-item.ts';

const value = z.object({
  title: z.string(),
  sort_order: z.int(),
  price: z.number(),
  price_type: z.string(),
  sku: z.string().optional(),
  option_type_id: z.int(),
});

/** An option of a product in answers (platform facts 9.1). It has the keys of its type only. */
export const customOptionAnswer = z
  .object({
    product_sku: z.string(),
    option_id: z.int(),
    title: z.string(),
    type: z.string(),
    sort_order: z.int(),
    is_require: z.boolean(),
    price: z.number().optional(),
    price_type: z.string().optional(),
    sku: z.string().optional(),
    max_characters: z.int().optional(),
    file_extension: z.string().optional(),
    image_size_x: z.int().optional(),
    image_size_y: z.int().optional(),
    values: z.array(value).optional(),
  })
  .meta({ id: 'ProductCustomOption' });

export function renderCustomOption(option: CustomOption, sku: string): z.input<typeof customOptionAnswer> {
  const kind = optionKinds[option.type];
  return {
    product_sku: sku,
    option_id: option.optionId,
    title: option.title,
    type: option.type,
    sort_order: option.sortOrder,
    is_require: option.isRequire,
    ...(kind === 'select' ? { values: option.values.map(renderValue) } : renderPrice(option)),
    ...(kind === 'text' ? { max_characters: option.maxCharacters } : {}),
    ...(kind === 'file' ? renderFile(option) : {}),
  };
}

const renderPrice = ({ price, priceType, sku }: OptionPrice) => ({
  price: toWire(price),
  price_type: priceType,
  ...(sku === null ? {} : { sku }),
});

const renderFile = ({ fileExtension, imageSizeX, imageSizeY }: CustomOption) => ({
  ...(fileExtension === null ? {} : { file_extension: fileExtension }),
  image_size_x: imageSizeX,
  image_size_y: imageSizeY,
});

const renderValue = (one: OptionValue) => ({
  title: one.title,
  sort_order: one.sortOrder,
  ...renderPrice(one),
  option_type_id: one.optionTypeId,
});

/** A gallery entry in answers (platform facts 9.1). Its file is below `media/catalog/product`. */
export const mediaAnswer = z.object({
  id: z.int(),
  media_type: z.string(),
  label: z.string().nullable(),
  position: z.int(),
  disabled: z.boolean(),
  types: z.array(z.string()),
  file: z.string(),
  extension_attributes: z.object({ video_content: z.record(z.string(), z.unknown()) }).optional(),
});

/** @param attributes the product's attributes in this view, which name the pictures of its roles */
export const renderMedia = (
  entry: MediaEntry,
  attributes: Readonly<Record<string, unknown>>,
): z.input<typeof mediaAnswer> => ({
  id: entry.id,
  media_type: entry.mediaType,
  label: entry.label,
  position: entry.position,
  disabled: entry.disabled,
  types: rolesOf(entry, attributes),
  file: entry.file,
  ...(entry.videoContent ? { extension_attributes: { video_content: entry.videoContent } } : {}),
});

export const productLinkAnswer = z
  .object({
    sku: z.string(),
    link_type: z.string(),
    linked_product_sku: z.string(),
    linked_product_type: z.string(),
    position: z.int(),
    extension_attributes: z.object({ qty: z.number() }).optional(),
  })
  .meta({ id: 'ProductLink' });

/** A link with the sku of its own product. */
export const renderProductLink = (sku: string, link: ProductLink): z.input<typeof productLinkAnswer> => ({
  sku,
  ...link,
});

export const tierPriceAnswer = z.object({
  customer_group_id: z.int(),
  qty: z.number(),
  value: z.number(),
  extension_attributes: z.object({ website_id: z.int(), percentage_value: z.number().optional() }),
});

/** A tier with a percentage follows the price; the other figures are as stored. */
export function renderTierPrice({ customerGroupId, qty, value, websiteId, percentageValue }: TierPrice, price: string) {
  const perUnit =
    percentageValue === undefined
      ? value
      : scaleUnits(unitsOf(price), wholeInPercent - percentageValue, wholeInPercent);
  return {
    customer_group_id: customerGroupId,
    qty: qty / unitsPerWhole,
    value: perUnit / unitsPerWhole,
    extension_attributes: {
      website_id: websiteId,
      ...(percentageValue === undefined ? {} : { percentage_value: percentageValue / unitsPerWhole }),
    },
  };
}

/** A stored price has four decimals: without its point it is the count of 1/10 000. */
const unitsOf = (price: string) => Number(price.replace('.', ''));

/** A product from its row, for lists; copied directly, because a list may have hundreds. */
export function renderProduct(row: ProductRow): ProductAnswer {
  return {
    id: row.entity_id,
    sku: row.sku,
    name: row.name,
    attribute_set_id: row.attribute_set_id,
    price: Number(row.price),
    status: row.status,
    visibility: row.visibility,
    type_id: row.type_id,
    created_at: row.created_at.slice(0, 19),
    updated_at: row.updated_at.slice(0, 19),
    ...(row.weight === null ? {} : { weight: Number(row.weight) }),
    extension_attributes: { website_ids: row.website_ids.map(Number), ...inUse(row.extension_attributes) },
    product_links: row.product_links.map((link) => renderProductLink(row.sku, link)),
    options: row.options.map((option) => renderCustomOption(option, row.sku)),
    media_gallery_entries: row.media_gallery_entries.map((entry) => renderMedia(entry, row.custom_attributes)),
    tier_prices: row.tier_prices.map((tier) => renderTierPrice(tier, row.price)),
    custom_attributes: renderAttributes(row),
  };
}

/** Emptied links to categories are absent, as the platform has it (platform facts 14). */
function inUse({ category_links: links, ...others }: ProductRow['extension_attributes']) {
  return Array.isArray(links) && links.length === 0
    ? others
    : { ...(links ? { category_links: links } : {}), ...others };
}

/** As a single read has it: with its fixed taxes and its stock item (platform facts 9.1, 9.2). */
function renderWholeProduct(
  row: ProductRow,
  { taxes, stockItem }: { taxes: readonly FixedProductTaxRow[]; stockItem: unknown },
): ProductAnswer {
  const product = renderProduct(row);
  return {
    ...product,
    extension_attributes: { ...product.extension_attributes, stock_item: stockItem },
    custom_attributes: [...product.custom_attributes, ...renderTaxes(taxes)],
  };
}

function renderAttributes(row: ProductRow) {
  const attributes: { attribute_code: string; value: unknown }[] = [
    { attribute_code: 'tax_class_id', value: String(row.tax_class_id) },
  ];
  if (row.category_ids.length > 0) attributes.push({ attribute_code: 'category_ids', value: row.category_ids });
  for (const code in row.custom_attributes)
    attributes.push({ attribute_code: code, value: asText(row.custom_attributes[code]) });
  return attributes;
}

/** Values are texts on the platform, whatever type was sent (platform facts 14); lists stay lists. */
function asText(value: unknown): unknown {
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (typeof value === 'number') return String(value);
  return Array.isArray(value) ? value.map(asText) : value;
}

function renderTaxes(taxes: readonly FixedProductTaxRow[]) {
  const byAttribute = Map.groupBy(taxes, (tax) => tax.attribute_code);
  return [...byAttribute].map(([attribute_code, rows]) => ({ attribute_code, value: rows.map(renderTax) }));
}

/** Texts, as the platform reads them from its database; only the value in the website's currency is a number. */
const renderTax = (tax: FixedProductTaxRow) => ({
  website_id: String(tax.website_id),
  country: tax.country_id,
  state: String(tax.region_id),
  value: tax.value,
  website_value: Number(tax.value),
});

/**
 * A product as a single read and every save answer it, with the store view's texts. Refused with 404: an unknown sku.
 */
export async function readWholeProduct(em: EntityManager, { sku, store }: { sku: string; store: StoreScope }) {
  const row = productAt(await readProduct(em, sku), store);
  const [taxes, stockItem] = await Promise.all([
    readFixedProductTaxes(em, { productId: row.entity_id, websiteId: store.websiteId }),
    readStockItem(em, sku),
  ]);
  return renderWholeProduct(row, { taxes, stockItem: renderStockItem(stockItem) });
}

/**
 * A product as answers have it (platform facts 9.1). Attributes that are lists of fixed taxes come in the single read.
 */
export const productAnswer = z
  .object({
    id: z.int(),
    sku: z.string(),
    name: z.string(),
    attribute_set_id: z.int(),
    price: z.number(),
    status: z.int(),
    visibility: z.int(),
    type_id: z.string(),
    created_at: z.string(),
    updated_at: z.string(),
    weight: z.number().optional(),
    extension_attributes: z.looseObject({ website_ids: z.array(z.int()) }),
    product_links: z.array(productLinkAnswer),
    options: z.array(customOptionAnswer),
    media_gallery_entries: z.array(mediaAnswer),
    tier_prices: z.array(tierPriceAnswer),
    custom_attributes: z.array(z.object({ attribute_code: z.string(), value: z.unknown() })),
  })
  .meta({ id: 'Product' });

type ProductAnswer = z.input<typeof productAnswer>;
