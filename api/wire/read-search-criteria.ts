import { fieldRequired, invalid, invalidValue, type PosError } from '../../domain/errors.ts';
import {
  conditionTypes,
  type ConditionType,
  type EchoedCriteria,
  type SearchCriteria,
  type SearchFilter,
  type SortOrder,
} from '../../domain/platform/search-criteria.ts';
import { plainText } from './plain-text.ts';
import { readInteger } from './read-number.ts';
import { toCamelCase } from './spelling.ts';

/** Reads criteria from an object, with the platform's words for invalid values (platform facts 3). */
export function readSearchCriteria(given: object): SearchCriteria {
  const { filter_groups, sort_orders, page_size, current_page } = keysOf(given, [
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
function keysOf<const Key extends string>(given: object, known: readonly Key[]): Partial<Record<Key, Named>> {
  const found: Partial<Record<Key, Named>> = {};
  for (const [name, value] of Object.entries(given)) {
    const key = known.find((one) => name === one || name === toCamelCase(one));
    if (key === undefined)
      throw invalid('The "%fieldName" field is not known here. Correct its name and try again.', { fieldName: name });
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

function readGroup(given: unknown, groupsName: string): ReadFilter[] {
  if (typeof given !== 'object' || given === null) throw wrongType([groupsName], given, 'array');
  const { filters } = keysOf(given, ['filters']);
  return listOf(filters, [groupsName]).map(({ value }) => readFilter(value, [groupsName, filters?.name ?? '']));
}

function readFilter(given: unknown, path: readonly string[]): ReadFilter {
  if (typeof given !== 'object' || given === null) throw wrongType(path, given, 'array');
  const keys = keysOf(given, ['field', 'value', 'condition_type']);
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
  const given = typeof value === 'string' && !/^\d+$/.test(name) ? { field: name, direction: value } : value;
  if (typeof given !== 'object' || given === null) throw wrongType([sortsName], given, 'array');
  const keys = keysOf(given, ['field', 'direction']);
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
