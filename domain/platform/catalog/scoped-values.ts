import { readDayAndTime } from '../../calendar-day.ts';
import { attributeNameNotValid } from '../../refusals/platform.ts';
import { findCountry } from '../directory.ts';
import type { SearchCriteria, SearchFilter } from '../search-criteria.ts';
import { scopeOf, type AttributeScope, type ScopeOf } from './product-attributes.ts';

/** Values of a product that a store view or website sets itself; a missing value is the global one. */
export interface OwnValues {
  name?: string;
  status?: number;
  visibility?: number;
  taxClassId?: number;
  customAttributes?: Record<string, unknown>;
}

/** The key is `s` with a store view's id, or `w` with a website's id. */
export type ScopedValues = Record<string, OwnValues>;

/** Where a value is saved or read; the ids are 0 above all store views. */
export interface ValuePlace {
  storeId: number;
  websiteId: number;
}

export const viewKey = (storeId: number) => `s${storeId}`;
export const websiteKey = (websiteId: number) => `w${websiteId}`;

/** Attributes with a property of their own, and the name of that property. */
const fields = { name: 'name', status: 'status', visibility: 'visibility', taxClassId: 'tax_class_id' } as const;

/** Values to save, by attribute, split by the scope in which they hold. Null removes the scope's own value. */
export type PostedValues = { [Field in keyof typeof fields]?: OwnValues[Field] | null } & {
  customAttributes: Record<string, unknown>;
};

/** The values that hold in one scope; the shop may give its attributes a scope. */
export function valuesIn(
  scope: AttributeScope,
  { customAttributes, ...input }: PostedValues,
  scopeOfCustom: ScopeOf = scopeOf,
): PostedValues {
  const own = Object.entries(input).filter(([name]) => {
    const code = Object.entries(fields).find(([field]) => field === name)?.[1];
    return code !== undefined && scopeOf(code) === scope;
  });
  const custom = Object.entries(customAttributes).filter(([code]) => scopeOfCustom(code) === scope);
  return { ...Object.fromEntries(own), customAttributes: Object.fromEntries(custom) };
}

/** Adds values to a scope's own values; null removes one. */
export function withValues(scoped: ScopedValues, key: string, input: PostedValues): ScopedValues {
  const before = scoped[key] ?? {};
  const custom = Object.entries({ ...before.customAttributes, ...input.customAttributes }).filter(
    ([, value]) => value !== null,
  );
  const { customAttributes: _before, ...others } = before;
  const { customAttributes: _given, ...own } = input;
  const values: OwnValues = {
    ...Object.fromEntries(Object.entries({ ...others, ...own }).filter(([, value]) => value !== null)),
    ...(custom.length === 0 ? {} : { customAttributes: Object.fromEntries(custom) }),
  };
  const { [key]: _place, ...elsewhere } = scoped;
  return Object.keys(values).length === 0 ? elsewhere : { ...elsewhere, [key]: values };
}

/** A place's own special price where it has none, whatever holds above. */
const ended = '';

/**
 * What a save says of the special price where it ends it: an empty own value, where one above would hold on. Other
 * saves say what they said.
 */
export function withEnd<Values extends Record<string, unknown>>(
  input: Values,
  { isOfPlace, inherited }: { isOfPlace: boolean; inherited: Readonly<Record<string, unknown>> },
): Values {
  const { special_price: price } = input;
  if (price !== null && price !== ended) return input;
  return { ...input, special_price: isOfPlace && inherited['special_price'] !== undefined ? ended : null };
}

/** Values as they are shown: a special price that ended is none. */
export function withoutEnded(values: Record<string, unknown>): Record<string, unknown> {
  if (values['special_price'] !== ended) return values;
  const { special_price: _ended, ...others } = values;
  return others;
}

/** A new special price above begins everywhere: an end was one of the price before. */
export const withoutEnds = (scoped: ScopedValues): ScopedValues =>
  Object.fromEntries(
    Object.entries(scoped).map(([key, { customAttributes, ...own }]) => [
      key,
      customAttributes ? { ...own, customAttributes: withoutEnded(customAttributes) } : own,
    ]),
  );

/** A scope's own values of a product: the store view's before the website's; undefined where neither sets any. */
export function ownValuesAt(scoped: ScopedValues, { storeId, websiteId }: ValuePlace): OwnValues | undefined {
  const [website, view] = [scoped[websiteKey(websiteId)], scoped[viewKey(storeId)]];
  if (!website && !view) return undefined;
  return {
    ...website,
    ...view,
    customAttributes: { ...website?.customAttributes, ...view?.customAttributes },
  };
}

/** What a customer's search can be: by words, by attributes, or a category's page. */
export const searchContainers = [
  'quick_search_container',
  'advanced_search_container',
  'catalog_view_container',
] as const;
export type SearchContainer = (typeof searchContainers)[number];

/** A longer search is cut, as in the platform; each sign of it may need an escape in a pattern, which has 256. */
const longestTerm = 127;
const mostWords = 10;

export interface StorefrontSearch {
  /** For the search of products. */
  criteria: SearchCriteria;
  /** In lower case; a product has each of them. */
  words: readonly string[];
}

/** Products that a shop shows in its search, and in its categories. */
const shownIn: Record<SearchContainer, string> = {
  quick_search_container: '3,4',
  advanced_search_container: '3,4',
  catalog_view_container: '2,4',
};

/**
 * A customer's search in the terms of the search of products: enabled ones of the store view's website that are shown.
 * Every filter restricts, whatever its group, as in the platform.
 *
 * Refused with: 400 a field that this container does not have.
 */
export function storefrontSearch(
  container: SearchContainer,
  criteria: SearchCriteria,
  storeId: number,
): StorefrontSearch {
  const request = criteria.groups.flat();
  const words = request.filter(({ field }) => field === 'search_term').flatMap(({ value }) => wordsOf(value ?? ''));
  const filters = request.flatMap((filter) => filterOf(container, filter));
  const visibility = filters.some(({ field }) => field === 'visibility')
    ? []
    : [equal('visibility', shownIn[container], 'in')];
  const shown = [equal('status', '1'), equal('store', String(storeId)), ...visibility];
  return {
    words,
    criteria: { ...criteria, groups: [...words.map(hasWord), ...[...filters, ...shown].map((filter) => [filter])] },
  };
}

const equal = (field: string, value: string | null, condition: SearchFilter['condition'] = 'eq'): SearchFilter => ({
  field,
  value,
  condition,
});

const wordsOf = (term: string): string[] =>
  term.slice(0, longestTerm).toLowerCase().split(/\s+/).filter(Boolean).slice(0, mostWords);

/** In its name or its sku; a barcode is read whole. */
function hasWord(word: string): SearchFilter[] {
  const part = `%${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  return [equal('name', part, 'like'), equal('sku', part, 'like'), equal('barcode', word)];
}

function filterOf(container: SearchContainer, filter: SearchFilter): SearchFilter[] {
  const { field, value, condition } = filter;
  // The second says how a storefront divides prices; there are no such buckets here.
  if (field === 'search_term' || field === 'price_dynamic_algorithm') return [];
  if (field === 'category_ids') return [equal('category_id', value, 'in')];
  if (field === 'price.from') return [equal('price', value, 'gteq')];
  if (field === 'price.to') return [equal('price', value, 'lteq')];
  if (field === 'visibility') return [equal(field, value, 'in')];
  if (container !== 'advanced_search_container') throw attributeNameNotValid([field]);
  return [condition === 'like' && value !== null && !value.includes('%') ? { ...filter, value: `%${value}%` } : filter];
}

/** The platform gives a sku and a name these weights. */
const weights = { sku: 6, name: 5 };

/** How well a product fits: a whole sku or barcode best, then whole words of the name, then parts. */
export function relevanceOf(words: readonly string[], product: { sku: string; name: string; barcode: string }): number {
  const sku = product.sku.toLowerCase();
  const nameWords = product.name.toLowerCase().split(/\s+/);
  const ofWord = (word: string) => {
    const inSku = sku === word || product.barcode.toLowerCase() === word ? 4 : sku.includes(word) ? 1 : 0;
    const inName = nameWords.includes(word) ? 2 : nameWords.some((one) => one.includes(word)) ? 1 : 0;
    return weights.sku * inSku + weights.name * inName;
  };
  return 1 + words.reduce((sum, word) => sum + ofWord(word), 0);
}

/** What the shop demands of the values of an attribute (platform facts 9.1). */
export interface AttributeDemand {
  attributeId: number;
  code: string;
  label: string;
  /** Whether the set of the product has it, and a product needs a value. */
  isRequired: boolean;
  /** Whether one product alone may have a value. */
  isUnique: boolean;
  isInSet: boolean;
  /** What a new product gets where nothing is said; empty: nothing. */
  standard: string;
  /** The types of products that have it; empty: all. */
  appliesTo: readonly string[];
}

type Values = Readonly<Record<string, unknown>>;

export const isEmptyValue = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** The values that a new product gets, because its set has the attribute and nobody said another. */
export function standardValues(demands: readonly AttributeDemand[], input: Values, typeId: string): Values {
  const due = demands.filter(
    (one) =>
      one.isInSet && one.standard !== '' && appliesTo(one, typeId) && (input[one.code] ?? undefined) === undefined,
  );
  return Object.fromEntries(due.map(({ code, standard }) => [code, standard]));
}

/** The first attribute that a product of the type needs and has no value of; `chosen` are what customers choose. */
export const missingValue = (
  demands: readonly AttributeDemand[],
  { values, typeId, chosen }: { values: Values; typeId: string; chosen: ReadonlySet<string> },
): AttributeDemand | undefined =>
  demands.find(
    (one) =>
      one.isRequired &&
      one.standard === '' &&
      appliesTo(one, typeId) &&
      !chosen.has(one.code) &&
      isEmptyValue(values[one.code]),
  );

const appliesTo = ({ appliesTo: types }: AttributeDemand, typeId: string) =>
  types.length === 0 || types.includes(typeId);

/** Choices that the platform itself makes; those of a tax class and of countries are elsewhere. */
const ownChoices: Readonly<Record<string, readonly string[]>> = {
  status: ['0', '1', '2'],
  visibility: ['1', '2', '3', '4'],
  gift_message_available: ['0', '1', '2'],
};

/** Lists that the platform counts among its texts. */
const listed: ReadonlySet<string> = new Set(['category_ids', 'tier_price', 'sku']);

/** Codes of numbers that a scanner reads. Excel cuts a long one off: `1.23457E+12` is no number that it reads. */
const scanned = /(?:^|_)(?:barcode|ean|gtin|upc|isbn)(?:_|\d|$)/;
const cutOff = /^[+-]?\d(?:[.,]\d+)?E[+-]?\d+$/i;

/** Whether a spreadsheet cut off the digits of such a number. */
export const isCutOff = (code: string, text: string): boolean => scanned.test(code) && cutOff.test(text.trim());

/** As many digits before the point as a price can have. */
const price = /^\s*\d{1,11}(?:\.\d{1,60})?\s*$/;

/**
 * A value as its attribute keeps it (platform facts 9.1). Nothing is a value of every attribute.
 *
 * @returns undefined: it cannot be read, so it means nothing
 */
export function typedValue({ code, input }: { code: string; input: string }, value: unknown): unknown {
  if (isEmptyValue(value)) return value;
  const choices = ownChoices[code];
  if (choices) return choices.includes(textOf(value) ?? '') ? value : undefined;
  if (code === 'country_of_manufacture') return findCountry(textOf(value) ?? '') ? value : undefined;
  switch (input) {
    case 'date':
    case 'datetime':
      return readDayAndTime(textOf(value)?.trim() ?? '');
    case 'boolean':
      return readFlag(textOf(value)?.trim().toLowerCase());
    case 'price':
    case 'weight':
      return price.test(textOf(value) ?? '') ? value : undefined;
    case 'text':
    case 'textarea':
    case 'texteditor':
      if (typeof value === 'object') return listed.has(code) ? value : undefined;
      return isCutOff(code, textOf(value) ?? '') ? undefined : value;
    default:
      return value;
  }
}

function readFlag(text: string | undefined): string | undefined {
  if (text === '1' || text === 'true' || text === 'yes') return '1';
  return text === '0' || text === 'false' || text === 'no' ? '0' : undefined;
}

/** Undefined for a list or an object. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}
