import { z } from 'zod';
import { isCalendarDay } from '../../domain/calendar-day.ts';
import { fieldRequired, invalid, invalidValue, type PosError } from '../../domain/errors.ts';
import { largestId } from '../../domain/ids.ts';
import { divideHalfAway, parseUnits, unitsPerWhole } from '../../domain/money.ts';
import {
  conditionTypes,
  type ConditionType,
  type EchoedCriteria,
  type SearchCriteria,
  type SearchFilter,
  type SortOrder,
} from '../../domain/platform/search-criteria.ts';
import { fieldNotKnown, pageTooLarge } from '../../domain/refusals/platform.ts';
import { toCamelCase } from './read-json.ts';

/**
 * Text as the platform accepts it: numbers and flags too (true is `1`, false is empty); undefined for a nested value.
 */
export function plainText(input: unknown): string | undefined {
  if (typeof input === 'string') return input;
  if (typeof input === 'boolean') return input ? '1' : '';
  return typeof input === 'number' ? String(input) : undefined;
}

/** A stored value of a payment in answers: a nested value becomes JSON text (platform facts 4.3). */
export const informationText = (value: unknown) => (value === null ? '' : (plainText(value) ?? JSON.stringify(value)));

/** The range of an `integer` column; a larger number would cause a database fault. */
export const maxInteger = 2_147_483_647;

const wholeNumber = /^[+-]?\d{1,16}(?:\.0+)?$/;
const anyInteger = /^[+-]?\d{1,64}$/;
const decimal = /^([+-]?)(\d{1,15})(?:\.(\d{1,64}))?$/;

/** Reads a whole number, or its text, within the database's `integer` range. */
export function readInteger(input: unknown): number | undefined {
  const number = readWholeNumber(input);
  return number === undefined || Math.abs(number) > maxInteger ? undefined : number;
}

/** Reads a whole number up to 2^53 - 1, or its text: an id of a record in a body or a query. */
export function readWholeNumber(input: unknown): number | undefined {
  const text = textOf(input);
  if (text === undefined || !wholeNumber.test(text)) return undefined;
  const number = Number(text);
  return Math.abs(number) > largestId ? undefined : number || 0;
}

/** Reads an id from a path; an id beyond the range becomes the largest one, which does not exist. */
export function readId(input: unknown): number | undefined {
  const text = textOf(input);
  if (text === undefined || !anyInteger.test(text)) return undefined;
  return Math.max(-largestId, Math.min(largestId, Number(text))) || 0;
}

/** Reads a decimal of at most four decimals, apart from the noise of doubles, as a count of 1/10 000. */
export function readUnits(input: unknown): number | undefined {
  const text = textOf(input);
  return exactUnits(input) ?? (text === undefined ? undefined : parseUnits(text));
}

/** As `readUnits`, with further decimals rounded half away from zero. */
export function readRoundedUnits(input: unknown): number | undefined {
  const exact = exactUnits(input);
  if (exact !== undefined) return exact;
  const text = readRounded(input, 4);
  return text === undefined ? undefined : parseUnits(text);
}

/** Below it every count of 1/10 000 has a double of its own, so the way back proves that nothing was rounded. */
const mostExactUnits = 1e15;

/** The count of a number with at most four decimals, without writing it as text: nearly every figure is one. */
function exactUnits(input: unknown): number | undefined {
  if (typeof input !== 'number') return undefined;
  const units = Math.round(input * unitsPerWhole);
  return Math.abs(units) < mostExactUnits && units / unitsPerWhole === input ? units || 0 : undefined;
}

/**
 * Reads a decimal and rounds it, half away from zero, to a number of decimals; the result is text without an
 * exponent.
 */
export function readRounded(input: unknown, scale: number): string | undefined {
  // JavaScript writes tiny numbers with an exponent; all of them round to zero.
  if (typeof input === 'number' && Math.abs(input) < 1e-6) return readRounded(input.toFixed(scale + 1), scale);
  const match = decimal.exec(textOf(input) ?? '');
  if (!match) return undefined;
  const [, sign, whole = '', fraction = ''] = match;
  const decimals = fraction.length > scale ? fraction : fraction.padEnd(scale, '0');
  const digits = divideHalfAway(BigInt(whole + decimals), 10n ** BigInt(decimals.length - scale)).toString();
  const padded = digits.padStart(scale + 1, '0');
  const isNegative = sign === '-' && /[1-9]/.test(digits);
  return `${isNegative ? '-' : ''}${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
}

const textOf = (input: unknown) =>
  typeof input === 'string' ? input : typeof input === 'number' ? String(input) : undefined;

/** Reads criteria from an object, with the platform's words for invalid values (platform facts 3). */
export function readSearchCriteria(input: object): SearchCriteria {
  const { filter_groups, sort_orders, page_size, current_page } = keysOf(input, [
    'filter_groups',
    'sort_orders',
    'page_size',
    'current_page',
  ]);
  const groups = listOf(filter_groups, []).map(({ value }) => readGroup(value, filter_groups?.name ?? ''));
  const sorts = listOf(sort_orders, []).map((entry) => readSortOrder(entry, sort_orders?.name ?? ''));
  const pageSize = readNumber(page_size);
  const currentPage = readNumber(current_page);
  return {
    groups: groups.map((group) => group.map(({ filter }) => filter)),
    sortOrders: lastOfEach(sorts),
    pageSize: pageSize !== undefined && pageSize > 0 ? pageSize : undefined,
    currentPage: Math.max(1, currentPage ?? 1),
    echo: {
      filter_groups: groups.map((group) => ({ filters: group.map(({ echo }) => echo) })),
      ...(sort_orders === undefined ? {} : { sort_orders: sorts }),
      ...(pageSize === undefined ? {} : { page_size: pageSize }),
      ...(currentPage === undefined ? {} : { current_page: currentPage }),
    },
  };
}

/** A value and the caller's spelling of its key. */
interface Named {
  name: string;
  value: unknown;
}

/** The known keys of an object in either spelling; null counts as absent. Refused with 400: any other key. */
function keysOf<const Key extends string>(input: object, known: readonly Key[]): Partial<Record<Key, Named>> {
  const found: Partial<Record<Key, Named>> = {};
  for (const [name, value] of Object.entries(input)) {
    const key = known.find((one) => name === one || name === toCamelCase(one));
    if (key === undefined) throw fieldNotKnown({ fieldName: name });
    if (value !== null && value !== undefined) found[key] = { name, value };
  }
  return found;
}

/** Lists come as arrays or, where the caller's indexes have gaps or are words, as objects in order of appearance. */
function listOf(named: Named | undefined, path: readonly string[]): Named[] {
  if (named === undefined) return [];
  if (typeof named.value !== 'object' || named.value === null)
    throw wrongType([...path, named.name], named.value, 'array');
  return Object.entries(named.value).map(([name, value]: [string, unknown]) => ({ name, value }));
}

interface ReadFilter {
  filter: SearchFilter;
  echo: EchoedCriteria['filter_groups'][number]['filters'][number];
}

function readGroup(input: unknown, groupsName: string): ReadFilter[] {
  if (typeof input !== 'object' || input === null) throw wrongType([groupsName], input, 'array');
  const { filters } = keysOf(input, ['filters']);
  return listOf(filters, [groupsName]).map(({ value }) => readFilter(value, [groupsName, filters?.name ?? '']));
}

function readFilter(input: unknown, path: readonly string[]): ReadFilter {
  if (typeof input !== 'object' || input === null) throw wrongType(path, input, 'array');
  const keys = keysOf(input, ['field', 'value', 'condition_type']);
  const field = readText(keys.field, path);
  if (field === undefined) throw fieldRequired('field');
  const value = readText(keys.value, path) ?? null;
  const conditionType = readText(keys.condition_type, path) || 'eq';
  return {
    filter: { field, value, condition: conditionOf(conditionType) },
    echo: { field, value, condition_type: conditionType },
  };
}

/** Callers cannot run regular expressions in our database: our choice. */
function conditionOf(word: string): ConditionType {
  if (word === 'regexp' || word === 'ntoa') throw invalidValue('conditionType', word);
  return conditionTypes.find((one) => one === word) ?? 'eq';
}

/** `sort_orders[email]=ASC` is a field and its direction as well (platform facts 3.3). */
function readSortOrder({ name, value }: Named, sortsName: string): SortOrder {
  const input = typeof value === 'string' && !/^\d+$/.test(name) ? { field: name, direction: value } : value;
  if (typeof input !== 'object' || input === null) throw wrongType([sortsName], input, 'array');
  const keys = keysOf(input, ['field', 'direction']);
  const field = readText(keys.field, [sortsName]);
  if (field === undefined) throw fieldRequired('field');
  if (!/^\w+$/.test(field)) throw invalid('Sort order field %1 contains restricted symbols', [field]);
  // A missing direction means DESC to the platform.
  const direction = (readText(keys.direction, [sortsName]) ?? 'DESC').toUpperCase();
  if (direction === 'ASC' || direction === 'DESC') return { field, direction };
  throw invalid('The sort order has to be specified as %1 for ascending order or %2 for descending order.', [
    'ASC',
    'DESC',
  ]);
}

/** For a field named twice the last direction counts, and it moves to the end (platform facts 3.3). */
function lastOfEach(sorts: readonly SortOrder[]): SortOrder[] {
  const byField = new Map<string, SortOrder>();
  for (const sort of sorts) {
    byField.delete(sort.field);
    byField.set(sort.field, sort);
  }
  return [...byField.values()];
}

function readText(named: Named | undefined, path: readonly string[]): string | undefined {
  if (named === undefined) return undefined;
  const text = plainText(named.value);
  if (text === undefined) throw wrongType([...path, named.name], named.value, 'string');
  return text;
}

function readNumber(named: Named | undefined): number | undefined {
  if (named === undefined) return undefined;
  const number = readInteger(named.value);
  if (number === undefined) throw wrongType([named.name], named.value, 'int');
  return number;
}

/** Rendered with the caller's spelling of the keys (platform facts 3.2). */
function wrongType(path: readonly string[], value: unknown, type: string): PosError {
  const where = path.map((name) => `Error occurred during "${name}" processing. `).join('');
  const shown = plainText(value)?.slice(0, 100) ?? 'array';
  return invalid(
    `${where}The "${shown}" value's type is invalid. The "${type}" type was expected. Verify and try again.`,
  );
}

const echoedFilter = z.object({ field: z.string(), value: z.string().nullable(), condition_type: z.string() });

/** The criteria in a list's answer. */
export const searchCriteriaEcho = z
  .object({
    filter_groups: z.array(z.object({ filters: z.array(echoedFilter) })),
    sort_orders: z.array(z.object({ field: z.string(), direction: z.enum(['ASC', 'DESC']) })).optional(),
    page_size: z.int().optional(),
    current_page: z.int().optional(),
  })
  .meta({ id: 'SearchCriteria' });

/** No criteria: every row. */
export const everything: SearchCriteria = {
  groups: [],
  sortOrders: [],
  pageSize: undefined,
  currentPage: 1,
  echo: { filter_groups: [] },
};

/** What lists of large rows refuse. */
export const tooManyRows = pageTooLarge.because(
  'More rows match than one answer has, and no page size was sent.',
  'Send `searchCriteria[page_size]`, and read page by page.',
);

/** A list of one, as examples show it. */
export const listOfOne = <Item>(item: Item) => ({
  items: [item],
  search_criteria: { filter_groups: [] },
  total_count: 1,
});

/**
 * The `searchCriteria` argument of a list (platform facts 3): `query: z.object({ searchCriteria })`.
 *
 * Refused with 400: absent criteria, a list as a value, an invalid direction or page. Lists that do not need criteria
 * use `searchCriteria.default(everything)`.
 */
export const searchCriteria = z
  .codec(z.custom<object | string>(), z.custom<SearchCriteria>(), {
    decode: (input, context) => {
      if (input !== undefined) return typeof input === 'object' ? readSearchCriteria(input) : everything;
      context.issues.push({ code: 'custom', input: input, params: { type: 'object' } });
      return z.NEVER;
    },
    encode: ({ echo }) => echo,
  })
  .meta({ type: 'object', description: 'filter_groups (AND) of filters (OR), sort_orders, page_size, current_page' });

/** A list's answer (platform facts 3.5). */
export const renderList = <Item>(criteria: SearchCriteria, items: Item[], totalCount: number) => ({
  items,
  search_criteria: criteria.echo,
  total_count: totalCount,
});

/** What the document says of a schema that stands where no schema reads. */
export function documented(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _version, ...shape } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    reused: 'inline',
  });
  return shape;
}

/**
 * An argument that its route reads itself, because it checks something else first or answers in other words. It is
 * documented with its schema, and passed as sent.
 */
export const unread = (schema: z.ZodType) => z.unknown().optional().meta(documented(schema));

const written = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:?\d{2})?)?$/;

/** A moment as the platform writes it: `2026-11-21 09:30:00`, in UTC (platform facts 4.3). Raw rows carry text. */
export function toStockDate(moment: Date | string): string {
  if (typeof moment === 'string' && moment[10] === ' ' && moment.endsWith('+00')) return moment.slice(0, 19);
  return new Date(moment).toISOString().slice(0, 19).replace('T', ' ');
}

/**
 * Reads `YYYY-MM-DD`, `YYYY-MM-DD HH:MM:SS` (UTC) and ISO 8601 with or without an offset.
 *
 * @returns undefined for anything else, for a day the calendar lacks and for years outside 1 to 9999
 */
export function readStockDate(input: unknown): Date | undefined {
  const match = typeof input === 'string' ? written.exec(input) : null;
  if (!match) return undefined;
  const [, day = '', time = '00:00:00', zone = 'Z'] = match;
  const date = new Date(`${day}T${time}${zone}`);
  // 30 February would become a day in March.
  return isCalendarDay(day) && !Number.isNaN(date.getTime()) ? date : undefined;
}
