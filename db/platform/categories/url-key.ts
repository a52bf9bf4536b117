import type { EntityManager } from '@mikro-orm/postgresql';
import { integer, text } from '../../support/kinds.ts';
import { statement } from '../../support/statement.ts';

/** The default URL key of a category: its name in English letters and digits, or its id. */
export const urlKeyOf = (name: string, categoryId: number): string =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '') || `category-${categoryId}`;

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
