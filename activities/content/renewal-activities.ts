import { findUnfollowedRenewals } from '../../db/content/content-renewals.ts';
import { renewContent } from '../../db/content/renew-content.ts';
import { renderContent } from '../../providers/content/render-content.ts';
import type { ActivityDependencies } from '../support/dependencies.ts';
import { orRefused } from '../support/refusals.ts';
import { whileAlive } from '../support/while-alive.ts';

export type RenewalActivities = ReturnType<typeof createRenewalActivities>;

/** In one transaction, while others wait to publish. A long place with many views takes most of a second by itself. */
const atOnce = { limit: 20, longestMs: 300 };

export const createRenewalActivities = ({ orm, clock }: Pick<ActivityDependencies, 'orm' | 'clock'>) => ({
  /** Renders the next places of a block that changed; a repeat goes on with those after. See `renewContent`. */
  renewContent: ({ renewalId }: { renewalId: number }) =>
    whileAlive(() =>
      orRefused(() => renewContent(orm.em, { renewalId, render: renderContent, ...atOnce, now: clock() })),
    ),

  /** Blocks that changed and that no workflow seems to follow. Reads only. */
  findUnfollowedRenewals: (page: { limit: number }) => findUnfollowedRenewals(orm.em.fork(), page),
});
