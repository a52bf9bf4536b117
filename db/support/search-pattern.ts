import { invalidValue } from '../../domain/errors.ts';
import type { SearchFilter } from '../../domain/platform/search-criteria.ts';
import type { SearchField, SqlPart } from './search-field.ts';

/** Patterns are matched against every row, so their length and their wildcards are limited. */
const maxPatternLength = 256;
const maxWildcards = 16;

/** 400: a value that the column's type cannot have. */
export const wrongValue = ({ field, value }: SearchFilter) => invalidValue(field, (value ?? '').slice(0, 100));

/** `like`, `nlike` and `fulltext`, in any case of letters. */
export function pattern(field: SearchField, filter: SearchFilter): SqlPart {
  const given = filter.condition === 'fulltext' ? `%${filter.value ?? ''}%` : (filter.value ?? '');
  // PostgreSQL refuses a pattern that ends within an escape; here a trailing backslash means itself.
  const trailing = /(?<!\\)\\+$/.exec(given)?.[0].length ?? 0;
  const complete = trailing % 2 === 1 ? `${given}\\` : given;
  // An escaped sign is a letter: of `\%%` only the second is a wildcard.
  const signs = /\\.|%+/gs;
  const wildcards = complete.match(signs)?.filter((sign) => sign.startsWith('%')).length ?? 0;
  if (given.length > maxPatternLength || wildcards > maxWildcards) throw wrongValue(filter);
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
export function membership(field: SearchField, { condition, value }: SearchFilter): SqlPart {
  const set = field.type === 'set' ? field.column : `string_to_array(lower(${textOf(field)}), ',')`;
  const sql = `lower(?) = any(${set})`;
  return { sql: condition === 'nfinset' ? `not (${sql})` : sql, parameters: [value ?? ''] };
}
