import { cancellationSignal } from '@temporalio/activity';
import { openIndexDay } from '../../db/platform/catalog-rules/open-index-day.ts';
import { databaseNow } from '../../db/support/database-now.ts';
import { reindexDue, type Reindexed } from '../../db/platform/catalog-rules/reindex-due.ts';
import type { ActivityDependencies } from '../support/dependencies.ts';
import { whileAlive } from '../support/while-alive.ts';

export type CatalogRuleActivities = ReturnType<typeof createCatalogRuleActivities>;

/** One transaction: short enough to delay no other, long enough that its own cost hardly counts. */
const productsPerBatch = 2_000;
/** One activity: well within its timeout, with few history events in a long run. */
const batchesPerStep = 25;

export const createCatalogRuleActivities = ({ orm }: Pick<ActivityDependencies, 'orm'>) => ({
  /** Moves the prices of every website to the website's current day. A repeat changes nothing. See `openIndexDay`. */
  openIndexDay: async (): Promise<number> => {
    const em = orm.em.fork();
    return openIndexDay(em, await databaseNow(em));
  },

  /**
   * Recalculates the next due prices, batch by batch, each committed; a repeat continues. It sends heartbeats,
   * because one batch may take longer than the heartbeat timeout. When cancelled, it stops between two batches.
   */
  reindexDue: (): Promise<Reindexed> =>
    whileAlive(async () => {
      const signal = cancellationSignal();
      const total: Reindexed = { products: 0, changed: 0, isDone: false };
      for (let batch = 0; batch < batchesPerStep && !total.isDone; batch++) {
        signal.throwIfAborted();
        const done = await reindexDue(orm.em.fork(), { limit: productsPerBatch });
        total.products += done.products;
        total.changed += done.changed;
        total.isDone = done.isDone;
      }
      return total;
    }),
});
