import type { EntityManager } from '@mikro-orm/postgresql';

export interface Purged {
  rows: number;
  /** Whole days, with all their events. */
  days: number;
  /** Nothing more is older. */
  isDone: boolean;
}

/** Sums go first: what is left of a day's events is then no longer compared with them. */
const tables = [
  { table: 'pos_telemetry_summary', isOld: 'day < ?::date' },
  { table: 'pos_telemetry_event_other', isOld: 'recorded_on < ?::date' },
  { table: 'pos_telemetry_batch', isOld: 'received_at < ?::date' },
];

/**
 * Removes telemetry of days before this one (spec 8): of each table at most so many rows, and one day's partition.
 *
 * Safe to repeat until it is done, and to run by two at once: each leaves alone what the other is removing.
 */
export async function purgeTelemetry(
  em: EntityManager,
  { before, limit }: { before: string; limit: number },
): Promise<Purged> {
  const removed: number[] = [];
  for (const { table, isOld } of tables) removed.push(await removeOld(em, { table, isOld, before, limit }));
  const [dropped] = await em.execute<{ dropped: boolean }[]>('select pos_telemetry_drop_day(?::date) as dropped', [
    before,
  ]);
  const days = dropped?.dropped ? 1 : 0;
  return {
    rows: removed.reduce((sum, rows) => sum + rows, 0),
    days,
    isDone: days === 0 && removed.every((rows) => rows < limit),
  };
}

async function removeOld(
  em: EntityManager,
  { table, isOld, before, limit }: { table: string; isOld: string; before: string; limit: number },
): Promise<number> {
  const [gone] = await em.execute<{ rows: string }[]>(
    `with old as (select ctid from ${table} where ${isOld} limit ? for update skip locked),
       gone as (delete from ${table} t using old where t.ctid = old.ctid returning 1)
     select count(*) as rows from gone`,
    [before, limit],
  );
  return Number(gone?.rows ?? 0);
}
