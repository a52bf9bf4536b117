import type { Product } from './product.entity.ts';
import { isFixedTaxes } from './save-fixed-product-taxes.ts';

type Attributes = Record<string, unknown>;

/** Attributes that have a column of their own. */
const inColumns: ReadonlySet<string> = new Set(['tax_class_id', 'category_ids']);

/**
 * Applies given attributes to a product: null removes one, and the tax class has a column (platform facts 9.1).
 *
 * @returns the attributes that are lists of fixed taxes, which have a separate table
 */
export function assignAttributes(product: Product, given: Attributes) {
  const taxes = Object.entries(given).flatMap(([code, value]) => (isFixedTaxes(value) ? [[code, value] as const] : []));
  const elsewhere = new Set([...taxes.map(([code]) => code), ...inColumns]);
  product.customAttributes = Object.fromEntries(
    Object.entries({ ...product.customAttributes, ...given }).filter(
      ([code, value]) => value !== null && !elsewhere.has(code),
    ),
  );
  product.taxClassId = Number(given['tax_class_id'] ?? product.taxClassId);
  return taxes;
}

/**
 * Puts a product into the given categories, from `category_ids` or `category_links`; when both are given, the ids
 * win. With ids only, a category keeps its position.
 */
export function assignCategories(
  product: Product,
  given: { customAttributes: Attributes; extensionAttributes: Attributes },
) {
  const before = linksOf(product.extensionAttributes);
  const ids = given.customAttributes['category_ids'];
  const links = Array.isArray(ids)
    ? ids.map(
        (id: unknown) =>
          before.find((link) => link.category_id === String(id)) ?? { position: 0, category_id: String(id) },
      )
    : linksOf({ ...product.extensionAttributes, ...given.extensionAttributes });
  product.categoryIds = links.map((link) => link.category_id);
  product.extensionAttributes = {
    ...product.extensionAttributes,
    ...given.extensionAttributes,
    ...(links.length === 0 && before.length === 0 ? {} : { category_links: links }),
  };
}

/** The categories that a caller names, by the field that wins. */
export function namedCategories(given: { customAttributes?: Attributes; extensionAttributes: Attributes }) {
  const ids = given.customAttributes?.['category_ids'];
  return Array.isArray(ids)
    ? { fieldName: 'category_ids', ids: ids.map(String) }
    : { fieldName: 'category_links', ids: linksOf(given.extensionAttributes).map((link) => link.category_id) };
}

function linksOf(extensionAttributes: Attributes | undefined): { position: number; category_id: string }[] {
  const links: unknown = extensionAttributes?.['category_links'];
  if (!Array.isArray(links)) return [];
  return links.flatMap((link: unknown) => {
    if (typeof link !== 'object' || link === null || !('category_id' in link)) return [];
    const position = 'position' in link ? Number(link.position) : 0;
    return [{ position: Number.isInteger(position) ? position : 0, category_id: String(link.category_id) }];
  });
}
