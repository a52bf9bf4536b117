import { purgeOneTimeCodes } from '../../db/self-checkout/purge-one-time-codes.ts';
import type { ActivityDependencies } from '../support/dependencies.ts';

export type SelfCheckoutActivities = ReturnType<typeof createSelfCheckoutActivities>;

export const createSelfCheckoutActivities = ({ orm }: Pick<ActivityDependencies, 'orm'>) => ({
  /** Deletes a batch of expired codes and answers how many; a repeat deletes the next batch. */
  purgeOneTimeCodes: ({ limit }: { limit: number }) => purgeOneTimeCodes(orm.em.fork(), { limit }),
});
