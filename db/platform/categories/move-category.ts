import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../../domain/errors.ts';
import { integer, surely, text } from '../../support/kinds.ts';
import { statement } from '../../support/statement.ts';
import { transact } from '../../support/transact.ts';
import { Category } from './category.entity.ts';
import { deepestLevel, lockTree } from './lock-tree.ts';
import { noSuchCategory } from './read-categories.ts';
import { isKeyTaken } from './url-key.ts';

/**
 * Moves a category with all below it under another one, after a sibling there, or to the front without one (platform
 * facts 9.1). After itself it keeps its place. A repeat changes nothing.
 *
 * Refused with: 404 unknown ids · 400 under itself, the root, deeper than 20 levels, or where a sibling has its URL
 * key.
 */
export const moveCategory = (
  em: EntityManager,
  { categoryId, parentId, afterId }: { categoryId: number; parentId: number; afterId?: number | undefined },
): Promise<void> =>
  transact(em, async (tx) => {
    await lockTree(tx);
    const [category, parent] = [
      await tx.findOne(Category, { entityId: categoryId }),
      await tx.findOne(Category, { entityId: parentId }),
    ];
    if (!category) throw noSuchCategory(categoryId);
    if (!parent) throw noSuchCategory(parentId);
    if (category.level === 0 || `${parent.path}/`.startsWith(`${category.path}/`))
      throw invalid('Operation do not allow to move a parent category to any of children category');
    const depth = (await readDepth.first(tx, { path: category.path }))?.levels ?? 0;
    if (parent.level + 1 + depth > deepestLevel) throw invalid('Could not move category');
    const isElsewhere = category.parentId !== parentId;
    if (!isElsewhere && afterId === categoryId) return;
    const urlKey = category.customAttributes?.['url_key'];
    if (isElsewhere && (await isKeyTaken(tx, { parentId, categoryId, storeId: 0, urlKey })))
      throw invalid('Could not move category');
    const after = afterId === undefined ? undefined : await tx.findOne(Category, { entityId: afterId, parentId });
    const position = (after?.position ?? 0) + 1;
    if (!isElsewhere && category.position === position) return;
    await makeRoom.run(tx, { parentId, position, categoryId });
    const { path, level } = category;
    await rewrite.run(tx, {
      ...{ from: path, to: `${parent.path}/${categoryId}`, deeper: parent.level + 1 - level },
    });
    await place.run(tx, { categoryId, parentId, position });
  });

/** How many levels lie below it. */
const readDepth = statement({
  takes: { path: text },
  gives: { levels: surely(integer) },
  text: `select (max(level) - min(level))::int as levels from category where path = $path or path like $path || '/%'`,
});

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
