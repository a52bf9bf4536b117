import type { EntityManager } from '@mikro-orm/postgresql';
import { columnIn, countedLists, countKey, type CountedList } from './counted-list.ts';
import { count, orNull } from './entity-columns.ts';
import { tryLockAdvisory } from './lock-advisory.ts';
import { statement } from './statement.ts';
import { transact } from './transact.ts';

/** The columns that identify a count, and its values, in the order of `grainCountsSql`. */
export const countColumnsOf = ({ ids, words }: CountedList): string =>
  ['grain', 'size', ...ids, ...words, 'bucket', 'counted', 'least_key', 'greatest_key'].join(', ');

/**
 * SQL of the counts of some rows, by every grain and size. The rows are read once and summed by hour and all columns;
 * these sums are then summed for each grain and size.
 */
export function grainCountsSql(list: CountedList, rows: string): string {
  const { table, key, moment, ids, words, grains } = list;
  const columns = [...ids, ...words];
  const sums = grains.map(
    (grain) => `
    select '${grain.name}' as grain, s.size,
      ${columns.map((column) => `${columnIn(grain, column, ids)} as ${column}`).join(', ')},
      date_trunc(s.size, f.bucket, 'UTC') as bucket, sum(counted) as counted, min(least_key) as least_key,
      max(greatest_key) as greatest_key
    from fresh f, unnest(array[${grain.sizes.map((size) => `'${size}'`).join(', ')}]) as s (size)
    group by s.size, date_trunc(s.size, f.bucket, 'UTC'), ${grain.columns.join(', ')}`,
  );
  return `
    with fresh as materialized (
      select ${columns.join(', ')}, date_trunc('hour', ${moment}, 'UTC') as bucket,
        count(*) as counted, min(${key}) as least_key, max(${key}) as greatest_key
      from ${table} where ${rows}
      group by ${columns.join(', ')}, date_trunc('hour', ${moment}, 'UTC'))
    ${sums.join('\n    union all')}`;
}

/** The most rows that one run counts, so that a reader of the list never waits long for it. */
const mostRows = 50_000;

/**
 * Counts the rows that became an hour old since the last run. Of two concurrent runs one returns at once. It never
 * waits for writers, nor do they wait for it.
 *
 * It must not pass rows that are not committed yet. An hour is longer than any of our transactions; while an older
 * one is open nothing is counted.
 *
 * @returns whether it counted anything: then there may be more
 */
export const countGrowing = (em: EntityManager, list: CountedList): Promise<boolean> =>
  transact(em, async (tx) => {
    if (!(await tryLockAdvisory(tx, `count of ${list.table}`))) return false;
    const { settledOf, countRun, note } = statementsOf(list);
    const run = await settledOf.first(tx);
    if (run === undefined || run.settled === null || run.settled <= run.known) return false;
    const { known, settled } = run;
    await countRun.run(tx, { known, settled });
    await note.run(tx, { settled });
    return true;
  });

const growing = new Map(
  countedLists.map((list) => [
    list.table,
    {
      settledOf: statement({ takes: {}, gives: { known: count, settled: orNull(count) }, text: settledSql(list) }),
      countRun: statement({ takes: { known: count, settled: count }, text: countSql(list) }),
      note: statement({ takes: { settled: count }, text: noteSql(list) }),
    },
  ]),
);

function statementsOf({ table }: CountedList) {
  const found = growing.get(table);
  if (!found) throw new Error(`${table} is not among the counted lists`);
  return found;
}

/** Up to which key everything is known, and up to which it can be. */
function settledSql({ table, key, written }: CountedList): string {
  return `
  with known as (
    select coalesce((select up_to from pos_growing_count where counted_table = '${table}'), 0) as up_to
  ), run as (
    select k.up_to, coalesce(
      (select ${key} from ${table} where ${key} > k.up_to order by ${key} limit 1 offset ${mostRows - 1}),
      (select max(${key}) from ${table})) as last
    from known k
  )
  select up_to as known, least(last, (
    select min(${key}) - 1 from ${table}
    where ${key} > up_to and ${key} <= last and ${written} >= now() - interval '1 hour'))::bigint as settled
  from run
  where not exists (
    select from pg_stat_activity
    where datname = current_database() and backend_xid is not null and xact_start < now() - interval '50 minutes')`;
}

function countSql(list: CountedList): string {
  return `
  insert into ${list.counts} (${countColumnsOf(list)})
  ${grainCountsSql(list, `${list.key} > $known::bigint and ${list.key} <= $settled::bigint`)}
  on conflict (${countKey(list)}) do update set
    counted = ${list.counts}.counted + excluded.counted,
    least_key = least(${list.counts}.least_key, excluded.least_key),
    greatest_key = greatest(${list.counts}.greatest_key, excluded.greatest_key)`;
}

function noteSql({ table }: CountedList): string {
  return `
  insert into pos_growing_count (counted_table, up_to) values ('${table}', $settled)
  on conflict (counted_table) do update set up_to = excluded.up_to`;
}
