import type { EntityManager } from '@mikro-orm/postgresql';
import type { ConditionType } from '../../domain/platform/search-criteria.ts';
import { cutSpan, startOf, type BucketRun, type Span } from '../../domain/platform/time-buckets.ts';
import { wholeDays } from './counted-list.ts';
import type { SearchField } from './fields.ts';
import { meet, momentSql, spanOf, within, type SearchedGroup } from './known-count.ts';
import { mostAtOnce } from './save-rows.ts';
import { sql } from './sql.ts';

/** The columns that a list is counted by: few values, each with its type in the list. */
type CountedColumns = Readonly<Record<string, 'integer' | 'bigint' | 'boolean' | 'text' | 'text[]'>>;

/** How a list is counted. */
export interface Stored {
  columns: CountedColumns;
  /** The time by whose days and months rows are counted too, and the key of the rows. */
  moment?: string;
  key?: string;
  /** SQL of its rows with the columns, where they are not those of the table of its name. */
  rows?: string;
}

const goods = {
  type_id: 'text',
  attribute_set_id: 'bigint',
  visibility: 'integer',
  status: 'integer',
  tax_class_id: 'bigint',
  website_ids: 'text[]',
} as const;

const created = { moment: 'created_at', key: 'entity_id' } as const;

/** Lists whose totals triggers maintain in `pos_list_count`, by table (`30-counts.sql`). */
export const storedLists = {
  sales_order: {
    ...created,
    columns: { store_id: 'bigint', state: 'text', status: 'text', pos_layaway_status: 'text' },
  },
  sales_order_item: { ...created, key: 'item_id', columns: {} },
  sales_invoice: { ...created, columns: { store_id: 'bigint', state: 'integer' } },
  sales_shipment: { ...created, columns: { store_id: 'bigint' } },
  sales_creditmemo: { ...created, columns: { store_id: 'bigint', state: 'integer' } },
  sales_payment_transaction: { ...created, key: 'transaction_id', columns: {} },
  customer: {
    ...{ ...created, key: 'id' },
    columns: { website_id: 'bigint', store_id: 'bigint', group_id: 'bigint', gender: 'integer', created_in: 'text' },
  },
  product: { ...created, columns: goods },
  product_in_category: {
    columns: { ...goods, category_id: 'text' },
    rows: `(select p.*, category_id from product p, lateral (select distinct unnest(p.category_ids)) as c
      (category_id))`,
  },
  inventory_source_item: { columns: { source_code: 'text', status: 'integer' } },
  sale_return: {
    ...{ ...created, key: 'return_id' },
    columns: { store_id: 'bigint', status: 'text' },
    rows: `(select r.return_id, r.status, r.created_at, o.store_id from sale_return r
      join sales_order o on o.entity_id = r.order_id)`,
  },
  sales_coupon: { ...created, key: 'coupon_id', columns: { rule_id: 'bigint', is_generated: 'boolean' } },
  bulk_operation: { moment: 'started_at', key: 'operation_id', columns: { status: 'integer' } },
  tax_rate: { columns: { country_id: 'text' } },
} as const satisfies Record<string, Stored>;

type StoredList = keyof typeof storedLists;

/** A list's counts as a table in place of the list: the same conditions give the number of rows. */
export interface StoredCount {
  list: Exclude<StoredList, 'product_in_category'>;
  /** The alias before the list's columns; the table's name where they have none. */
  alias: string;
  /** By the name of a field, the sort for which an index has the rows of each of its values in order. */
  inOrder?: Readonly<Record<string, string>>;
  /** The alias of another table, under which the list has counted columns too, and SQL that gives them. */
  besides?: { alias: string; sql: string };
}

/** So many matching rows are sorted in a few milliseconds; with more, an index in their order is used. */
export const mostSorted = 20_000;
/**
 * The same where the database can guess how many match: it chooses well. But of a few rows it does not know that all of
 * them lie at the far end.
 */
const mostGuessed = 1_000;

/** So many rows are summed in a millisecond. */
const mostLoose = 1_000;

/**
 * Whether one plan is good for any values: only where an index has the rows of each in the requested order. Otherwise
 * the database, which guesses for any value that many rows have it, would pass over all rows to find those of a rare
 * one.
 */
export const isForAnyValues = (
  { inOrder = {} }: StoredCount,
  groups: readonly SearchedGroup[],
  sort: string | undefined,
): boolean =>
  groups.every(({ filters }) => filters.every(({ field }) => sort !== undefined && inOrder[field] === sort));

/** What is asked of a list whose totals are stored. Its SQL has numbered parameters. */
export interface RequestedOfStored {
  groups: readonly SearchedGroup[];
  fields: Readonly<Record<string, SearchField>>;
  /** The text after `from`. */
  table: string;
  /** The whole condition. */
  where: string;
  /** The requested order; absent: by the key. */
  sort: { field: string; direction: 'ASC' | 'DESC' } | undefined;
}

export interface StoredTotal {
  /** SQL of two numbers: how many rows match, and how many rows of counts are not added up yet. */
  total: string;
  /** SQL: no row below this key matches. */
  firstKey?: string | undefined;
  /** So many keys are collected and sorted, before an index in the order of the page is followed. */
  mostCollected: number;
}

/**
 * How many rows match, as the counts tell, and the days of which a time filter asks for a part.
 *
 * @returns undefined where the counts cannot tell: a filter by another column, or one with a store view's own value; a
 * time filter that is no range, or one in a group with other filters
 */
export function storedTotal(stored: StoredCount, requested: RequestedOfStored): StoredTotal | undefined {
  const { moment }: Stored = storedLists[stored.list];
  const columnOf = (field: string) => plainColumn(stored, requested.fields[field]?.column ?? '');
  const spans = requested.groups.map((group) => spanOf(group, (field) => columnOf(field) === moment));
  const others = requested.groups.filter((_, at) => spans[at] === undefined);
  const isOfOne = asksOneCategory(stored, others, columnOf);
  const list = isOfOne ? 'product_in_category' : stored.list;
  const { columns }: Stored = storedLists[list];
  const isCounted = (field: string) =>
    Object.hasOwn(columns, columnOf(field)) || (isOfOne && columnOf(field) === memberOf);
  if (!others.every(({ filters }) => filters.every(({ field }) => isCounted(field)))) return undefined;
  const span = meet(spans.filter((one) => one !== undefined));
  if (span.from || span.to) return isOfOne ? undefined : totalWithin(span, { kept: stored, asked: requested, others });
  return {
    total: sumOf({ kept: stored, list, others, sizes: `size in ('new', 'all')` }),
    mostCollected: mostOf(stored, requested, columnOf),
  };
}

const changed = 'updated_at';

/**
 * SQL: how many rows were created since the day from which rows that changed are asked for. So many of those that match
 * have the last keys of all.
 *
 * @returns undefined where nobody asks since when, and where the page is in the order of the changes
 */
export function createdSince(kept: StoredCount, { groups, fields, sort }: RequestedOfStored): string | undefined {
  const { list } = kept;
  const columnOf = (field: string) => plainColumn(kept, fields[field]?.column ?? '');
  const { moment }: Stored = storedLists[list];
  if (moment !== created.moment || (sort && columnOf(sort.field) === changed)) return undefined;
  const spans = groups.map((group) => spanOf(group, (field) => columnOf(field) === changed));
  const { from } = meet(spans.filter((one) => one !== undefined));
  if (!from) return undefined;
  const { runs } = cutSpan({ from: startOf('day', from) }, wholeDays);
  return `(${sumOf({ kept, list, others: [], sizes: sizesOf(runs) })})[1]`;
}

/** In the order of the keys, and of a time with its own index, a page reads its own rows alone. */
function mostOf(stored: StoredCount, { groups, fields, sort }: RequestedOfStored, columnOf: (field: string) => string) {
  if (groups.some(({ filters }) => filters.some(({ field }) => fields[field]?.type === 'set'))) return mostSorted;
  const { key }: Stored = storedLists[stored.list];
  return !sort || columnOf(sort.field) === key || isForAnyValues(stored, groups, sort.field) ? 0 : mostGuessed;
}

/** The sums of whole days and months, and the rows of the days of which a part is asked for. */
function totalWithin(
  span: Span,
  { kept, asked, others }: { kept: StoredCount; asked: RequestedOfStored; others: readonly SearchedGroup[] },
): StoredTotal {
  const { list, alias } = kept;
  const { moment = '' }: Stored = storedLists[list];
  const { table, where, sort, fields } = asked;
  const { runs, edges } = cutSpan(span, wholeDays);
  const ofEdges = edges.map(
    (edge) => ` + (select count(*) from ${table} ${where} and ${within(`${alias}.${moment}`, edge).join(' and ')})`,
  );
  const isInOrder = others.length === 0 && sort && plainColumn(kept, fields[sort.field]?.column ?? '') === moment;
  return {
    total: sumOf({ kept, list, others, sizes: sizesOf(runs), besides: ofEdges.join('') }),
    firstKey: span.from && firstKeyOf(list, span.from),
    mostCollected: isInOrder ? 0 : mostSorted,
  };
}

/** A column as the counts have it: without its table and without its cast. */
function plainColumn({ alias, besides }: StoredCount, column: string): string {
  const table = [alias, besides?.alias].find((one) => one !== undefined && column.startsWith(`${one}.`));
  return (table === undefined ? column : column.slice(table.length + 1)).replace(/::\w+$/, '');
}

const memberOf = 'category_ids';
const asksMember: ReadonlySet<ConditionType> = new Set(['eq', 'in', 'finset']);

/** Whether goods of one category are asked for: those are counted by themselves. */
function asksOneCategory({ list }: StoredCount, groups: readonly SearchedGroup[], columnOf: (field: string) => string) {
  const asking = groups.filter(({ filters }) => filters.some(({ field }) => columnOf(field) === memberOf));
  const [group] = asking;
  const [filter] = group?.filters ?? [];
  return (
    list === 'product' &&
    asking.length === 1 &&
    group?.filters.length === 1 &&
    group.parameters.length === 1 &&
    filter !== undefined &&
    asksMember.has(filter.condition)
  );
}

interface Summed {
  kept: StoredCount;
  list: StoredList;
  others: readonly SearchedGroup[];
  sizes: string;
  /** SQL that is added to the sum. */
  besides?: string;
}

function sumOf({ kept, list, others, sizes, besides = '' }: Summed): string {
  const { columns }: Stored = storedLists[list];
  const named = Object.entries(columns).map(([name, type]) => `${name}::${type} as ${name}`);
  const ofOne = list === 'product_in_category' ? [`array[category_id] as ${memberOf}`] : [];
  const matching = others.length === 0 ? '' : `filter (where ${others.map(({ sql }) => `(${sql})`).join(' and ')})`;
  return `(select array[coalesce(sum(counted) ${matching}, 0)${besides}, count(*) filter (where size = 'new')]::bigint[]
    from (select ${[...named, ...ofOne, 'size', 'counted'].join(', ')}
      from pos_list_count where list = '${list}' and ${sizes}) ${kept.alias} ${kept.besides?.sql ?? ''})`;
}

/** Rows of counts that are not added up yet are of one day, and so within any run. */
function sizesOf(runs: readonly BucketRun[]): string {
  const parts = runs.map(({ size, ...span }) =>
    [`size in ('new', '${size}')`, ...within('day', span, dayOf)].join(' and '),
  );
  return parts.length === 0 ? 'false' : `((${parts.join(') or (')}))`;
}

const firstKeyOf = (list: StoredList, from: Date) =>
  `(select min(least_key) from pos_list_count where list = '${list}' and
    ${sizesOf(cutSpan({ from: startOf('day', from) }, wholeDays).runs)})`;

const dayOf = (moment: Date) => `(${momentSql(moment)} at time zone 'UTC')::date`;

/** Whether there are so many rows of counts that they should be added up. */
export const isLoose = (rows: number) => rows > mostLoose;

/**
 * Adds up the counts of a list: one row for each combination of values, in all, by day and by month. Readers see the
 * former rows or the new ones, with the same sum. Of two concurrent runs one returns at once.
 *
 * @returns how many rows were added up
 */
export async function compactCounts(em: EntityManager, list: StoredList): Promise<number> {
  const added = await compact.first(em, { list });
  return added?.rows ?? 0;
}

/** The lists that are counted with another one. */
export const compactWith = (list: StoredCount['list']): readonly StoredList[] =>
  list === 'product' ? ['product', 'product_in_category'] : [list];

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
  state, status, pos_layaway_status, gender, created_in, rule_id, is_generated, country_id, category_id`;

const compact = sql('stored-count.compact')`
  with mine as materialized (
    select pg_try_advisory_xact_lock(hashtextextended('counts of ' || $list, 0)) as is_mine
  ), gone as (
    delete from pos_list_count
    where (select is_mine from mine) and list_count_id in (
      select list_count_id from pos_list_count where list = $list and size = 'new' order by list_count_id
        limit ${mostAtOnce})
    returning ${columns}, day, least_key, counted
  ), kept as (
    insert into pos_list_count (list, size, day, kind, ${columns}, least_key, counted)
    select $list, s.size, case s.size when 'all' then null else date_trunc(s.size, day)::date end,
      md5(row(${columns})::text),
      ${columns}, min(least_key), sum(counted)
    from gone, (values ('all'), ('day'), ('month')) as s (size)
    where s.size = 'all' or day is not null
    group by s.size, case s.size when 'all' then null else date_trunc(s.size, day)::date end, ${columns}
    on conflict (list, size, day, kind) where size <> 'new' do update set
      counted = pos_list_count.counted + excluded.counted,
      least_key = least(pos_list_count.least_key, excluded.least_key)
  )
  select count(*) as rows from gone`;
