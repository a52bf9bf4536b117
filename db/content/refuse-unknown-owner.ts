import type { EntityManager } from '@mikro-orm/postgresql';
import { fieldRequired, noSuchEntity } from '../../domain/errors.ts';
import type { ContentKind } from '../../domain/content.ts';
import { sql } from '../support/sql.ts';

interface Owner {
  kind: ContentKind;
  productId?: number | undefined;
  categoryId?: number | undefined;
}

/**
 * Refuses content of an attribute without an existing product or category; locks that against deletion.
 *
 * Refused with: 400 none is named · 404 it does not exist.
 */
export async function refuseUnknownOwner(tx: EntityManager, { kind, productId, categoryId }: Owner): Promise<void> {
  if (kind === 'product_attribute') {
    if (productId === undefined) throw fieldRequired('productId');
    if ((await keepProduct.all(tx, { productId })).length === 0) throw noSuchEntity('productId', productId);
  }
  if (kind === 'category_attribute') {
    if (categoryId === undefined) throw fieldRequired('categoryId');
    if ((await keepCategory.all(tx, { categoryId })).length === 0) throw noSuchEntity('categoryId', categoryId);
  }
}

const keepProduct = sql('refuse-unknown-owner.keepProduct')`
  select entity_id from product where entity_id = $productId for key share`;

const keepCategory = sql('refuse-unknown-owner.keepCategory')`
  select entity_id from category where entity_id = $categoryId for key share`;
