import { purgeLeftovers } from '../../db/retention/purge-leftovers.ts';
import type { ActivityDependencies } from '../support/dependencies.ts';

export type RetentionActivities = ReturnType<typeof createRetentionActivities>;

export const createRetentionActivities = ({ orm, clock }: Pick<ActivityDependencies, 'orm' | 'clock'>) => ({
  /** Removes a batch of what nobody needs any more; a repeat removes the next. See `purgeLeftovers`. */
  purgeLeftovers: ({ limit }: { limit: number }) => purgeLeftovers(orm.em.fork(), { now: clock(), limit }),
});
