import type { EntityManager } from '@mikro-orm/postgresql';
import { notFound } from '../../../domain/errors.ts';
import { ownValuesAt, type ScopedValues, type ValuePlace } from '../../../domain/platform/catalog/scoped-values.ts';
import type { TierPrice } from './product.entity.ts';

/** What lists and reads of products select. */
export const productColumns = `
  entity_id, sku, name, attribute_set_id, price, status, visibility, type_id, created_at, updated_at, weight,
  tax_class_id, website_ids, category_ids, tier_prices, custom_attributes, scoped_values, extension_attributes, options,
  product_links, media_gallery_entries`;

export interface ProductRow {
  entity_id: number;
  sku: string;
  name: string;
  attribute_set_id: number;
  price: string;
  status: number;
  visibility: number;
  type_id: string;
  created_at: string;
  updated_at: string;
  weight: string | null;
  tax_class_id: number;
  website_ids: string[];
  category_ids: string[];
  tier_prices: TierPrice[];
  custom_attributes: Record<string, unknown>;
  scoped_values: ScopedValues;
  extension_attributes: Record<string, unknown>;
  options: unknown[];
  product_links: unknown[];
  media_gallery_entries: unknown[];
}

export const noSuchProduct = () =>
  notFound("The product that was requested doesn't exist. Verify the product and try again.");

/** A product in the words of a store view; what the view does not say is as its website says, else as everywhere. */
export function productAt(row: ProductRow, place: ValuePlace): ProductRow {
  const own = ownValuesAt(row.scoped_values, place);
  if (!own) return row;
  return {
    ...row,
    name: own.name ?? row.name,
    status: own.status ?? row.status,
    visibility: own.visibility ?? row.visibility,
    tax_class_id: own.taxClassId ?? row.tax_class_id,
    custom_attributes: { ...row.custom_attributes, ...own.customAttributes },
  };
}

/** One product by its sku. Refused with 404 when there is none. */
export async function readProduct(em: EntityManager, sku: string): Promise<ProductRow> {
  const [row] = await em.execute<ProductRow[]>(`select ${productColumns} from product where sku = ?`, [sku]);
  if (!row) throw noSuchProduct();
  return row;
}

export interface FixedProductTaxRow {
  attribute_code: string;
  website_id: number;
  country_id: string;
  region_id: number;
  value: string;
}

/** The fixed taxes of a product that hold on every website, and those of one website (platform facts 9.2). */
export const readFixedProductTaxes = (
  em: EntityManager,
  { productId, websiteId }: { productId: number; websiteId: number },
) =>
  em.execute<FixedProductTaxRow[]>(
    `select attribute_code, website_id, country_id, region_id, value from fixed_product_tax
     where product_id = ? and website_id in (0, ?)
     order by attribute_code, website_id, country_id, region_id`,
    [productId, websiteId],
  );
