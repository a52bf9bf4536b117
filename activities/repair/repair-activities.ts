import { findLimbo } from '../../db/refunds/find-limbo.ts';
import type { ActivityDependencies } from '../support/dependencies.ts';

export type RepairActivities = ReturnType<typeof createRepairActivities>;

export const createRepairActivities = ({ orm }: ActivityDependencies) => ({
  /** What a crash or a terminate may have left without anybody working on it. Reads only. */
  findLimbo: () => findLimbo(orm.em.fork()),
});
