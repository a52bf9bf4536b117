import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../../domain/errors.ts';
import { integer, text } from '../../support/kinds.ts';
import { statement } from '../../support/statement.ts';
import { transact } from '../../support/transact.ts';
import { Category } from './category.entity.ts';
import { lockTree } from './lock-tree.ts';
import { noSuchCategory } from './read-categories.ts';

/**
 * Deletes a category with all below it; their products stay, without these categories. A repeat finds nothing.
 *
 * Refused with: 404 unknown id · 400 the root, or the root category of a shop.
 */
export const deleteCategory = (em: EntityManager, categoryId: number): Promise<void> =>
  transact(em, async (tx) => {
    await lockTree(tx);
    const category = await tx.findOne(Category, { entityId: categoryId });
    if (!category) throw noSuchCategory(categoryId);
    const isRoot = category.level === 0 || (await readRoots.all(tx, { categoryId })).length > 0;
    if (isRoot) throw invalid('Cannot delete category with id %1', [categoryId]);
    // A transaction that puts a product into one of these has ended before their products are read.
    await lockBelow.all(tx, { path: category.path });
    await leave.run(tx, { path: category.path });
    await remove.run(tx, { path: category.path });
  });

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
