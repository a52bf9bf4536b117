import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../domain/errors.ts';
import type { SearchCriteria, SearchFilter, SortOrder } from '../../domain/platform/search-criteria.ts';
import { countGrowing } from './count-growing.ts';
import type { CountedList } from './counted-list.ts';
import { knownCount, type SearchedGroup } from './known-count.ts';
import { variesMark } from './name-statements.ts';
import { numbered, runSearch } from './run-search.ts';
import { conditionOf, type SearchField, type SqlPart } from './search-condition.ts';

/** What can be searched, and what comes out. All of it is SQL of ours; only values come from the caller. */
export interface Searchable {
  /** What follows `from`: one table, or some joined one to one, so that each row is one thing. */
  table: string;
  /** What follows `select`. */
  columns: string;
  /** By wire name: everything a caller may filter and sort by. Secrets must not be in it, or they leak bit by bit. */
  fields: Readonly<Record<string, SearchField>>;
  /** The order without one, and the tie-breaker of every other: the primary key. */
  order: string;
  /** What always holds, such as the parent of a list of comments. */
  where?: SqlPart;
  /** How many rows one answer may have. */
  maxRows?: number;
  /** Where counting a table of many millions on each call would take too long. Its `key` is the `order`. */
  counted?: CountedList;
}

export interface Found<Row> {
  rows: Row[];
  /** Matching rows, whatever the page. */
  totalCount: number;
}

/** Enough for a register's whole catalogue; more is asked for in pages. */
const defaultMaxRows = 10_000;

/**
 * Searches a table as the platform does (platform facts 3): groups by AND, filters by OR, sorting, paging; a page
 * beyond the end is empty. One round trip, two where the total is looked up, and one more for an empty page.
 *
 * Rows are plain (numerics, bigints and timestamps as text): map them by hand.
 * Refused with 400: a field that is not in `fields`, a value its type cannot have, more than `maxRows` rows.
 *
 * @example
 * const { rows, totalCount } = await search<OrderRow>(em, criteria, {
 *   table: 'sales_order o',
 *   columns: 'o.entity_id, o.increment_id, o.created_at',
 *   fields: { entity_id: { column: 'o.entity_id', type: 'integer' } },
 *   order: 'o.entity_id',
 * });
 */
export async function search<Row extends object>(
  em: EntityManager,
  criteria: SearchCriteria,
  searchable: Searchable,
): Promise<Found<Row>> {
  const { table, columns, order, maxRows = defaultMaxRows, counted } = searchable;
  const groups = criteria.groups.filter((group) => group.length > 0).map((group) => groupOf(group, searchable));
  const known = counted && (await knownCount(em, counted, groups));
  const where = numbered(whereOf(groups, searchable));
  const offset = Math.min((criteria.currentPage - 1) * (criteria.pageSize ?? 0), Number.MAX_SAFE_INTEGER);
  const limit = Math.min(criteria.pageSize ?? Infinity, maxRows + 1);
  const total = known ? known.totalOf(where.sql) : `(select count(*) from ${table} ${where.sql})`;
  const sortings = [...criteria.sortOrders.map((sort) => orderOf(sort, searchable)), order].join(', ');
  // In the order of the keys a page is looked for from the first row on that can match.
  const isByKey = (criteria.sortOrders[0]?.field ?? order) === order;
  const first = known && isByKey && where.sql !== '' ? `and ${order} >= ${known.firstKey}` : '';

  const rows = await runSearch<Row & { search_total: string }>(em, {
    sql: `${known ? variesMark : ''} select ${columns}, ${total} as search_total from ${table} ${where.sql} ${first}
      order by ${sortings} limit ${limit} offset ${offset}`,
    parameters: where.parameters,
  });
  if (counted && known?.isLong) await countGrowing(em, counted);
  if (rows.length > maxRows) throw invalid('Maximum SearchCriteria pageSize is %max', { max: maxRows });
  const [found] = rows;
  if (found) return { rows, totalCount: Number(found.search_total) };
  if (offset === 0) return { rows, totalCount: 0 };
  const [count] = await runSearch<{ total: string }>(em, {
    sql: `${known ? variesMark : ''} select ${total} as total`,
    parameters: where.parameters,
  });
  return { rows, totalCount: Number(count?.total ?? 0) };
}

function whereOf(groups: readonly SearchedGroup[], { where }: Searchable): SqlPart {
  const parts: SqlPart[] = where ? [where, ...groups] : [...groups];
  if (parts.length === 0) return { sql: '', parameters: [] };
  return {
    sql: `where ${parts.map(({ sql }) => `(${sql})`).join(' and ')}`,
    parameters: parts.flatMap(({ parameters }) => parameters),
  };
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

/** One `from` and one `to` of the same field are a range, the one case where a group means AND. */
const isSpan = (group: readonly SearchFilter[]) =>
  group.length === 2 &&
  group[0]?.field === group[1]?.field &&
  group.some(({ condition }) => condition === 'from') &&
  group.some(({ condition }) => condition === 'to');

function fieldOf(name: string, { fields }: Searchable): SearchField {
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (!field) throw invalid('Invalid attribute name: %1', [name.slice(0, 100)]);
  return field;
}

function orderOf({ field: name, direction }: SortOrder, searchable: Searchable): string {
  const { column, type, isNullable } = fieldOf(name, searchable);
  const expression = type === 'text' ? `lower(${column})` : column;
  if (!isNullable) return `${expression} ${direction}`;
  return `${expression} ${direction} nulls ${direction === 'ASC' ? 'first' : 'last'}`;
}
