import type { EntityManager } from '@mikro-orm/postgresql';
import type { SearchFilter } from '../../domain/platform/search-criteria.ts';
import { cutSpan, type CutSpan, type Span } from '../../domain/platform/time-buckets.ts';
import { askComposed, numbered } from './composed.ts';
import type { CountedList, Grain } from './counted-list.ts';
import { variesMark } from './name-statements.ts';
import type { SqlPart } from './fields.ts';

/** A group of filters with its SQL. */
export interface SearchedGroup extends SqlPart {
  filters: readonly SearchFilter[];
  /** Both its filters must hold, as the ends of a range; otherwise any of them. */
  isRange: boolean;
}

export interface KnownCount {
  /** SQL of the exact number of rows: the known counts, and the rows still to count. `where` is the whole condition. */
  totalOf: (where: string) => string;
  /** No row below this key matches. */
  firstKey: bigint;
  /** So many rows are uncounted that they should be counted. */
  isLong: boolean;
}

/** So many rows are counted in a few milliseconds. */
const mostUncounted = 10_000n;

/**
 * How many rows match, as far as the counts of `countGrowing` tell. Rows still to count: those since the last run,
 * and those in the hours (or days, with ids) where a time range begins and ends.
 *
 * @returns undefined where the counts cannot tell: filters on other columns, a time filter that is not a range, or
 * one in a group with other filters
 */
export async function knownCount(
  em: EntityManager,
  list: CountedList,
  groups: readonly SearchedGroup[],
): Promise<KnownCount | undefined> {
  const spans = groups.map((group) => spanOf(group, (field) => field === list.moment));
  const others = groups.filter((_, at) => spans[at] === undefined);
  const fields = new Set(others.flatMap(({ filters }) => filters.map(({ field }) => field)));
  const grain = list.grains.find(({ columns }) => [...fields].every((field) => columns.includes(field)));
  if (!grain) return undefined;
  const cut = cutSpan(meet(spans.filter((span) => span !== undefined)), grain.sizes);
  const [row] = await askComposed<KnownRow>(em, numbered(knownSql({ list, grain, cut, others })));
  return row && readKnown(list, cut, row);
}

const lower = new Set(['gt', 'gteq', 'from']);
const upper = new Set(['lt', 'lteq', 'to']);

/** The time range of a group, if the group asks for nothing else; each end is the single value of its filter. */
export function spanOf(
  { filters, parameters, isRange }: SearchedGroup,
  isMoment: (field: string) => boolean,
): Span | undefined {
  const spans = filters.map(({ field, condition }, at): Span | undefined => {
    const input = parameters[at];
    if (!isMoment(field) || !(input instanceof Date)) return undefined;
    if (lower.has(condition)) return { from: input };
    return upper.has(condition) ? { to: input } : undefined;
  });
  const [one, other] = spans;
  if (spans.length === 1) return one;
  return one && other && isRange ? { ...one, ...other } : undefined;
}

/** The time that lies in all of them. */
export const meet = (spans: readonly Span[]): Span => ({
  from: spans.map(({ from }) => from).reduce((one, other) => (!one || (other && other > one) ? other : one), undefined),
  to: spans.map(({ to }) => to).reduce((one, other) => (!one || (other && other < one) ? other : one), undefined),
});

interface Asking {
  list: CountedList;
  grain: Grain;
  cut: CutSpan;
  others: readonly SqlPart[];
}

/** One row: the counts of each run of buckets, and the keys of the rows at each end. */
function knownSql({ list, grain, cut, others }: Asking): SqlPart {
  const [finest = 'hour'] = grain.sizes;
  const absent = [...list.ids, ...list.words].filter((column) => !grain.columns.includes(column));
  const kind = [
    `grain = '${grain.name}'`,
    ...absent.map((column) => `${column} is null`),
    ...others.map(({ sql }) => `(${sql})`),
  ].join(' and ');
  const parts = [...cut.runs, ...cut.edges.map((edge) => ({ ...edge, size: finest }))].map(
    ({ size, from, to }) => `
      select coalesce(sum(counted), 0) as counted, min(least_key) as least_key, max(greatest_key) as greatest_key
      from ${list.counts} where ${[`size = '${size}'`, kind, ...within('bucket', { from, to })].join(' and ')}`,
  );
  const parameters = parts.flatMap(() => others.flatMap((other) => other.parameters));
  return {
    sql: `${variesMark} select coalesce((select up_to from pos_growing_count where counted_table = '${list.table}'), 0) as up_to,
        coalesce((select max(${list.key}) from ${list.table}), 0) as last_key,
        array[${parts.map((_, at) => `p${at}.counted`).join(', ')}]::bigint[]::text[] as counted,
        array[${parts.map((_, at) => `p${at}.least_key`).join(', ')}]::bigint[]::text[] as least_keys,
        array[${parts.map((_, at) => `p${at}.greatest_key`).join(', ')}]::bigint[]::text[] as greatest_keys
      from ${parts.map((part, at) => `(${part}) as p${at}`).join(', ')}`,
    parameters,
  };
}

/** SQL: whether a column lies in a time. */
export const within = (column: string, { from, to }: Span, sqlOf: (moment: Date) => string = momentSql): string[] => [
  ...(from ? [`${column} >= ${sqlOf(from)}`] : []),
  ...(to ? [`${column} < ${sqlOf(to)}`] : []),
];

/** A moment as SQL, of any year. */
export const momentSql = (moment: Date) => `to_timestamp(${moment.getTime() / 1000})`;

interface KnownRow {
  up_to: string;
  last_key: string;
  counted: string[];
  least_keys: (string | null)[];
  greatest_keys: (string | null)[];
}

function readKnown({ table, key, moment }: CountedList, { runs, edges }: CutSpan, row: KnownRow): KnownCount {
  const upTo = BigInt(row.up_to);
  const sum = row.counted.slice(0, runs.length).reduce((total, one) => total + BigInt(one), 0n);
  const left = [[`${key} > ${upTo}`]];
  for (const [at, edge] of edges.entries()) {
    const [least, greatest] = [row.least_keys[runs.length + at], row.greatest_keys[runs.length + at]];
    if (least && greatest) left.push([`${key} between ${least} and ${greatest}`, ...within(moment, edge)]);
  }
  const firstKeys = row.least_keys.filter((one) => one !== null).map(BigInt);
  return {
    totalOf: (where) => {
      const start = where === '' ? 'where' : `${where} and`;
      const counts = left.map((part) => `(select count(*) from ${table} ${start} ${part.join(' and ')})`);
      return `(${[String(sum), ...counts].join(' + ')})`;
    },
    firstKey: firstKeys.reduce((one, other) => (other < one ? other : one), upTo + 1n),
    isLong: BigInt(row.last_key) - upTo > mostUncounted,
  };
}
