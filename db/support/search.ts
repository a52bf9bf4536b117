import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../domain/errors.ts';
import type { SearchCriteria, SearchFilter, SortOrder } from '../../domain/platform/search-criteria.ts';
import { askComposed, numbered } from './composed.ts';
import { countGrowing } from './count-growing.ts';
import { compactCounts } from './compact-counts.ts';
import type { CountedList } from './counted-list.ts';
import { isForAnyValues, isKept, isLoose, keptTotal, type KeptCount } from './kept-count.ts';
import { knownCount, type SearchedGroup } from './known-count.ts';
import { variesMark } from './name-statements.ts';
import { knownPage, pageOf, type Listed, type Page, type Sort } from './page-sql.ts';
import { conditionOf } from './search-condition.ts';
import type { SearchField, SqlPart } from './search-field.ts';

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
  kept?: KeptCount;
}

export interface Found<Row> {
  rows: Row[];
  /** All matching rows, not only those of the page. */
  totalCount: number;
}

/** How many rows match; where counts are read, also how many rows of counts there are. */
type Total = readonly [matching: string, counts?: string];

/** Enough for a register's whole catalogue; more is asked for in pages. */
const defaultMaxRows = 10_000;

/**
 * Searches a table as the platform does (platform facts 3): groups by AND, filters by OR, sorting, paging; a page
 * beyond the end is empty. One round trip, two for a counted list, and one more for an empty page.
 *
 * Rows are plain (numerics, bigints and timestamps as text): map them by hand.
 * Refused with 400: a field that is not in `fields`, a value its type cannot have, more than `maxRows` rows.
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
  const { order, maxRows = defaultMaxRows, counted, kept } = searchable;
  const groups = criteria.groups
    .filter((group) => group.length > 0)
    .map((group) => groupOf(group.map(byOwnName(searchable)), searchable));
  const known = counted && (await knownCount(em, counted, groups));
  const { sql: where, parameters } = numbered(whereOf(groups, searchable));
  const offset = Math.min((criteria.currentPage - 1) * (criteria.pageSize ?? 0), Number.MAX_SAFE_INTEGER);
  const limit = Math.min(criteria.pageSize ?? Infinity, maxRows + 1);
  const sortOrders = criteria.sortOrders.map(byOwnName(searchable));
  const sorts = [...sortOrders.map((sort) => sortOf(sort, searchable)), ...tieBreakersOf(order)];
  const isTotalKept = kept !== undefined && !searchable.where && isKept(kept, groups, searchable.fields);
  const page: Page = { searchable, where, sorts, limit, offset };

  const { rowsSql, totalSql } = known
    ? knownPage(page, known, (sortOrders[0]?.field ?? order) === order)
    : pageOf(
        page,
        isTotalKept ? { total: keptTotal(kept, where), asksMembers: asksMembers(groups, searchable) } : undefined,
      );
  // The texts of first pages repeat; those of later pages differ each time.
  const isPlannedOnce = !isTotalKept || isForAnyValues(kept, groups, sortOrders[0]?.field);
  const mark = known || offset > 0 || !isPlannedOnce ? variesMark : '';
  const rows = await askComposed<Row & { search_total: Total }>(em, { sql: `${mark} ${rowsSql}`, parameters });
  if (counted && known?.isLong) await countGrowing(em, counted);
  if (rows.length > maxRows) throw invalid('Maximum SearchCriteria pageSize is %max', { max: maxRows });
  if (rows.length === 0 && offset === 0) return { rows, totalCount: 0 };
  const total = rows[0]?.search_total ?? (await totalBeyond(em, { sql: `${mark} ${totalSql}`, parameters }));
  // The answer is ready: counts that cannot be added up now are added up by the next reader, or at night.
  if (kept && isLoose(Number(total[1] ?? 0))) await compactCounts(em, kept.list).catch(() => 0);
  return { rows, totalCount: Number(total[0]) };
}

/** The total, where a page beyond the last one was requested. */
async function totalBeyond(em: EntityManager, asked: SqlPart): Promise<Total> {
  const [row] = await askComposed<{ search_total: Total }>(em, asked);
  return row?.search_total ?? ['0'];
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

/** A `from` and a `to` of the same field form a range, the one case where a group means AND. */
const isSpan = (group: readonly SearchFilter[]) =>
  group.length === 2 &&
  group[0]?.field === group[1]?.field &&
  group.some(({ condition }) => condition === 'from') &&
  group.some(({ condition }) => condition === 'to');

const asksMembers = (groups: readonly SearchedGroup[], searchable: Searchable) =>
  groups.some(({ filters }) => filters.some(({ field }) => fieldOf(field, searchable).type === 'set'));

/** A column's name is taken in any case of letters, as in the platform's database. */
const byOwnName =
  ({ fields }: Searchable) =>
  <Named extends { field: string }>(named: Named): Named => {
    const field = named.field.toLowerCase();
    return !Object.hasOwn(fields, named.field) && Object.hasOwn(fields, field) ? { ...named, field } : named;
  };

function fieldOf(name: string, { fields }: Searchable): SearchField {
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (!field) throw invalid('Invalid attribute name: %1', [name.slice(0, 100)]);
  return field;
}

function sortOf({ field: name, direction }: SortOrder, searchable: Searchable): Sort {
  const { column, type, isNullable } = fieldOf(name, searchable);
  const sql = type === 'text' || type === 'sku' ? `lower(${column})` : column;
  const nulls = isNullable ? `nulls ${direction === 'ASC' ? 'first' : 'last'}` : '';
  return { sql, direction: `${direction} ${nulls}`.trim() };
}

/** The primary key, as in the list: `e.entry_id desc`. */
const tieBreakersOf = (order: string): Sort[] =>
  order.split(', ').map((part) => {
    const [sql = part, direction = 'asc'] = part.split(' ');
    return { sql, direction };
  });
