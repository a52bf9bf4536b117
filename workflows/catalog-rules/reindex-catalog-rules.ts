import { continueAsNew, proxyActivities, sleep, workflowInfo } from '@temporalio/workflow';
import type { CatalogRuleActivities } from '../../activities/catalog-rules/catalog-rule-activities.ts';
import { batchByBatch } from '../support/activity-options.ts';

const { openIndexDay, reindexDue } = proxyActivities<CatalogRuleActivities>(batchByBatch);

/** Somebody who changes one rule or product often changes several: they become one run. */
const gatherFor = '1 second';

export interface ReindexTotal {
  products: number;
  changed: number;
}

/**
 * Works out the prices of the catalog rules anew where something they come from has changed, and all of them when a day
 * begins at a website (platform facts 9.3). Started every few minutes, and by whoever saves a rule or a product.
 *
 * What is due stands in the database, so a run that is lost is made good by the next. Two at once, or one twice, come to
 * the same.
 *
 * @returns how many products were looked at and how many prices changed, for the Temporal page
 */
export async function reindexCatalogRules(from?: ReindexTotal): Promise<ReindexTotal> {
  const total = from ?? { products: 0, changed: 0 };
  if (from === undefined) {
    await sleep(gatherFor, { summary: 'gathers what is saved together' });
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
