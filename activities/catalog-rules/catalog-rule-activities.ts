import { heartbeat } from '@temporalio/activity';
import { openIndexDay } from '../../db/platform/catalog-rules/open-index-day.ts';
import { reindexDue, type Reindexed } from '../../db/platform/catalog-rules/reindex-due.ts';
import type { ActivityDependencies } from '../support/dependencies.ts';

export type CatalogRuleActivities = ReturnType<typeof createCatalogRuleActivities>;

/** One transaction: short enough that nobody waits for it, long enough that its own cost does not count. */
const productsPerBatch = 2_000;
/** One activity: well within its time, and few events in the history of a long run. */
const batchesPerStep = 25;

export const createCatalogRuleActivities = ({ orm, clock }: Pick<ActivityDependencies, 'orm' | 'clock'>) => ({
  /** Moves the prices of every website to its own today. A repeat changes nothing. See `openIndexDay`. */
  openIndexDay: (): Promise<number> => openIndexDay(orm.em.fork(), clock()),

  /** Works out the next prices that are due, batch by batch, each committed; a repeat goes on. Silence is a worker that died. */
  async reindexDue(): Promise<Reindexed> {
    const total: Reindexed = { products: 0, changed: 0, isDone: false };
    for (let batch = 0; batch < batchesPerStep && !total.isDone; batch++) {
      const done = await reindexDue(orm.em.fork(), { limit: productsPerBatch });
      total.products += done.products;
      total.changed += done.changed;
      total.isDone = done.isDone;
      heartbeat({ products: total.products });
    }
    return total;
  },
});
