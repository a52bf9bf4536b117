import type { Product } from './product.entity.ts';
import { isFixedTaxes } from './save-fixed-product-taxes.ts';

type Attributes = Record<string, unknown>;

interface GivenAttributes {
  customAttributes: Attributes;
  extensionAttributes: Attributes | undefined;
}

/**
 * Lays given attributes over a product's own: null removes one, the tax class has a column, and the categories stand
 * both in `category_ids` and in `category_links` (platform facts 9.1).
 *
 * @returns the attributes that are lists of fixed taxes, which have a table of their own
 */
export function assignAttributes(product: Product, { customAttributes, extensionAttributes = {} }: GivenAttributes) {
  const given = { ...customAttributes, ...categoryIdsOf(customAttributes, extensionAttributes) };
  const taxes = Object.entries(given).flatMap(([code, value]) => (isFixedTaxes(value) ? [[code, value] as const] : []));
  const ownTables = new Set([...taxes.map(([code]) => code), 'tax_class_id']);
  const attributes = { ...product.customAttributes, ...given };
  product.customAttributes = Object.fromEntries(
    Object.entries(attributes).filter(([code, value]) => value !== null && !ownTables.has(code)),
  );
  product.extensionAttributes = {
    ...product.extensionAttributes,
    ...extensionAttributes,
    ...categoryLinksOf(customAttributes, product.extensionAttributes),
  };
  const taxClassId = Number(given['tax_class_id'] ?? product.taxClassId);
  if (Number.isInteger(taxClassId) && taxClassId >= 0) product.taxClassId = taxClassId;
  return taxes;
}

/** `category_ids` as the links say, where only the links were given. */
function categoryIdsOf(customAttributes: Attributes, extensionAttributes: Attributes): Attributes {
  const links = extensionAttributes['category_links'];
  if (customAttributes['category_ids'] !== undefined || !Array.isArray(links)) return {};
  return { category_ids: links.map((link: unknown) => String(categoryIdOf(link))) };
}

/** The links as `category_ids` says, each at the position it had. */
function categoryLinksOf(customAttributes: Attributes, kept: Attributes | undefined): Attributes {
  const ids = customAttributes['category_ids'];
  if (!Array.isArray(ids)) return {};
  const links: unknown[] = Array.isArray(kept?.['category_links']) ? kept['category_links'] : [];
  const linkTo = (id: string) => links.find((link) => String(categoryIdOf(link)) === id);
  return { category_links: ids.map((id: unknown) => linkTo(String(id)) ?? { position: 0, category_id: String(id) }) };
}

const categoryIdOf = (link: unknown): unknown =>
  typeof link === 'object' && link !== null && 'category_id' in link ? link.category_id : undefined;
