import type { EntityManager } from '@mikro-orm/postgresql';
import { galleryAt } from '../../../domain/platform/catalog/custom-options.ts';
import { ownValuesAt, withoutEnded, type ValuePlace } from '../../../domain/platform/catalog/scoped-values.ts';
import { requestedProductMissing } from '../../../domain/refusals/catalog.ts';
import { text, texts, type Kind } from '../../support/entity-columns.ts';
import { asListed } from '../../support/rows.ts';
import { isSku } from '../../support/columns.ts';
import { sql } from '../../support/sql.ts';
import type { RowFrom } from '../../support/statement.ts';
import { FixedProductTax, Product } from './product.entity.ts';

/** What lists and reads of products select. */
export const productColumns = `
  entity_id, sku, name, attribute_set_id, price, status, visibility, type_id, created_at, updated_at, weight,
  tax_class_id, website_ids, category_ids, tier_prices, custom_attributes, scoped_values, extension_attributes, options,
  product_links, media_gallery_entries`;

export type ProductRow = RowFrom<typeof bySku>;

/** What those columns give. */
export const productRow = {
  ...asListed(Product, 'entityId', 'sku', 'name', 'attributeSetId', 'price', 'status', 'visibility', 'createdAt'),
  type_id: text,
  ...asListed(Product, 'updatedAt', 'weight', 'taxClassId', 'tierPrices', 'customAttributes', 'scopedValues'),
  ...asListed(Product, 'extensionAttributes'),
  website_ids: texts as Kind<string[]>,
  category_ids: texts as Kind<string[]>,
  ...asListed(Product, 'options', 'productLinks', 'mediaGalleryEntries'),
};

const bySku = sql('read-products.bySku', { gives: productRow })`
  select ${productColumns} from product where ${isSku('sku')}`;

export const noSuchProduct = () => requestedProductMissing();

/** A product as a store view shows it: the view's own value, else the website's, else the global one. */
export function productAt(row: ProductRow, place: ValuePlace): ProductRow {
  const media_gallery_entries = galleryAt(row.media_gallery_entries, place.storeId);
  const own = ownValuesAt(row.scoped_values, place);
  if (!own) return { ...row, media_gallery_entries };
  return {
    ...row,
    media_gallery_entries,
    name: own.name ?? row.name,
    status: own.status ?? row.status,
    visibility: own.visibility ?? row.visibility,
    tax_class_id: own.taxClassId ?? row.tax_class_id,
    custom_attributes: withoutEnded({ ...row.custom_attributes, ...own.customAttributes }),
  };
}

/** One product by its sku. Refused with 404 when there is none. */
export async function readProduct(em: EntityManager, sku: string): Promise<ProductRow> {
  const row = await bySku.first(em, { sku });
  if (!row) throw noSuchProduct();
  return row;
}

/** How the catalog writes a sku; undefined: there is no such product. */
export const storedSku = async (em: EntityManager, sku: string): Promise<string | undefined> =>
  (await stored.first(em, { sku }))?.sku;

const stored = sql('read-products.stored')`select sku from product where ${isSku('sku')}`;

export type FixedProductTaxRow = RowFrom<typeof taxesOf>;

/** The fixed taxes of a product that hold on every website, and those of one website (platform facts 9.2). */
export const readFixedProductTaxes = (em: EntityManager, of: { productId: number; websiteId: number }) =>
  taxesOf.all(em, of);

const taxesOf = sql('read-products.taxesOf', {
  gives: asListed(FixedProductTax, 'attributeCode', 'websiteId', 'countryId', 'regionId', 'value'),
})`
  select attribute_code, website_id, country_id, region_id, value from fixed_product_tax
  where product_id = $productId and website_id in (0, $websiteId)
  order by attribute_code, website_id, country_id, region_id`;

/** The existing ones among these, by their ids. */
export const readProductsById = (em: EntityManager, ids: readonly number[]): Promise<ProductRow[]> =>
  byIds.all(em, { ids });

const byIds = sql('read-products.byIds', { gives: productRow })`
  select ${productColumns} from product where entity_id = any($ids::bigint[]) order by entity_id`;
