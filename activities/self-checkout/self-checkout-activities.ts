import { purgeOneTimeCodes } from '../../db/self-checkout/purge-one-time-codes.ts';
import type { ActivityDependencies } from '../support/dependencies.ts';

export type SelfCheckoutActivities = ReturnType<typeof createSelfCheckoutActivities>;

export const createSelfCheckoutActivities = ({ orm }: Pick<ActivityDependencies, 'orm'>) => ({
  /** Removes a batch of codes that have expired, and says how many; a repeat removes the next. */
  purgeOneTimeCodes: ({ limit }: { limit: number }) => purgeOneTimeCodes(orm.em.fork(), { limit }),
});
