import { findOpenRenewals } from '../../db/content/content-renewals.ts';
import { contentRenewalId, refreshSignal } from '../../workflows/content/messages.ts';
import type { RouteContext } from '../http/route.ts';
import type { ContentType } from './content-type.ts';

/** One change starts at most two; others have a workflow already. */
const mostAtOnce = 10;

/**
 * Starts the workflow that renders a changed block in its many places. Best effort, after the commit: the route does
 * not wait for it, and the sweep each minute finds what Temporal missed.
 */
export async function followRenewals(
  { kind }: ContentType,
  { em, workflows, log }: Pick<RouteContext, 'em' | 'workflows' | 'log'>,
): Promise<void> {
  if (kind !== 'block') return;
  for (const renewalId of await openRenewals({ em, log }))
    workflows
      .start({
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

/** The request has succeeded, so a failure here is only logged. */
async function openRenewals({ em, log }: Pick<RouteContext, 'em' | 'log'>): Promise<number[]> {
  try {
    return await findOpenRenewals(em, { limit: mostAtOnce });
  } catch (error) {
    log.warn({ error }, 'what a block is part of is not known yet; the sweep takes it up');
    return [];
  }
}
