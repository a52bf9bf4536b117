import { isCalendarDay } from '../../domain/calendar-day.ts';
import type { ConditionType, SearchFilter } from '../../domain/platform/search-criteria.ts';
import { membership, pattern, wrongValue } from './search-pattern.ts';
import { readNeighbours, readNumeric } from './search-number.ts';
import { skuKeyOf } from './sku-sql.ts';
import type { SearchType, SearchField, SqlPart } from './search-field.ts';

/** One filter as SQL with a bound value. Refused with 400: a value that the column's type cannot have. */
export function conditionOf(field: SearchField, filter: SearchFilter): SqlPart {
  const { condition } = filter;
  if (condition === 'null' || isNullWord(filter, 'seq')) return bare(`${field.column} is null`);
  if (condition === 'notnull' || isNullWord(filter, 'sneq')) return bare(`${field.column} is not null`);
  if (condition === 'is') return isCondition(field, filter);
  if (condition === 'like' || condition === 'nlike' || condition === 'fulltext') return pattern(field, filter);
  if (condition === 'finset' || condition === 'nfinset') return membership(field, filter);
  if (field.type === 'timestamp')
    return inSeconds(
      field,
      condition,
      valuesOf(filter).map((value) => readSecond(value, filter)),
    );
  const { type } = field;
  if (type === 'integer') return ofWholeNumbers(field, filter);
  const values = (type === 'decimal' ? numbersOf(filter) : valuesOf(filter)).map((value) => read(type, value, filter));
  if (values.length === 0) return noneOf(field, condition);
  return type === 'set' ? overlap(field, condition, values) : comparison(field, condition, values);
}

/** `seq` and `sneq` take an empty text for null (platform facts 3.2). */
const isNullWord = ({ condition, value }: SearchFilter, wanted: ConditionType) =>
  condition === wanted && (value === null || value === '');

const bare = (sql: string): SqlPart => ({ sql, parameters: [] });

function isCondition({ column }: SearchField, filter: SearchFilter): SqlPart {
  if (/^\s*null\s*$/i.test(filter.value ?? '')) return bare(`${column} is null`);
  if (/^\s*not\s+null\s*$/i.test(filter.value ?? '')) return bare(`${column} is not null`);
  throw wrongValue(filter);
}

/** A list is split at each comma, nothing is trimmed (platform facts 3.2). */
const valuesOf = ({ condition, value }: SearchFilter) =>
  condition === 'in' || condition === 'nin' ? (value ?? '').split(',') : [value ?? ''];

/** An empty piece of a list is no number: clients end a list with a comma, or send an empty one. */
const numbersOf = (filter: SearchFilter) =>
  filter.condition === 'in' || filter.condition === 'nin' ? valuesOf(filter).filter(Boolean) : valuesOf(filter);

/** No row has one of no values, and every row with a value has none of them. */
const noneOf = ({ column }: SearchField, condition: ConditionType): SqlPart =>
  bare(isOpposite(condition) ? `${column} is not null` : 'false');

const moment = /^(\d{4}-\d{2}-\d{2})(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;

function read(type: Exclude<SearchType, 'timestamp' | 'integer'>, value: string, filter: SearchFilter): unknown {
  switch (type) {
    case 'text':
    case 'sku':
    case 'code':
    case 'set':
      return value;
    case 'decimal':
      return numberIn(readNumeric(value), filter);
    case 'boolean':
      return numberIn(readFlag(value), filter);
  }
}

function readFlag(value: string): boolean | undefined {
  if (/^(true|false)$/i.test(value)) return value.toLowerCase() === 'true';
  const number = Number(readNumeric(value) ?? 2);
  return number === 1 || number === 0 ? number === 1 : undefined;
}

function numberIn<Read>(read: Read | undefined, filter: SearchFilter): Read {
  if (read === undefined) throw wrongValue(filter);
  return read;
}

/**
 * Compares whole numbers with any number, as the platform's database does: none is 1.5, and those above it begin at 2.
 * The column stays as it is, so that an index is used.
 */
function ofWholeNumbers(field: SearchField, filter: SearchFilter): SqlPart {
  const { condition } = filter;
  const numbers = numbersOf(filter).map((value) => numberIn(readNeighbours(value), filter));
  if (operators[condition]) {
    const isFromCeiling = condition === 'gteq' || condition === 'from' || condition === 'lt';
    return comparison(
      field,
      condition,
      numbers.map(({ floor, ceiling }) => (isFromCeiling ? ceiling : floor)),
    );
  }
  const whole = numbers.flatMap(({ floor, isWhole }) => (isWhole ? floor : []));
  return whole.length > 0 ? comparison(field, condition, whole) : noneOf(field, condition);
}

/** The second of a time; UTC unless the text has another zone. */
function readSecond(value: string, filter: SearchFilter): Date {
  const hasZone = /(?:Z|[+-]\d{2}:?\d{2})$/.test(value.slice(10));
  const date = new Date(value.length > 10 && !hasZone ? `${value.replace(' ', 'T')}Z` : value);
  // 30 February would become a day in March.
  const [, day = ''] = moment.exec(value) ?? [];
  if (!isCalendarDay(day) || Number.isNaN(date.getTime())) throw wrongValue(filter);
  date.setUTCMilliseconds(0);
  return date;
}

const operators: Partial<Record<ConditionType, string>> = {
  gt: '>',
  gteq: '>=',
  from: '>=',
  lt: '<',
  lteq: '<=',
  to: '<=',
};

/** The casts keep a number that is too large for the column from causing a fault; an index can still be used. */
const marks: Record<Exclude<SearchType, 'set'>, string> = {
  text: 'lower(?)',
  sku: skuKeyOf('?'),
  code: '?',
  integer: '?::bigint',
  decimal: '?::numeric',
  timestamp: '?::timestamptz',
  boolean: '?::boolean',
};

function comparison(field: SearchField, condition: ConditionType, values: readonly unknown[]): SqlPart {
  // A negated filter cannot use an index: it is compared as text, in every spelling.
  const type = field.type === 'code' && isOpposite(condition) ? 'text' : field.type;
  const column = type === 'text' ? `lower(${field.column})` : type === 'sku' ? skuKeyOf(field.column) : field.column;
  const mark = type === 'set' ? '?' : marks[type];
  const operator = operators[condition];
  if (operator) return { sql: `${column} ${operator} ${mark}`, parameters: values };
  const wanted = type === 'code' ? values.flatMap(inEachCase) : values;
  return { sql: `${column} ${isOpposite(condition) ? 'not in' : 'in'} (${list(wanted, mark)})`, parameters: wanted };
}

/** Null is neither equal nor different: rows without a value never match (platform facts 3.2). */
const isOpposite = (condition: ConditionType) => condition === 'neq' || condition === 'sneq' || condition === 'nin';

const inEachCase = (value: unknown) => {
  const text = String(value);
  return [...new Set([text, text.toLowerCase(), text.toUpperCase()])];
};

const list = (values: readonly unknown[], mark: string) => values.map(() => mark).join(', ');

function overlap({ column }: SearchField, condition: ConditionType, values: readonly unknown[]): SqlPart {
  const sql = `${column} && array[${list(values, '?')}]::text[]`;
  return { sql: isOpposite(condition) ? `not (${sql})` : sql, parameters: values };
}

/**
 * Answers have times in whole seconds (platform facts 4.3), so times are compared in whole seconds: a time that was
 * read finds its row. A second is a range of the column, so that a plain index is used.
 */
function inSeconds({ column }: SearchField, condition: ConditionType, seconds: readonly Date[]): SqlPart {
  const from = `${column} >= ${marks.timestamp}`;
  const before = `${column} < ${marks.timestamp}`;
  const moments = meansWholeSecond.has(condition) ? seconds.map(nextSecond) : seconds;
  if (operators[condition]) return { sql: operators[condition].startsWith('>') ? from : before, parameters: moments };
  const ranges = seconds.map(() => `(${from} and ${before})`).join(' or ');
  const parameters = seconds.flatMap((second) => [second, nextSecond(second)]);
  return { sql: isOpposite(condition) ? `not (${ranges})` : ranges, parameters };
}

/** "After" a second and "up to" a second both use the start of the next second. */
const meansWholeSecond: ReadonlySet<ConditionType> = new Set(['gt', 'lteq', 'to']);
const nextSecond = (second: Date) => new Date(second.getTime() + 1_000);
