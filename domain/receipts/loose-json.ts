import { parseAmount, type Amount } from '../money/amount.ts';
import { parseQuantity, type Quantity } from '../money/quantity.ts';

/** An object in a register's document: each member's type must be checked before use. */
export type Section = Readonly<Record<string, unknown>>;

/** The longest text of one field on a receipt; a longer text ends in an ellipsis. */
const longestText = 2_000;
/** The most rows read from one list. */
const mostRows = 2_000;

/** A parsed JSON text; undefined where it is not JSON. */
export function parseLoosely(text: string | null | undefined): unknown {
  if (!text) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

export const isSection = (value: unknown): value is Section =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const sectionOf = (value: unknown): Section => (isSection(value) ? value : {});

/** The first objects of a list, up to a maximum; undefined where there is no list. A text is parsed as JSON. */
export function rowsOf(value: unknown, most: number = mostRows): readonly Section[] | undefined {
  const list = typeof value === 'string' ? parseLoosely(value) : value;
  return Array.isArray(list) ? list.slice(0, most).filter(isSection) : undefined;
}

/** The first of some members that holds readable text. */
export function textAt(section: Section, ...keys: readonly string[]): string | null {
  for (const key of keys) {
    const text = shown(own(section, key));
    if (text !== null) return text;
  }
  return null;
}

/** A text prepared for display; null where nothing can be displayed. */
export function shown(value: unknown): string | null {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  if (typeof value !== 'string' || value.trim() === '') return null;
  return value.length > longestText ? `${value.slice(0, longestText).trimEnd()}…` : value.trim();
}

export const amountAt = (section: Section, ...keys: readonly string[]): Amount | null =>
  firstOf(section, keys, parseAmount);

export const quantityAt = (section: Section, ...keys: readonly string[]): Quantity | null =>
  firstOf(section, keys, parseQuantity);

/**
 * A moment in ISO 8601; null for anything else. A date without a time counts as its noon, so it is the same day in
 * almost every time zone.
 */
export function momentAt(section: Section, ...keys: readonly string[]): Date | null {
  const text = textAt(section, ...keys);
  if (text === null || !/^\d{4}-\d{2}-\d{2}/.test(text)) return null;
  const moment = new Date(text.length === 10 ? `${text}T12:00:00Z` : text);
  return Number.isNaN(moment.getTime()) ? null : moment;
}

function firstOf<Value>(
  section: Section,
  keys: readonly string[],
  parse: (text: string) => Value | undefined,
): Value | null {
  for (const key of keys) {
    const value = own(section, key);
    if (typeof value !== 'number' && typeof value !== 'string') continue;
    const parsed = parse(String(value));
    if (parsed !== undefined) return parsed;
  }
  return null;
}

/** Only own members, never inherited ones. */
const own = (section: Section, key: string): unknown => (Object.hasOwn(section, key) ? section[key] : undefined);
