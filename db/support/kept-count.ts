import type { EntityManager } from '@mikro-orm/postgresql';
import { columnIn, countedLists, countKey, type CountedList } from './counted-list.ts';
import { count, orNull, definite, text } from './entity-columns.ts';
import type { SearchField } from './fields.ts';
import type { SearchedGroup } from './known-count.ts';
import { tryLockAdvisory } from './lock-advisory.ts';
import { mostAtOnce } from './save-rows.ts';
import { statement } from './statement.ts';
import { transact } from './transact.ts';

/** The columns that a list is counted by: few values, each with its type in the list. */
type CountedColumns = Readonly<Record<string, 'integer' | 'text' | 'text[]'>>;

/** Lists whose totals triggers maintain in `pos_list_count`, by table. */
export const storedLists = {
  sales_order: { store_id: 'integer', state: 'text', status: 'text' },
  sales_order_item: {},
  sales_invoice: { store_id: 'integer', state: 'integer' },
  sales_shipment: { store_id: 'integer' },
  sales_creditmemo: { store_id: 'integer', state: 'integer' },
  sales_payment_transaction: {},
  customer: { website_id: 'integer', store_id: 'integer', group_id: 'integer' },
  product: {
    type_id: 'text',
    attribute_set_id: 'integer',
    visibility: 'integer',
    status: 'integer',
    tax_class_id: 'integer',
    website_ids: 'text[]',
  },
  inventory_source_item: { source_code: 'text', status: 'integer' },
  sale_return: { status: 'text' },
  sales_coupon: {},
  bulk_operation: { status: 'integer' },
} as const satisfies Record<string, CountedColumns>;

type StoredList = keyof typeof storedLists;

/** A list's counts as a table in place of the list: the same conditions give the number of rows. */
export interface StoredCount {
  list: StoredList;
  /** The alias before the list's columns; the table's name where they have none. */
  alias: string;
  /** By the name of a field, the sort for which an index has the rows of each of its values in order. */
  inOrder?: Readonly<Record<string, string>>;
}

/** So many rows are summed in a millisecond. */
const mostLoose = 1_000;

/**
 * Whether the counts can give the number of matching rows: every filter uses a counted column, and the column itself,
 * not a store view's own value.
 */
export const isStored = (
  { list, alias }: StoredCount,
  groups: readonly SearchedGroup[],
  fields: Readonly<Record<string, SearchField>>,
): boolean =>
  groups.every(({ filters }) =>
    filters.every(({ field }) => Object.hasOwn(storedLists[list], nameWithout(alias, fields[field]?.column ?? ''))),
  );

/**
 * Whether one plan is good for any values: only where an index has the rows of each in the requested order. Otherwise
 * the database, which guesses for any value that many rows have it, would pass over all rows to find those of a rare one.
 */
export const isForAnyValues = (
  { inOrder = {} }: StoredCount,
  groups: readonly SearchedGroup[],
  sort: string | undefined,
): boolean =>
  groups.every(({ filters }) => filters.every(({ field }) => sort !== undefined && inOrder[field] === sort));

const nameWithout = (alias: string, column: string) =>
  column.startsWith(`${alias}.`) ? column.slice(alias.length + 1) : column;

/** SQL of two numbers: how many rows match, and how many rows of counts there are. `where` is the whole condition. */
export function storedTotal({ list, alias }: StoredCount, where: string): string {
  const columns = Object.entries<string>(storedLists[list]).map(([name, type]) => `${name}::${type} as ${name}`);
  const matching = where === '' ? '' : `filter (${where})`;
  return `(select array[coalesce(sum(counted) ${matching}, 0), count(*)]::bigint[]
    from (select ${[...columns, 'counted'].join(', ')} from pos_list_count where list = '${list}') ${alias})`;
}

/** Whether there are so many rows of counts that they should be added up. */
export const isLoose = (rows: number) => rows > mostLoose;

/**
 * Adds up the counts of a list: one row for each combination of values. Readers see the former rows or the new ones,
 * with the same sum. Of two concurrent runs one returns at once.
 *
 * @returns how many rows were added up
 */
export async function compactCounts(em: EntityManager, list: StoredList): Promise<number> {
  const added = await compact.first(em, { list });
  return added?.rows ?? 0;
}

/**
 * The same for every list, also for lists that are not read.
 * @returns how many rows were added up
 */
export async function compactAllCounts(em: EntityManager): Promise<number> {
  let rows = 0;
  for (const list of Object.keys(storedLists) as StoredList[]) rows += await compactCounts(em, list);
  return rows;
}

/** All that any list is counted by. */
const columns = `website_id, store_id, group_id, attribute_set_id, tax_class_id, visibility, type_id, website_ids, source_code,
  state, status`;

const compact = statement({
  takes: { list: text },
  gives: { rows: definite(count) },
  text: `
    with mine as materialized (
      select pg_try_advisory_xact_lock(hashtextextended('counts of ' || $list, 0)) as is_mine
    ), gone as (
      delete from pos_list_count
      where (select is_mine from mine) and list_count_id in (
        select list_count_id from pos_list_count where list = $list order by list_count_id limit ${mostAtOnce})
      returning ${columns}, counted
    ), kept as (
      insert into pos_list_count (list, ${columns}, counted)
      select $list, ${columns}, sum(counted)
      from gone
      group by ${columns}
      having sum(counted) <> 0
    )
    select count(*) as rows from gone`,
});

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
    select '${grain.name}' as grain, s.size, ${columns.map((column) => `${columnIn(grain, column, ids)} as ${column}`).join(', ')},
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
