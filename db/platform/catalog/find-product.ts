import { raw } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { skuKeyOf } from '../../support/columns.ts';
import { freshReads } from '../../support/fresh-reads.ts';
import { listedOf } from '../../support/rows.ts';
import { Product } from './product.entity.ts';
import { noSuchProduct, type ProductRow } from './read-products.ts';

/**
 * One product by its sku, for whatever reads a part of it; the product itself and the lists of products are on the hot
 * path, in `read-products.ts`. Refused with 404 when there is none.
 */
export async function findProduct(em: EntityManager, sku: string): Promise<ProductRow> {
  const found = await freshReads(em).findOne(Product, {
    [raw((alias) => skuKeyOf(`${alias}.sku`))]: raw(skuKeyOf('?::text'), [sku]),
  });
  if (!found) throw noSuchProduct();
  return rowOf(found);
}

/** The existing ones among these, by their ids. */
export async function findProductsById(em: EntityManager, ids: readonly number[]): Promise<ProductRow[]> {
  const found = await freshReads(em).find(Product, { entityId: { $in: [...ids] } }, { orderBy: { entityId: 'asc' } });
  return found.map(rowOf);
}

const rowOf = (product: Product): ProductRow => ({
  ...listedOf(Product, product),
  website_ids: product.websiteIds.map(String),
  category_ids: product.categoryIds,
});
