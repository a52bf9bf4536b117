import type { MikroORM } from '@mikro-orm/postgresql';
import { openIndexDay, reindexDue } from '../../../db/platform/catalog-rules/reindex-due.ts';
import { catalogRules, type CatalogRuleDraft } from '../../../db/platform/catalog-rules/catalog-rules.ts';
import { money } from '../../../domain/money.ts';
import type { booksOf } from '../books.ts';

/** By default ten per cent off everything, on every website and for every group. */
export const aCatalogRule = async (orm: MikroORM, draft: CatalogRuleDraft = {}): Promise<number> => {
  const sale: CatalogRuleDraft = { name: 'Sale', simpleAction: 'by_percent', discountAmount: money('10') };
  return (await catalogRules.save(orm.em.fork(), { draft: { ...sale, ...draft } })).ruleId;
};

/** Does what the workflow does at a given time: everything that is due, in batches. */
export async function reindex(orm: MikroORM, now: Date, limit = 1_000): Promise<{ products: number; changed: number }> {
  await openIndexDay(orm.em.fork(), now);
  const total = { products: 0, changed: 0 };
  for (let batch = 0; batch < 1_000; batch++) {
    const { products, changed, isDone } = await reindexDue(orm.em.fork(), { limit });
    total.products += products;
    total.changed += changed;
    if (isDone) return total;
  }
  throw new Error('it never ends');
}

/** Every product waits to be reckoned again. */
export async function everyProductIsDue({ find, insert }: Pick<ReturnType<typeof booksOf>, 'find' | 'insert'>) {
  for (const { entity_id: productId } of await find('product', {}, 'entity_id'))
    await insert('catalog_rule_due', { product_id: productId });
}
