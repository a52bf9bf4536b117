import type { EntityManager } from '@mikro-orm/postgresql';
import { integer, surely, text } from '../../support/kinds.ts';
import { lockAdvisory } from '../../support/lock-advisory.ts';
import { statement } from '../../support/statement.ts';

/** The deepest level; a path of so many ids fits its column. */
export const deepestLevel = 20;

/** Only one transaction at a time changes the tree: a path is made of the paths above it. */
export const lockTree = (tx: EntityManager): Promise<void> => lockAdvisory(tx, 'category tree');

/** The id of a new category, and its place as the last child; undefined: the parent has none. */
export const drawPlace = (tx: EntityManager, parentId: number) => readPlace.first(tx, { parentId });

const readPlace = statement({
  takes: { parentId: integer },
  gives: { id: integer, position: integer },
  text: `select nextval(pg_get_serial_sequence('category', 'entity_id'))::int as id,
      (coalesce(max(position), 0) + 1)::int as position
    from category where parent_id = $parentId`,
});

/** Whether another child of this parent has the key, as the view shows it. An empty key is never taken. */
export async function isKeyTaken(
  tx: EntityManager,
  { urlKey, ...place }: { parentId: number; categoryId: number; storeId: number; urlKey: unknown },
): Promise<boolean> {
  if (typeof urlKey !== 'string' || urlKey === '') return false;
  return (await readSame.all(tx, { ...place, urlKey })).length > 0;
}

const readSame = statement({
  takes: { parentId: integer, categoryId: integer, storeId: integer, urlKey: text },
  gives: { entityId: integer },
  text: `select entity_id from category
    where parent_id = $parentId and entity_id <> $categoryId
      and coalesce(view_words -> $storeId::int::text -> 'customAttributes' ->> 'url_key', custom_attributes ->> 'url_key')
        = $urlKey limit 1`,
});

/** How many levels lie below a category. */
export const levelsBelow = async (tx: EntityManager, path: string): Promise<number> =>
  (await readDepth.first(tx, { path }))?.levels ?? 0;

const readDepth = statement({
  takes: { path: text },
  gives: { levels: surely(integer) },
  text: `select (max(level) - min(level))::int as levels from category where path = $path or path like $path || '/%'`,
});

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
export async function placeBelow(tx: EntityManager, given: NewPlace): Promise<void> {
  const { categoryId, parentId, position, from, to, deeper } = given;
  await makeRoom.run(tx, { parentId, position, categoryId });
  await rewrite.run(tx, { from, to, deeper });
  await place.run(tx, { categoryId, parentId, position });
}

const makeRoom = statement({
  takes: { parentId: integer, position: integer, categoryId: integer },
  text: `update category set position = position + 1
    where parent_id = $parentId and position >= $position and entity_id <> $categoryId`,
});

const rewrite = statement({
  takes: { from: text, to: text, deeper: integer },
  text: `update category set path = $to || substr(path, length($from) + 1), level = level + $deeper, updated_at = now()
    where path = $from or path like $from || '/%'`,
});

const place = statement({
  takes: { categoryId: integer, parentId: integer, position: integer },
  text: 'update category set parent_id = $parentId, position = $position where entity_id = $categoryId',
});

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

const readRoots = statement({
  takes: { categoryId: integer },
  gives: { groupId: integer },
  text: 'select group_id from store_group where root_category_id = $categoryId limit 1',
});

const lockBelow = statement({
  takes: { path: text },
  gives: { entityId: integer },
  text: `select entity_id from category where path = $path or path like $path || '/%' order by entity_id for update`,
});

const below = `select entity_id::text from category where path = $path or path like $path || '/%'`;

const leave = statement({
  takes: { path: text },
  text: `update product p set updated_at = now(),
      category_ids = array(select id from unnest(p.category_ids) with ordinality as had(id, at)
        where id not in (${below}) order by at),
      extension_attributes = case when jsonb_exists(p.extension_attributes, 'category_links') then
        jsonb_set(p.extension_attributes, '{category_links}', (select coalesce(jsonb_agg(link), '[]')
          from jsonb_array_elements(p.extension_attributes -> 'category_links') link
          where link ->> 'category_id' not in (${below}))) else p.extension_attributes end
    where p.category_ids && array(${below})`,
});

const remove = statement({
  takes: { path: text },
  text: `delete from category where path = $path or path like $path || '/%'`,
});
