import type { EntityManager } from '@mikro-orm/postgresql';
import { day, integer } from '../support/entity-columns.ts';
import { sql } from '../support/sql.ts';
import { statement } from '../support/statement.ts';

export interface Purged {
  rows: number;
  /** Whole days, with all their events. */
  days: number;
  /** Nothing older is left. */
  isDone: boolean;
}

const purgeOf = (table: string, isOld: string) =>
  statement({
    takes: { before: day, limit: integer },
    text: `
      with old as (select ctid from ${table} where ${isOld} limit $limit for update skip locked)
      delete from ${table} t using old where t.ctid = old.ctid`,
  });

/** Sums are deleted first: a day's remaining events are then not compared with them. */
const purges = [
  purgeOf('pos_telemetry_summary', 'day < $before::date'),
  purgeOf('pos_telemetry_event_other', 'recorded_on < $before::date'),
  purgeOf('pos_telemetry_batch', 'received_at < $before::date'),
];

const dropDay = sql('purge-telemetry.dropDay')`select pos_telemetry_drop_day($before::date) as dropped`;

/**
 * Deletes telemetry from before this day (spec 8): at most so many rows of each table, and one day's partition.
 *
 * Safe to repeat until it is done, and to run concurrently: runs skip each other's rows.
 */
export async function purgeTelemetry(
  em: EntityManager,
  { before, limit }: { before: string; limit: number },
): Promise<Purged> {
  const removed: number[] = [];
  for (const purge of purges) removed.push(await purge.run(em, { before, limit }));
  const dropped = await dropDay.first(em, { before });
  const days = dropped?.dropped ? 1 : 0;
  return {
    rows: removed.reduce((sum, rows) => sum + rows, 0),
    days,
    isDone: days === 0 && removed.every((rows) => rows < limit),
  };
}
