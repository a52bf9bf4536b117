import type { EntityManager } from '@mikro-orm/postgresql';
import { Category } from '../../db/platform/categories/category.entity.ts';
import { categories } from './assortment.ts';
import { goOnAfter } from './go-on-after.ts';

/** Categories below the one that both shops show. */
export async function seedCategories(em: EntityManager): Promise<void> {
  await em.upsertMany(Category, Object.entries(categories).map(categoryOf));
  await goOnCategories.run(em);
}

function categoryOf([word, id]: [string, string], at: number) {
  const name = `${word[0]?.toUpperCase()}${word.slice(1)}`;
  return {
    ...{ entityId: Number(id), parentId: 2, path: `1/2/${id}`, level: 2, position: at + 1, name },
    customAttributes: { url_key: word },
  };
}

const goOnCategories = goOnAfter('category', 'entity_id');
