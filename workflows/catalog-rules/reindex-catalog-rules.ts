import { continueAsNew, proxyActivities, sleep, workflowInfo } from '@temporalio/workflow';
import type { CatalogRuleActivities } from '../../activities/catalog-rules/catalog-rule-activities.ts';
import { batchByBatch } from '../support/activity-options.ts';

const { openIndexDay, reindexDue } = proxyActivities<CatalogRuleActivities>(batchByBatch);

/** A user who changes one rule or product often changes several: this collects them into one run. */
const gatherFor = '1 second';

export interface ReindexTotal {
  products: number;
  changed: number;
}

/**
 * Recalculates catalog rule prices after a change, and all of them when a day begins at a website (platform facts
 * 9.3). A schedule starts it every few minutes, and so does each save of a rule or a product.
 *
 * The due work is stored in the database, so the next run does what a lost run did not. Concurrent and repeated runs
 * are safe.
 *
 * @returns how many products were checked and how many prices changed, for the Temporal page
 */
export async function reindexCatalogRules(from?: ReindexTotal): Promise<ReindexTotal> {
  const total = from ?? { products: 0, changed: 0 };
  if (from === undefined) {
    await sleep(gatherFor, { summary: 'collects further changes' });
    await openIndexDay();
  }
  for (;;) {
    const { products, changed, isDone } = await reindexDue();
    total.products += products;
    total.changed += changed;
    if (isDone) return total;
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof reindexCatalogRules>(total);
  }
}
