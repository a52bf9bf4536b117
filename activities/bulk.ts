import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { Context } from '@temporalio/activity';
import { carryOut, countProgress, endWithFault, findBulk, nextOperations } from '../db/bulk/carry-out.ts';
import { findBulkUser } from '../db/bulk/open-bulk.ts';
import type { BulkOperationToRun, BulkProgress } from '../domain/bulk.ts';
import { PosError } from '../domain/errors.ts';
import type { Log } from '../providers/log.ts';
import { whileAlive } from './support.ts';

/** Carries out operations by their routes; the routes are in `api`. */
export interface OperationRunner {
  isOneTransaction(route: string): boolean;
  isPassing(error: unknown): boolean;
  run(operation: BulkOperationToRun, em?: EntityManager): Promise<{ text: string; committed: () => void }>;
}

export interface BulkDependencies {
  orm: MikroORM;
  runner: () => Promise<OperationRunner>;
  log: Pick<Log, 'error'>;
}

export type BulkActivities = ReturnType<typeof createBulkActivities>;

/** Some minutes of retries. After that the operation fails, so that the others need not wait. */
const mostAttempts = 10;

const nobody = { name: 'nobody', resources: [] };

export const createBulkActivities = ({ orm, runner: load, log }: BulkDependencies) => {
  const runOne = async (runner: OperationRunner, bulkId: number, operation: Omit<BulkOperationToRun, 'sources'>) => {
    const { operationKey, route } = operation;
    try {
      await carryOut(
        orm.em,
        { bulkId, operationKey },
        {
          isOneTransaction: runner.isOneTransaction(route),
          run: (sources, em) => runner.run({ ...operation, sources }, em),
        },
      );
    } catch (error) {
      // Of refusals only those of the moment come here; every other one is the end of its operation.
      const isPassing = runner.isPassing(error) || error instanceof PosError;
      if (isPassing && Context.current().info.attempt < mostAttempts) throw error;
      log.error({ error, bulkUuid: operation.bulkUuid, operationKey }, 'an operation of a bulk failed');
      await endWithFault(orm.em, { bulkId, operationKey }, { isPassing });
    }
  };

  return {
    /**
     * Carries out the next operations of a bulk in the order of the request, so that of two for one record the last one
     * counts. A repeat continues with the open ones.
     *
     * @returns the progress of the bulk; a deleted bulk counts as done
     */
    runBulkBatch: ({ bulkUuid, limit }: { bulkUuid: string; limit: number }): Promise<BulkProgress> =>
      whileAlive(async () => {
        const em = orm.em.fork();
        const bulk = await findBulk(em, bulkUuid);
        if (!bulk) return { operations: 0, complete: 0, failed: 0, rejected: 0, isDone: true };
        const runner = await load();
        const { bulkId, userType, userId, route, storeId, websiteId, storeCode: code } = bulk;
        const common = { bulkUuid, route, store: { storeId, websiteId, code } };
        for (const operationKey of await nextOperations(em, { bulkId, limit })) {
          // A worker that shuts down leaves the rest to another worker.
          Context.current().cancellationSignal.throwIfAborted();
          // Asked for each: a right that was taken away counts from the next operation on.
          const user = (await findBulkUser(em, { userType, userId })) ?? nobody;
          await runOne(runner, bulkId, { ...common, caller: { userType, userId, ...user }, operationKey });
        }
        return countProgress(em, bulkId);
      }),
  };
};
