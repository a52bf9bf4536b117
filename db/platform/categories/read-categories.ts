import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchEntity } from '../../../domain/errors.ts';
import type { SearchCriteria } from '../../../domain/platform/search-criteria.ts';
import { productNotInCategory } from '../../../domain/refusals/catalog.ts';
import { lockAdvisory } from '../../support/lock-advisory.ts';
import { allListed } from '../../support/rows.ts';
import { search, type Found } from '../../support/search.ts';
import { sql } from '../../support/sql.ts';
import type { RowFrom } from '../../support/statement.ts';
import { transact } from '../../support/transact.ts';
import { assignCategories } from '../catalog/attributes.ts';
import { Product } from '../catalog/product.entity.ts';
import { lockProduct } from '../catalog/product-places.ts';
import { Category } from './category.entity.ts';

/** A category as it is listed: times are text. */
export type CategoryRow = RowFrom<typeof selectCategories>;
export type TreeRow = RowFrom<typeof readTree>;

/** More categories than any shop has in one tree. */
const mostInTree = 20_000;

/** One category with the ids of its children, in their order. Refused with: 404. */
export async function findCategory(em: EntityManager, categoryId: number): Promise<CategoryRow> {
  const found = await selectCategories.first(em, { categoryId });
  if (!found) throw noSuchCategory(categoryId);
  return found;
}

export const noSuchCategory = (id: number) => noSuchEntity('id', id);

/** A category and all below it to a depth, by their positions; empty where it does not exist. */
export const findTree = (em: EntityManager, { rootId, depth }: { rootId: number; depth: number }): Promise<TreeRow[]> =>
  readTree.all(em, { rootId, depth, limit: mostInTree });

const { columns, gives } = allListed(Category, 'c');
const attribute = (code: string) =>
  ({ column: `(custom_attributes ->> '${code}')`, type: 'text', isNullable: true }) as const;

/** Searches categories by their global texts (platform facts 3, 9.1). */
export const searchCategories = (em: EntityManager, criteria: SearchCriteria): Promise<Found<CategoryRow>> =>
  search<CategoryRow>(em, criteria, {
    table: 'category c',
    columns: `${columns}, ${childrenOf} as children`,
    fields: {
      entity_id: { column: 'c.entity_id', type: 'integer' },
      id: { column: 'c.entity_id', type: 'integer' },
      parent_id: { column: 'c.parent_id', type: 'integer' },
      path: { column: 'c.path', type: 'code' },
      level: { column: 'c.level', type: 'integer' },
      position: { column: 'c.position', type: 'integer' },
      name: { column: 'c.name', type: 'text' },
      is_active: { column: 'c.is_active', type: 'boolean' },
      include_in_menu: { column: 'c.include_in_menu', type: 'boolean' },
      url_key: attribute('url_key'),
      display_mode: attribute('display_mode'),
      created_at: { column: 'c.created_at', type: 'timestamp' },
      updated_at: { column: 'c.updated_at', type: 'timestamp' },
    },
    order: 'c.entity_id',
  });

const childrenOf = `coalesce((select string_agg(k.entity_id::text, ',' order by k.position, k.entity_id)
  from category k where k.parent_id = c.entity_id), '')`;

const selectCategories = sql('read-categories.selectCategories', { gives })`
  select ${columns}, ${childrenOf} as children from category c where c.entity_id = $categoryId`;

const readTree = sql('read-categories.readTree')`
  with tree as (
    select c.* from category r
    join category c on c.entity_id = r.entity_id or c.path like r.path || '/%'
    where r.entity_id = $rootId and c.level <= r.level + $depth
  ), held as (
    select id, count(*)::int as products from product, unnest(category_ids) id
    where category_ids && array(select entity_id::text from tree) group by id
  )
  select t.entity_id, t.parent_id, t.name, t.is_active, t.position, t.level, t.view_words,
    coalesce(h.products, 0) as product_count
  from tree t left join held h on h.id = t.entity_id::text
  order by t.level, t.position, t.entity_id limit $limit`;

export interface CategoryAttributeRow {
  attribute_id: number;
  attribute_code: string;
  frontend_input: string;
  backend_type: string;
  is_required: boolean;
  default_frontend_label: string;
}

/** The platform's category attributes; others cannot be added. */
const attributes = [
  [1, 'name', 'text', 'varchar', true, 'Name'],
  [2, 'is_active', 'select', 'int', true, 'Is Active'],
  [3, 'description', 'textarea', 'text', false, 'Description'],
  [4, 'image', 'image', 'varchar', false, 'Image'],
  [5, 'meta_title', 'text', 'varchar', false, 'Page Title'],
  [6, 'meta_keywords', 'textarea', 'text', false, 'Meta Keywords'],
  [7, 'meta_description', 'textarea', 'text', false, 'Meta Description'],
  [8, 'display_mode', 'select', 'varchar', false, 'Display Mode'],
  [9, 'landing_page', 'select', 'int', false, 'CMS Block'],
  [10, 'is_anchor', 'select', 'int', false, 'Is Anchor'],
  [11, 'path', 'text', 'static', false, 'Path'],
  [12, 'position', 'text', 'static', false, 'Position'],
  [13, 'url_key', 'text', 'varchar', false, 'URL Key'],
  [14, 'children_count', 'text', 'static', false, 'Children Count'],
  [15, 'include_in_menu', 'select', 'int', true, 'Include in Navigation Menu'],
  [16, 'available_sort_by', 'multiselect', 'text', true, 'Available Product Listing Sort By'],
  [17, 'default_sort_by', 'select', 'varchar', true, 'Default Product Listing Sort By'],
] as const;

const rows = attributes
  .map(
    ([id, code, input, type, isRequired, label]) =>
      `(${id}, '${code}', '${input}', '${type}', ${isRequired}, '${label}')`,
  )
  .join(', ');

/** Searches the attributes of categories (platform facts 3, 9.1). */
export const searchCategoryAttributes = (em: EntityManager, criteria: SearchCriteria) =>
  search<CategoryAttributeRow>(em, criteria, {
    table: `(values ${rows})
      a(attribute_id, attribute_code, frontend_input, backend_type, is_required, default_frontend_label)`,
    columns: 'attribute_id, attribute_code, frontend_input, backend_type, is_required, default_frontend_label',
    fields: {
      attribute_id: { column: 'attribute_id', type: 'integer' },
      attribute_code: { column: 'attribute_code', type: 'text' },
      frontend_input: { column: 'frontend_input', type: 'text' },
      backend_type: { column: 'backend_type', type: 'text' },
      is_required: { column: 'is_required', type: 'boolean' },
    },
    order: 'attribute_id',
  });

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
    if (left.length === links.length) throw productNotInCategory();
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

const keep = sql('read-categories.keep')`select entity_id from category where entity_id = $categoryId for key share`;

const readProducts = sql('read-categories.readProducts')`
  select p.sku, coalesce(l.position, 0) as position
  from product p left join lateral (
    select least((link ->> 'position')::numeric, 2147483647)::int as position
    from jsonb_array_elements(p.extension_attributes -> 'category_links') link
    where link ->> 'category_id' = $id limit 1
  ) l on true
  where p.category_ids @> array[$id] order by 2, p.entity_id limit $limit`;

/** The deepest level; a path of so many ids fits its column. */
export const deepestLevel = 20;

/** Only one transaction at a time changes the tree: a path is made of the paths above it. */
export const lockTree = (tx: EntityManager): Promise<void> => lockAdvisory(tx, 'category tree');

/** The id of a new category, and its place as the last child; undefined: the parent has none. */
export const drawPlace = (tx: EntityManager, parentId: number) => readPlace.first(tx, { parentId });

const readPlace = sql('read-categories.readPlace')`
  select nextval(pg_get_serial_sequence('category', 'entity_id')) as id,
    (coalesce(max(position), 0) + 1)::int as position
  from category where parent_id = $parentId`;

/** Whether another child of this parent has the key, as the view shows it. An empty key is never taken. */
export async function isKeyTaken(
  tx: EntityManager,
  { urlKey, ...place }: { parentId: number; categoryId: number; storeId: number; urlKey: unknown },
): Promise<boolean> {
  if (typeof urlKey !== 'string' || urlKey === '') return false;
  return (await readSame.all(tx, { ...place, urlKey })).length > 0;
}

const readSame = sql('read-categories.readSame')`
  select entity_id from category
  where parent_id = $parentId and entity_id <> $categoryId
    and coalesce(view_words -> $storeId::bigint::text -> 'customAttributes' ->> 'url_key', custom_attributes ->>
      'url_key')
      = $urlKey limit 1`;

/** How many levels lie below a category. */
export const levelsBelow = async (tx: EntityManager, path: string): Promise<number> =>
  (await readDepth.first(tx, { path }))?.levels ?? 0;

const readDepth = sql('read-categories.readDepth')`
  select (max(level) - min(level))::int as levels from category where path = $path or path like $path || '/%'`;

interface NewPlace {
  categoryId: number;
  parentId: number;
  position: number;
  /** Of the category and all below it, before and after. */
  from: string;
  to: string;
  deeper: number;
}

/** Gives a category another place, with all below it. */
export async function placeBelow(tx: EntityManager, input: NewPlace): Promise<void> {
  const { categoryId, parentId, position, from, to, deeper } = input;
  await makeRoom.run(tx, { parentId, position, categoryId });
  await rewrite.run(tx, { from, to, deeper });
  await place.run(tx, { categoryId, parentId, position });
}

const makeRoom = sql('read-categories.makeRoom')`
  update category set position = position + 1
  where parent_id = $parentId and position >= $position and entity_id <> $categoryId`;

const rewrite = sql('read-categories.rewrite')`
  update category set path = $to || substr(path, length($from) + 1), level = level + $deeper, updated_at = now()
  where path = $from or path like $from || '/%'`;

const place = sql('read-categories.place')`
  update category set parent_id = $parentId, position = $position where entity_id = $categoryId`;

/** Whether a shop shows this category as its root. */
export const isRootOfShop = async (tx: EntityManager, categoryId: number): Promise<boolean> =>
  (await readRoots.all(tx, { categoryId })).length > 0;

/** Deletes a category with all below it; their products are no longer in them. */
export async function removeBelow(tx: EntityManager, path: string): Promise<void> {
  // A transaction that puts a product into one of these has ended before their products are read.
  await lockBelow.all(tx, { path });
  await leave.run(tx, { path });
  await remove.run(tx, { path });
}

const readRoots = sql('read-categories.readRoots')`
  select group_id from store_group where root_category_id = $categoryId limit 1`;

const lockBelow = sql('read-categories.lockBelow')`
  select entity_id from category where path = $path or path like $path || '/%' order by entity_id for update`;

const below = `select entity_id::text from category where path = $path or path like $path || '/%'`;

const leave = sql('read-categories.leave')`
  update product p set updated_at = now(),
    category_ids = array(select id from unnest(p.category_ids) with ordinality as had(id, at)
      where id not in (${below}) order by at),
    extension_attributes = case when jsonb_exists(p.extension_attributes, 'category_links') then
      jsonb_set(p.extension_attributes, '{category_links}', (select coalesce(jsonb_agg(link), '[]')
        from jsonb_array_elements(p.extension_attributes -> 'category_links') link
        where link ->> 'category_id' not in (${below}))) else p.extension_attributes end
  where p.category_ids && array(${below})`;

const remove = sql('read-categories.remove')`delete from category where path = $path or path like $path || '/%'`;
