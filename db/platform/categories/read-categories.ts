import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchEntity } from '../../../domain/errors.ts';
import type { SearchCriteria } from '../../../domain/platform/search-criteria.ts';
import { integer, surely, text } from '../../support/kinds.ts';
import { allListed, of } from '../../support/rows.ts';
import { search, type Found } from '../../support/search.ts';
import { statement, type RowFrom } from '../../support/statement.ts';
import { Category } from './category.entity.ts';

/** A category as it is listed: times are text. */
export type CategoryRow = RowFrom<typeof read>;
export type TreeRow = RowFrom<typeof readTree>;

/** More categories than any shop has in one tree. */
const mostInTree = 20_000;

/** One category with the ids of its children, in their order. Refused with: 404. */
export async function findCategory(em: EntityManager, categoryId: number): Promise<CategoryRow> {
  const found = await read.first(em, { categoryId });
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

const read = statement({
  takes: { categoryId: integer },
  gives: { ...gives, children: surely(text) },
  text: `select ${columns}, ${childrenOf} as children from category c where c.entity_id = $categoryId`,
});

const readTree = statement({
  takes: { rootId: integer, depth: integer, limit: integer },
  gives: {
    ...of(Category, 'entityId', 'parentId', 'name', 'isActive', 'position', 'level', 'viewWords'),
    productCount: integer,
  },
  text: `
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
    order by t.level, t.position, t.entity_id limit $limit`,
});
