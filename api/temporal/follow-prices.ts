import { findDuePrices } from '../../db/platform/catalog-rules/read-rule-prices.ts';
import { refreshSignal, reindexId } from '../../workflows/messages.ts';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Log } from '../../providers/log.ts';
import type { Workflows } from '../../providers/temporal/workflows.ts';

/**
 * Starts the recalculation of catalog rule prices, where something is due. A run that is about to end is signalled, so
 * that it does not end without this change. Best effort: the schedule finds what Temporal missed.
 */
export async function followPrices({
  em,
  workflows,
  log,
}: {
  em: EntityManager;
  workflows: Workflows;
  log: Log;
}): Promise<void> {
  const installationKey = await findDuePrices(em);
  if (installationKey === undefined) return;
  workflows
    .start({
      workflow: 'reindexCatalogRules',
      id: reindexId(installationKey),
      input: undefined,
      signal: refreshSignal,
      summary: 'Catalog prices after a change of a rule or a product',
    })
    .catch((error: unknown) => log.warn({ error }, 'catalog prices are not worked out yet; the schedule does it'));
}
