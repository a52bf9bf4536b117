import type { MikroORM } from '@mikro-orm/postgresql';
import { openIndexDay } from '../../../db/platform/catalog-rules/open-index-day.ts';
import { reindexDue } from '../../../db/platform/catalog-rules/reindex-due.ts';
import { saveCatalogRule, type CatalogRuleDraft } from '../../../db/platform/catalog-rules/save-catalog-rule.ts';
import { money } from '../../../domain/money/amount.ts';

/** Ten per cent off everything, everywhere, for everybody, unless told otherwise. */
export const aCatalogRule = (orm: MikroORM, draft: CatalogRuleDraft = {}): Promise<number> =>
  saveCatalogRule(orm.em.fork(), {
    ruleId: undefined,
    draft: { name: 'Sale', simpleAction: 'by_percent', discountAmount: money('10'), ...draft },
  });

/** What the workflow does, as of a moment: everything that is due, in batches of so many. */
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
