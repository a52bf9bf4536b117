import { findOpenRenewals } from '../../db/content/content-renewals.ts';
import { contentRenewalId, refreshSignal } from '../../workflows/content/messages.ts';
import type { Surroundings } from '../http/route.ts';
import type { ContentType } from './content-type.ts';

/** One change begins two at most; others are followed already. */
const mostAtOnce = 10;

/**
 * Gives a block that changed within many others the workflow that renders them. Best effort, after the commit: nobody waits
 * for it, and what Temporal misses the sweep of each minute finds.
 */
export async function followRenewals(
  { kind }: ContentType,
  { em, workflows, log }: Pick<Surroundings, 'em' | 'workflows' | 'log'>,
): Promise<void> {
  if (kind !== 'block') return;
  for (const renewalId of await openRenewals({ em, log }))
    workflows
      .begin({
        workflow: 'contentRenewalWorkflow',
        id: contentRenewalId(renewalId),
        input: { renewalId },
        summary: 'Renders what a changed block is part of',
        signal: refreshSignal,
      })
      .catch((error: unknown) =>
        log.warn({ renewalId, error }, 'nobody renders what a block is part of yet; the sweep takes it up'),
      );
}

/** What was asked for is done, so that whoever asked is not told of a fault here. */
async function openRenewals({ em, log }: Pick<Surroundings, 'em' | 'log'>): Promise<number[]> {
  try {
    return await findOpenRenewals(em, { limit: mostAtOnce });
  } catch (error) {
    log.warn({ error }, 'nobody knows what a block is part of yet; the sweep takes it up');
    return [];
  }
}
