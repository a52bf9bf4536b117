import type { EntityManager } from '@mikro-orm/postgresql';
import type { Row } from './cells.ts';
import { conditionOf, type Which } from './which.ts';

interface Books {
  fork: () => EntityManager;
  rows: (sql: string) => Promise<Row[]>;
}

type Work<Result> = (tx: EntityManager) => Promise<Result>;

/**
 * Locks the records that have these cells until the transaction ends; where it may not wait, a held one is an error.
 */
export async function hold(
  tx: EntityManager,
  table: string,
  which: Which,
  { waits = true }: { waits?: boolean } = {},
): Promise<void> {
  const { only, values } = conditionOf(which);
  await tx.execute(`select from ${table} where ${only} for update${waits ? '' : ' nowait'}`, values);
}

/** Another process holds the records that have these cells until the work is done. */
export const whileHeld = <Result>({ fork }: Books, table: string, which: Which, work: Work<Result>): Promise<Result> =>
  fork().transactional(async (tx) => {
    await hold(tx, table, which);
    return work(tx);
  });

/** Another process does what only one does at a time, known by its name, until the work is done. */
export const whileTaken = <Result>({ fork }: Books, name: string, work: Work<Result>): Promise<Result> =>
  fork().transactional(async (tx) => {
    await tx.execute('select pg_advisory_xact_lock(hashtextextended(?, 0))', [name]);
    return work(tx);
  });

/** How many wait for what another process holds. */
export const waiting = async ({ rows }: Books): Promise<number> =>
  (await rows(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)).length;
