import type { EntityManager } from '@mikro-orm/postgresql';
import type { SearchCriteria, SearchFilter, SortOrder } from '../../domain/platform/search-criteria.ts';
import { attributeNameNotValid, listTooLong, pageTooLarge } from '../../domain/refusals/platform.ts';
import { askComposed, numbered } from './composed.ts';
import { isOutOfTime } from './connections/database-trouble.ts';
import type { CountedList } from './counted-list.ts';
import type { SearchField, SqlPart } from './fields.ts';
import { countGrowing } from './count-growing.ts';
import {
  compactCounts,
  compactWith,
  createdSince,
  isForAnyValues,
  isLoose,
  mostSorted,
  storedTotal,
  type StoredCount,
  type StoredTotal,
} from './stored-count.ts';
import { knownCount, type KnownCount, type SearchedGroup } from './known-count.ts';
import { variesMark } from './name-statements.ts';
import { conditionOf } from './search-condition.ts';

/** Rows of a list, in SQL. */
interface Listed {
  /** The text after `from`: one table, or several joined one to one, so that each row is one record. */
  table: string;
  /** The text after `select`. */
  columns: string;
  /** The default order, and the tie-breaker of every other: the primary key. */
  order: string;
  /** The key of one row, where it differs from `order`. */
  key?: string;
}

interface Sort {
  sql: string;
  /** `DESC`, and where the nulls go. */
  direction: string;
}

interface Page {
  searchable: Listed;
  /** The whole condition, or nothing. */
  where: string;
  /** The requested order, and the primary key as the tie-breaker. */
  sorts: readonly Sort[];
  limit: number;
  offset: number;
}

export interface PageSql {
  /** Its rows, each with `search_total`. */
  rowsSql: string;
  /** `search_total` alone, for a page beyond the last one. */
  totalSql: string;
}

/**
 * One page, found by its keys: what a row shows, such as an order with its lines, is computed only for the page.
 *
 * Where the total is not stored, the matching keys are collected first, up to a limit. Otherwise the database would
 * follow the primary key to the first matches, and where all of them are new it would read the whole table.
 *
 * @param stored the total where it is stored. It decides whether the matching keys are collected.
 */
function pageOf(
  page: Page,
  { stored, isByKey, createdLately }: { stored: StoredTotal | undefined; isByKey: boolean; createdLately?: string },
): PageSql {
  const { searchable, where } = page;
  const { table, columns, order, key = order } = searchable;
  const counted = stored?.total ?? `array[(select count(*) from ${table} ${where})]`;
  // The first rows of all, in the order of their keys: only the shown rows are computed.
  if (where === '' && page.sorts.length === 1 && page.offset === 0) {
    return {
      rowsSql: `select ${columns}, ${counted} as search_total from ${table} ${endOf(page)}`,
      totalSql: totalOf(counted),
    };
  }
  const bounded = isByKey && stored?.firstKey ? { ...page, where: `${where} and ${key} >= ${stored.firstKey}` } : page;
  if (stored?.mostCollected === 0 || where === '' || key.includes(',')) {
    return { rowsSql: rowsOf(page, { total: counted, picked: pickedBy(bounded) }), totalSql: totalOf(counted) };
  }
  const { found, areFew } = gather(page, stored);
  const before = stored ? found : `${found}, many as materialized (select ${counted} as total)`;
  const known = '(select total from few)';
  const total = stored ? known : `case when ${areFew} then ${known} else (select total from many) end`;
  // Changed rows of which most are new are fetched by their time: in the order of the keys all others come before them.
  const areNew = `${createdLately} <= ${mostFetched} and ${createdLately} * 4 >= (select total[1] from many)`;
  const fetched = createdLately === undefined ? '' : `when ${areNew} then array(${fetchedKeys(page)})`;
  const keys = `case when ${areFew} then array(${gatheredKeys(page)}) ${fetched} else array(${keysOf(bounded)}) end`;
  const rows = rowsOf(page, { total, picked: `${key} = any(${keys})` });
  return { rowsSql: `${before} ${rows}`, totalSql: `${before} ${totalOf(total)}` };
}

/** A page of a growing list; in the order of its keys the search starts at the first key that can match. */
function knownPage(page: Page, known: KnownCount, isByKey: boolean): PageSql {
  const { where, searchable } = page;
  const total = `array[${known.totalOf(where)}]`;
  const from = isByKey && where !== '' ? `${where} and ${searchable.order} >= ${known.firstKey}` : where;
  return { rowsSql: rowsOf(page, { total, picked: pickedBy({ ...page, where: from }) }), totalSql: totalOf(total) };
}

const totalOf = (total: string) => `select ${total} as search_total`;

const rowsOf = (
  { searchable: { table, columns }, sorts }: Page,
  { total, picked }: { total: string; picked: string },
) => `select ${columns}, ${total} as search_total from ${table} where ${picked} order by ${sortingOf(sorts)}`;

function pickedBy(page: Page): string {
  const { key = page.searchable.order } = page.searchable;
  return key.includes(',') ? `(${key}) in (${keysOf(page)})` : `${key} = any(array(${keysOf(page)}))`;
}

const sortingOf = (sorts: readonly Sort[]) => sorts.map(({ sql, direction }) => `${sql} ${direction}`).join(', ');

const endOf = ({ where, sorts, limit, offset }: Page) =>
  `${where} order by ${sortingOf(sorts)} limit ${limit} offset ${offset}`;

const keysOf = (page: Page) =>
  `select ${page.searchable.key ?? page.searchable.order} from ${page.searchable.table} ${endOf(page)}`;

const sortName = (at: number) => `sort_${at}`;

/**
 * The matching keys with their sort values, and their number, unless it is known; one more than the sort limit shows
 * that there are more.
 */
function gather(page: Page, stored: StoredTotal | undefined) {
  const most = stored?.mostCollected ?? mostSorted;
  const found = `with found as materialized (${matchesOf(page)} limit ${most + 1}),
    few as materialized (select ${stored?.total ?? 'array[(select count(*) from found)]'} as total)`;
  return { found, areFew: `(select total[1] <= ${most} from few)` };
}

/** Keys of all that match, in no order, each with its sort values. */
const matchesOf = ({ searchable: { table, order, key = order }, where, sorts }: Page) =>
  `select ${key} as found_key, ${sorts.map(({ sql }, at) => `${sql} as ${sortName(at)}`).join(', ')} from ${table} ${where}`;

const gatheredKeys = ({ sorts, limit, offset }: Page, from = 'found') =>
  `select found_key from ${from} order by ${sortingOf(
    sorts.map(({ direction }, at) => ({ sql: sortName(at), direction })),
  )}
    limit ${limit} offset ${offset}`;

/** So many new rows are fetched within three seconds. */
const mostFetched = 5_000_000;

/** The offset keeps the database from following the keys. */
const fetchedKeys = (page: Page) => gatheredKeys(page, `(${matchesOf(page)} offset 0) as fetched`);

/** What can be searched, and the columns of the result. All of it is SQL of ours; only values come from the caller. */
export interface Searchable extends Listed {
  /**
   * By wire name: every field that a caller may filter and sort by. It must not contain secrets, because filters
   * would reveal them step by step.
   */
  fields: Readonly<Record<string, SearchField>>;
  /** A condition that always holds, such as the parent of a list of comments. */
  where?: SqlPart;
  /** How many rows one answer may have. */
  maxRows?: number;
  /** For tables with many millions of rows, which are too many to count at each call. Its `key` is the `order`. */
  counted?: CountedList;
  /** For lists whose number of rows triggers maintain, by columns with few values. */
  kept?: StoredCount;
}

export interface Found<Row> {
  rows: Row[];
  /** All matching rows, not only those of the page. */
  totalCount: number;
}

/** How many rows match; where counts are read, also how many rows of counts there are. */
type Total = readonly [matching: string, counts?: string];

/** Enough for a register's whole catalogue; more is asked for in pages. */
export const maxRowsOfList = 10_000;

/**
 * Searches a table as the platform does (platform facts 3): groups by AND, filters by OR, sorting, paging; a page
 * beyond the end is empty. One round trip, two for a counted list, and one more for an empty page.
 *
 * Rows are plain (numerics, bigints and timestamps as text): map them by hand.
 * Refused with 400: a field that is not in `fields`, a value its type cannot have, more than `maxRows` rows. 503: the
 * database ended it, because it read for longer than a statement may.
 *
 * @example
 * const { rows, totalCount } = await search<OrderRow>(em, criteria, {
 * table: 'sales_order o',
 * columns: 'o.entity_id, o.increment_id, o.created_at',
 * fields: { entity_id: { column: 'o.entity_id', type: 'integer' } },
 * order: 'o.entity_id',
 * });
 */
export async function search<Row extends object>(
  em: EntityManager,
  criteria: SearchCriteria,
  searchable: Searchable,
): Promise<Found<Row>> {
  const { order, fields, maxRows = maxRowsOfList, counted, kept } = searchable;
  const groups = criteria.groups
    .filter((group) => group.length > 0)
    .map((group) => groupOf(group.map(byOwnName(searchable)), searchable));
  const known = counted && (await knownCount(em, counted, groups));
  const { whole: where, groups: requested, parameters } = whereOf(groups, searchable);
  const { limit, offset } = pageBounds(criteria, maxRows);
  const sortOrders = criteria.sortOrders.map(byOwnName(searchable));
  const sorts = [...sortOrders.map((sort) => sortOf(sort, searchable)), ...tieBreakersOf(order, sortOrders.at(-1))];
  const ofKept = { groups: requested, fields, table: searchable.table, where, sort: sortOrders[0] };
  const stored = kept && !searchable.where ? storedTotal(kept, ofKept) : undefined;
  const createdLately = kept && !searchable.where && !stored ? createdSince(kept, ofKept) : undefined;
  const page: Page = { searchable, where, sorts, limit, offset };

  const [firstSort] = sortOrders;
  const isByKey = !firstSort || fieldOf(firstSort.field, searchable).column === order;
  const { rowsSql, totalSql } = known
    ? knownPage(page, known, isByKey)
    : pageOf(page, { stored, isByKey, ...(createdLately === undefined ? {} : { createdLately }) });
  // The texts of first pages repeat; those of later pages differ each time.
  const isPlannedOnce = !kept || !stored || isForAnyValues(kept, groups, firstSort?.field);
  const mark = known || createdLately || offset > 0 || !isPlannedOnce ? variesMark : '';
  const rows = await askInTime<Row & { search_total: Total }>(em, { sql: `${mark} ${rowsSql}`, parameters });
  if (counted && known?.isLong) await countGrowing(em, counted);
  if (rows.length > maxRows) throw pageTooLarge({ max: maxRows });
  if (rows.length === 0 && offset === 0) return { rows, totalCount: 0 };
  const total = rows[0]?.search_total ?? (await totalBeyond(em, { sql: `${mark} ${totalSql}`, parameters }));
  // The answer is ready: counts that cannot be added up now are added up by the next reader, or at night.
  if (kept && isLoose(Number(total[1] ?? 0)))
    for (const list of compactWith(kept.list)) await compactCounts(em, list).catch(() => 0);
  return { rows, totalCount: Number(total[0]) };
}

/** One row more than an answer may have shows that there are too many. */
export const pageBounds = ({ pageSize, currentPage }: SearchCriteria, maxRows: number) => ({
  limit: Math.min(pageSize ?? Infinity, maxRows + 1),
  offset: Math.min((currentPage - 1) * (pageSize ?? 0), Number.MAX_SAFE_INTEGER),
});

/** Any field may be filtered and sorted by, also one that makes the database read a whole table. */
const askInTime = <Row>(em: EntityManager, request: SqlPart): Promise<Row[]> =>
  askComposed<Row>(em, request).catch((error: unknown) => {
    throw isOutOfTime(error) ? listTooLong() : error;
  });

/** The total, where a page beyond the last one was requested. */
async function totalBeyond(em: EntityManager, request: SqlPart): Promise<Total> {
  const [row] = await askInTime<{ search_total: Total }>(em, request);
  return row?.search_total ?? ['0'];
}

/** The whole condition, and the groups of it, with the same numbers of parameters. */
function whereOf(groups: readonly SearchedGroup[], { where }: Searchable) {
  const parameters = [...(where?.parameters ?? [])];
  const always = where && numbered(where).sql;
  const requested = groups.map((group) => {
    const one = numbered(group, parameters.length);
    parameters.push(...group.parameters);
    return one;
  });
  const parts = [...(always === undefined ? [] : [always]), ...requested.map(({ sql }) => sql)];
  const whole = parts.length === 0 ? '' : `where ${parts.map((sql) => `(${sql})`).join(' and ')}`;
  return { whole, groups: requested, parameters };
}

function groupOf(filters: readonly SearchFilter[], searchable: Searchable): SearchedGroup {
  const parts = filters.map((filter) => conditionOf(fieldOf(filter.field, searchable), filter));
  const isRange = isSpan(filters);
  return {
    filters,
    isRange,
    sql: parts.map(({ sql }) => sql).join(isRange ? ' and ' : ' or '),
    parameters: parts.flatMap(({ parameters }) => parameters),
  };
}

/** A `from` and a `to` of the same field form a range, the one case where a group means AND. */
export const isSpan = (group: readonly SearchFilter[]) =>
  group.length === 2 &&
  group[0]?.field === group[1]?.field &&
  group.some(({ condition }) => condition === 'from') &&
  group.some(({ condition }) => condition === 'to');

/** A column's name is taken in any case of letters, as in the platform's database. */
export const byOwnName =
  ({ fields }: Pick<Searchable, 'fields'>) =>
  <Named extends { field: string }>(named: Named): Named => {
    const field = named.field.toLowerCase();
    return !Object.hasOwn(fields, named.field) && Object.hasOwn(fields, field) ? { ...named, field } : named;
  };

export function fieldOf(name: string, { fields }: Pick<Searchable, 'fields'>): SearchField {
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (!field) throw attributeNameNotValid([name.slice(0, 100)]);
  return field;
}

export function sortOf({ field: name, direction }: SortOrder, searchable: Pick<Searchable, 'fields'>): Sort {
  const { column, type, isNullable } = fieldOf(name, searchable);
  const sql = type === 'text' || type === 'sku' ? `lower(${column})` : column;
  const nulls = isNullable ? `nulls ${direction === 'ASC' ? 'first' : 'last'}` : '';
  return { sql, direction: `${direction} ${nulls}`.trim() };
}

/**
 * The primary key, as in the list: `e.entry_id desc`. After a requested sort it has the direction of that sort, so that
 * an index of both is read forwards or backwards, however many rows share a value.
 */
export const tieBreakersOf = (order: string, last: SortOrder | undefined): Sort[] =>
  order.split(', ').map((part) => {
    const [sql = part, direction = 'asc'] = part.split(' ');
    return { sql, direction: last?.direction.toLowerCase() ?? direction };
  });
