import type { KnownCount } from './known-count.ts';

/** Rows of a list, in SQL. */
export interface Listed {
  /** The text after `from`: one table, or several joined one to one, so that each row is one record. */
  table: string;
  /** The text after `select`. */
  columns: string;
  /** The default order, and the tie-breaker of every other: the primary key. */
  order: string;
  /** The key of one row, where it differs from `order`. */
  key?: string;
}

export interface Sort {
  sql: string;
  /** `DESC`, and where the nulls go. */
  direction: string;
}

export interface Page {
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

/** So many matching rows are sorted in a few milliseconds; with more, an index in their order is used. */
const mostSorted = 20_000;

/**
 * One page, found by its keys: what a row shows, such as an order with its lines, is computed only for the page.
 *
 * Where the total is not stored, the matching keys are collected first, up to a limit. Otherwise the database would
 * follow the primary key to the first matches, and where all of them are new it would read the whole table.
 *
 * @param kept SQL of the total where it is stored, and whether the filter asks for members of a set. The database has
 * no idea of their number, so the stored total decides whether the matching keys are collected.
 */
export function pageOf(page: Page, kept: { total: string; asksMembers: boolean } | undefined): PageSql {
  const { searchable, where } = page;
  const { table, columns, order, key = order } = searchable;
  const counted = kept?.total ?? `array[(select count(*) from ${table} ${where})]`;
  // The first rows of all, in the order of their keys: only the shown rows are computed.
  if (where === '' && page.sorts.length === 1 && page.offset === 0) {
    return {
      rowsSql: `select ${columns}, ${counted} as search_total from ${table} ${endOf(page)}`,
      totalSql: totalOf(counted),
    };
  }
  if ((kept && !kept.asksMembers) || where === '' || key.includes(',')) {
    return { rowsSql: rowsOf(page, { total: counted, picked: pickedBy(page) }), totalSql: totalOf(counted) };
  }
  const before = gather(page, kept?.total);
  const known = '(select total from few)';
  const total = kept ? known : `case when ${areFew} then ${known} else ${counted} end`;
  const keys = `case when ${areFew} then array(${gatheredKeys(page)}) else array(${keysOf(page)}) end`;
  const rows = rowsOf(page, { total, picked: `${key} = any(${keys})` });
  return { rowsSql: `${before} ${rows}`, totalSql: `${before} ${totalOf(total)}` };
}

/** A page of a growing list; in the order of its keys the search starts at the first key that can match. */
export function knownPage(page: Page, known: KnownCount, isByKey: boolean): PageSql {
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

const areFew = `(select total[1] <= ${mostSorted} from few)`;
const sortName = (at: number) => `sort_${at}`;

/**
 * The matching keys with their sort values, and their number, unless it is known; one more than the sort limit shows
 * that there are more.
 */
function gather({ searchable: { table, order, key = order }, where, sorts }: Page, known: string | undefined): string {
  const sorted = sorts.map(({ sql }, at) => `${sql} as ${sortName(at)}`).join(', ');
  return `with found as materialized (select ${key} as found_key, ${sorted} from ${table} ${where} limit ${mostSorted + 1}),
    few as materialized (select ${known ?? 'array[(select count(*) from found)]'} as total)`;
}

const gatheredKeys = ({ sorts, limit, offset }: Page) =>
  `select found_key from found order by ${sortingOf(sorts.map(({ direction }, at) => ({ sql: sortName(at), direction })))}
    limit ${limit} offset ${offset}`;
