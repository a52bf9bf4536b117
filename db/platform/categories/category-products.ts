import { type EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../../domain/errors.ts';
import { integer, text } from '../../support/kinds.ts';
import { statement, type RowFrom } from '../../support/statement.ts';
import { transact } from '../../support/transact.ts';
import { assignCategories } from '../catalog/assign-attributes.ts';
import { Product } from '../catalog/product.entity.ts';
import { findCategory } from './read-categories.ts';
import { lockProduct } from '../catalog/lock-product.ts';

export type CategoryProductRow = RowFrom<typeof readProducts>;

/** The most products of one answer; more than registers show. */
const mostProducts = 10_000;

/** The products of a category with their positions, in order. Refused with: 404 unknown category. */
export async function listCategoryProducts(em: EntityManager, categoryId: number): Promise<CategoryProductRow[]> {
  await findCategory(em, categoryId);
  return readProducts.all(em, { id: String(categoryId), limit: mostProducts });
}

/**
 * Puts a product into a category, or changes its position: one assignment, however often it is sent.
 *
 * Refused with: 404 unknown category or product.
 */
export const assignProduct = (
  em: EntityManager,
  { categoryId, sku, position }: { categoryId: number; sku: string; position: number },
): Promise<void> =>
  transact(em, async (tx) => {
    // Locks the category against deletion.
    if ((await keep.all(tx, { categoryId })).length === 0) await findCategory(tx, categoryId);
    const product = await lockProduct(tx, sku);
    const links = linksOf(product).filter((link) => link.category_id !== String(categoryId));
    putInto(product, [...links, { position, category_id: String(categoryId) }]);
    await tx.flush();
  });

/** Takes a product out of a category. Refused with: 404 unknown category or product · 400 it is not in it. */
export const unassignProduct = (
  em: EntityManager,
  { categoryId, sku }: { categoryId: number; sku: string },
): Promise<void> =>
  transact(em, async (tx) => {
    await findCategory(tx, categoryId);
    const product = await lockProduct(tx, sku);
    const links = linksOf(product);
    const left = links.filter((link) => link.category_id !== String(categoryId));
    if (left.length === links.length) throw invalid("The category doesn't contain the specified product.");
    putInto(product, left);
    await tx.flush();
  });

interface Link {
  position: number;
  category_id: string;
}

/** Takes the product's category ids; an absent position is 0. */
function linksOf({ categoryIds, extensionAttributes }: Product): Link[] {
  const posted: unknown = extensionAttributes?.['category_links'];
  const links = Array.isArray(posted) ? (posted as Link[]) : [];
  return categoryIds.map(
    (id) => links.find((link) => String(link.category_id) === id) ?? { position: 0, category_id: id },
  );
}

const putInto = (product: Product, category_links: readonly Link[]) =>
  assignCategories(product, { customAttributes: {}, extensionAttributes: { category_links } });

const keep = statement({
  takes: { categoryId: integer },
  gives: { entityId: integer },
  text: 'select entity_id from category where entity_id = $categoryId for key share',
});

const readProducts = statement({
  takes: { id: text, limit: integer },
  gives: { sku: text, position: integer },
  text: `select p.sku, coalesce(l.position, 0) as position
    from product p left join lateral (
      select least((link ->> 'position')::numeric, 2147483647)::int as position
      from jsonb_array_elements(p.extension_attributes -> 'category_links') link
      where link ->> 'category_id' = $id limit 1
    ) l on true
    where p.category_ids @> array[$id] order by 2, p.entity_id limit $limit`,
});
