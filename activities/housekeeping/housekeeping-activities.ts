import { activityInfo } from '@temporalio/activity';
import type { ActivityDependencies } from '../support/dependencies.ts';
import { whileAlive } from '../support/while-alive.ts';
import { compareRuns, type Compared } from './compare-runs.ts';
import { findWork, type FoundWork } from './find-work.ts';
import { takeUpLostRuns, type LostRuns } from './take-up-lost-runs.ts';
import { wakeWork, type Woken } from './wake-work.ts';
import type { AroundWake } from './wake.ts';

export type HousekeepingActivities = ReturnType<typeof createHousekeepingActivities>;

/** Without Temporal, as in tests of the other activities. */
const nothingWoken: Woken = { counts: {}, failed: [] };
const nothingLost: LostRuns = { ended: 0, takenUp: 0 };

export const createHousekeepingActivities = (dependencies: ActivityDependencies) => {
  const { orm, batchOrm = orm, temporal, log, clock } = dependencies;
  const around = (client: NonNullable<typeof temporal>): AroundWake => ({
    temporal: client,
    taskQueue: activityInfo().taskQueue,
  });

  return {
    /** What no workflow continues. See `findWork`. */
    findWork: (): Promise<FoundWork> => findWork(dependencies),

    /** Starts the workflow of everything that was found. See `wakeWork`. */
    wakeWork: (found: FoundWork): Promise<Woken> =>
      temporal === undefined
        ? Promise.resolve(nothingWoken)
        : whileAlive(() => wakeWork({ ...around(temporal), orm, log }, found)),

    /** Takes up work whose workflow was ended from outside since then. See `takeUpLostRuns`. */
    takeUpLostRuns: ({ since }: { since?: string }): Promise<LostRuns> =>
      temporal === undefined
        ? Promise.resolve(nothingLost)
        : whileAlive(() => takeUpLostRuns({ ...around(temporal), em: batchOrm.em.fork(), since, now: clock() })),

    /** Compares the books with the workflows that run. See `compareRuns`. */
    compareRuns: (): Promise<Compared> =>
      temporal === undefined
        ? Promise.resolve({ lost: 0, left: 0 })
        : whileAlive(() => compareRuns({ ...around(temporal), em: batchOrm.em.fork() })),
  };
};
