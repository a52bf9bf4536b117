import type { FixedProductTaxRow, ProductRow } from '../../../db/platform/catalog/read-products.ts';
import type { ProductAnswer } from './product-answer.ts';
import { renderCustomOption } from './render-custom-option.ts';
import { renderMedia } from './render-media.ts';
import { renderProductLink } from './render-product-link.ts';
import { renderTierPrice } from './render-tier-price.ts';

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
export function renderWholeProduct(
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
