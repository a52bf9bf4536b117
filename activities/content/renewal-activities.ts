import { databaseNow } from '../../db/support/database-now.ts';
import { renewContent } from '../../db/content/renew-content.ts';
import { renderContent } from '../../providers/content/render-content-lazily.ts';
import type { ActivityDependencies } from '../support/dependencies.ts';
import { orRefused } from '../support/refusals.ts';
import { whileAlive } from '../support/while-alive.ts';

export type RenewalActivities = ReturnType<typeof createRenewalActivities>;

/** Rendered in one transaction, while others wait to publish. One long place with many views takes most of a second. */
const atOnce = { limit: 20, longestMs: 300 };

export const createRenewalActivities = ({ orm }: Pick<ActivityDependencies, 'orm'>) => ({
  /** Renders the next places of a changed block; a repeat continues with the following ones. See `renewContent`. */
  renewContent: ({ renewalId }: { renewalId: number }) =>
    whileAlive(() =>
      orRefused(async () => {
        const now = await databaseNow(orm.em.fork());
        return renewContent(orm.em, { renewalId, render: renderContent, ...atOnce, now });
      }),
    ),
});
