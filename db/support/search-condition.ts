import { isCalendarDay } from '../../domain/calendar-day.ts';
import { invalidValue } from '../../domain/errors.ts';
import type { ConditionType, SearchFilter } from '../../domain/platform/search-criteria.ts';
import { attributeValue, attributeValues, skuKeyOf } from './columns.ts';
import type { SearchField, SearchType, SqlPart } from './fields.ts';

/** Patterns are matched against every row, so their length and their wildcards are limited. */
const maxPatternLength = 256;
const maxWildcards = 16;

/** 400: a value that the column's type cannot have. */
const wrongValue = ({ field, value }: SearchFilter) => invalidValue(field, (value ?? '').slice(0, 100));

/** `like`, `nlike` and `fulltext`, in any case of letters. */
function pattern(field: SearchField, filter: SearchFilter): SqlPart {
  const input = filter.condition === 'fulltext' ? `%${filter.value ?? ''}%` : (filter.value ?? '');
  // PostgreSQL refuses a pattern that ends within an escape; here a trailing backslash means itself.
  const trailing = /(?<!\\)\\+$/.exec(input)?.[0].length ?? 0;
  const complete = trailing % 2 === 1 ? `${input}\\` : input;
  // An escaped sign is a letter: of `\%%` only the second is a wildcard.
  const signs = /\\.|%+/gs;
  const wildcards = complete.match(signs)?.filter((sign) => sign.startsWith('%')).length ?? 0;
  if (input.length > maxPatternLength || wildcards > maxWildcards) throw wrongValue(filter);
  const whole = complete.replaceAll(signs, (sign) => (sign.startsWith('%') ? '%' : sign));
  const column = textOf(field);
  return { sql: `${column} ${filter.condition === 'nlike' ? 'not ilike' : 'ilike'} ?`, parameters: [whole] };
}

/** A column as its answers show it. */
function textOf({ column, type }: SearchField): string {
  if (type === 'set') return `array_to_string(${column}, ',')`;
  return type === 'timestamp' ? `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS')` : `${column}::text`;
}

/** `finset` and `nfinset`. */
function membership(field: SearchField, { condition, value }: SearchFilter): SqlPart {
  const set = field.type === 'set' ? field.column : `string_to_array(lower(${textOf(field)}), ',')`;
  const sql = `lower(?) = any(${set})`;
  return { sql: condition === 'nfinset' ? `not (${sql})` : sql, parameters: [value ?? ''] };
}

/** Longer ones are no numbers that anybody means. */
const maxLength = 100;
const number = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,20}))?$/i;
/** Powers of ten beyond every column: a larger one finds the same rows. */
const mostTens = 40;
const largestId = 9_223_372_036_854_775_807n;

/** A number as a filter may write it (`5`, `1.50`, `.5`, `1e2`), as digits before and behind the point. */
interface Decimal {
  isNegative: boolean;
  whole: string;
  fraction: string;
}

function readDecimal(text: string): Decimal | undefined {
  const [, sign, whole = '', fraction = '', tens = '0'] = (text.length <= maxLength && number.exec(text.trim())) || [];
  if (sign === undefined || whole + fraction === '') return undefined;
  const shift = Math.max(-mostTens - maxLength, Math.min(mostTens + maxLength, Number(tens)));
  const digits = `${'0'.repeat(Math.max(0, -shift - whole.length))}${whole}${fraction}`;
  const padded = digits.padEnd(whole.length + shift, '0');
  const point = Math.max(0, whole.length + shift);
  return { isNegative: sign === '-', whole: padded.slice(0, point) || '0', fraction: padded.slice(point) };
}

/** The number as PostgreSQL reads it, without a power of ten; undefined when the text is no number. */
function readNumeric(text: string): string | undefined {
  const read = readDecimal(text);
  return read && `${read.isNegative ? '-' : ''}${read.whole}${read.fraction === '' ? '' : `.${read.fraction}`}`;
}

/** The whole numbers on both sides of a number: `1.5` lies between 1 and 2, `2` is both. As text, for a bigint. */
export interface Neighbours {
  floor: string;
  ceiling: string;
  isWhole: boolean;
}

/** Undefined when the text is no number. A number beyond every id is the largest there can be, which nothing has. */
function readNeighbours(text: string): Neighbours | undefined {
  const read = readDecimal(text);
  if (!read) return undefined;
  const isWhole = !/[1-9]/.test(read.fraction);
  const towardsZero = BigInt(read.whole) * (read.isNegative ? -1n : 1n);
  return {
    floor: ofColumn(read.isNegative && !isWhole ? towardsZero - 1n : towardsZero),
    ceiling: ofColumn(read.isNegative || isWhole ? towardsZero : towardsZero + 1n),
    isWhole,
  };
}

const ofColumn = (value: bigint) => String(value > largestId ? largestId : value < -largestId ? -largestId : value);

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
  const values = (type === 'decimal' ? numbersOf(filter) : valuesOf(filter)).map((value) =>
    readValue(type, value, filter),
  );
  if (values.length === 0) return noneOf(field, condition);
  return type === 'set' ? overlap(field, condition, values) : comparison(field, condition, values);
}

/** `seq` and `sneq` take an empty text for null (platform facts 3.2). */
const isNullWord = ({ condition, value }: SearchFilter, requested: ConditionType) =>
  condition === requested && (value === null || value === '');

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

function readValue(type: Exclude<SearchType, 'timestamp' | 'integer'>, value: string, filter: SearchFilter): unknown {
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
  const requested = type === 'code' ? values.flatMap(inEachCase) : values;
  if (field.attribute !== undefined && !isOpposite(condition)) {
    const { attribute } = field;
    const numbers = values.map(() => attributeValue(attribute, '?')).join(', ');
    return {
      sql: `${attributeValues} && array[${numbers}] and ${column} in (${list(values, mark)})`,
      parameters: [...values, ...values],
    };
  }
  return {
    sql: `${column} ${isOpposite(condition) ? 'not in' : 'in'} (${list(requested, mark)})`,
    parameters: requested,
  };
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
