import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { decodingError } from '../../domain/refusals/platform.ts';
import { isStorableText } from '../../domain/storable-text.ts';

/** Deeper than any document of the interface; PostgreSQL itself fails at a few thousand levels. */
const maxDepth = 32;

/**
 * Reads JSON from any caller.
 *
 * Refused with 400: invalid JSON, nesting deeper than 32, and strings that PostgreSQL cannot store (a NUL character,
 * half of a surrogate pair).
 */
export function readJson(text: string): unknown {
  if (isTooDeep(text)) throw decodingError();
  return readShallow(text);
}

/** The same of a text whose depth was looked at. */
function readShallow(text: string): unknown {
  const value = parseJson(text);
  // Both kinds of bad strings can only be written as an escape, so most bodies need no check.
  if (text.includes('\\u') && !isStorable(value)) throw decodingError();
  return value;
}

/** Any JSON value. Refused with 400: invalid JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw decodingError();
  }
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [listStart, listEnd, objectStart, objectEnd] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Counts brackets outside strings before anything is parsed. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isInString) {
      if (code === backslash) at++;
      else if (code === quote) isInString = false;
    } else if (code === quote) isInString = true;
    else if (code === objectStart || code === listStart) {
      if (++depth > maxDepth) return true;
    } else if (code === objectEnd || code === listEnd) depth--;
  }
  return false;
}

/** Characters parsed before other requests get their turn: a few milliseconds. A shorter text is read at once. */
const parsedAtOnce = 65_536;
/** Characters looked through before other requests get their turn. */
const lookedAtOnce = 262_144;

/**
 * Reads a text of any length: of a long one the longest list is parsed in pieces, so that other requests go on
 * meanwhile. The result, and what is refused, is that of `readJson`; with `takesAnyJson`, that of `parseJson`.
 */
export async function readLongJson(text: string, { takesAnyJson = false } = {}): Promise<unknown> {
  const found = text.length > parsedAtOnce && (await longestList(text, takesAnyJson ? Infinity : maxDepth));
  if (!found) return takesAnyJson ? parseJson(text) : readJson(text);
  const read = takesAnyJson ? parseJson : readShallow;
  const { start, end, cuts } = found;
  const rest = text.slice(end + 1);
  // A list is no key: what stands in for it would be one.
  if (/^[ \t\n\r]*:/.test(rest)) throw decodingError();
  const standIn = randomUUID();
  const frame = read(`${text.slice(0, start)}"${standIn}"${rest}`);
  const list: unknown[] = [];
  let from = start + 1;
  for (const to of [...cuts, end]) {
    const piece = text.slice(from, to);
    // Nothing stands after a comma, or before one.
    if (/^[ \t\n\r]*$/.test(piece)) throw decodingError();
    const part = read(`[${piece}]`);
    if (Array.isArray(part)) for (const one of part) list.push(one);
    from = to + 1;
    await setImmediate();
  }
  return withList(frame, standIn, list);
}

/** The value with the list in place of what stands in for it. A key that was sent twice may have taken that away. */
function withList(value: unknown, standIn: string, list: unknown[]): unknown {
  if (value === standIn) return list;
  if (typeof value !== 'object' || value === null) return value;
  for (const [key, inner] of Object.entries(value)) {
    const put = withList(inner, standIn, list);
    // As JSON does it: `__proto__` is a key like any other.
    if (put !== inner)
      Object.defineProperty(value, key, { value: put, writable: true, enumerable: true, configurable: true });
  }
  return value;
}

interface LongList {
  start: number;
  end: number;
  /** Commas of the list itself at which it is cut. */
  cuts: readonly number[];
}

/**
 * The longest list of a text that can be cut; undefined: there is none, or the brackets of the text do not fit each
 * other, which is refused by whoever parses it. Refused with 400: deeper than `most`.
 */
async function longestList(text: string, most: number): Promise<LongList | undefined> {
  /** Of what is open: where it begins, where its last piece does, and its cuts. */
  const open: { isList: boolean; start: number; from: number; cuts: number[] | undefined }[] = [];
  let longest: LongList | undefined;
  let top: (typeof open)[number] | undefined;
  let isInString = false;
  for (let at = 0; at < text.length; at++) {
    if (at % lookedAtOnce === lookedAtOnce - 1) await setImmediate();
    const code = text.charCodeAt(at);
    if (isInString) {
      if (code === backslash) at++;
      else if (code === quote) isInString = false;
    } else if (code === quote) isInString = true;
    else if (code === comma) {
      if (!top?.isList || at - top.from < parsedAtOnce) continue;
      (top.cuts ??= []).push(at);
      top.from = at;
    } else if (code === listStart || code === objectStart) {
      if (open.length >= most) throw decodingError();
      open.push((top = { isList: code === listStart, start: at, from: at, cuts: undefined }));
    } else if (code === listEnd || code === objectEnd) {
      if (top?.isList !== (code === listEnd)) return undefined;
      const { start, cuts } = top;
      if (cuts && (!longest || at - start > longest.end - longest.start)) longest = { start, end: at, cuts };
      open.pop();
      top = open.at(-1);
    }
  }
  return open.length === 0 && !isInString ? longest : undefined;
}

function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return isStorableText(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, inner]) => isStorableText(key) && isStorable(inner));
}

/** Whether a value of JSON is an object: neither a list, nor null. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** `order_item_id` → `orderItemId`: the name an argument has in the interface. */
export const toCamelCase = (name: string) =>
  name.replace(/(?<!_)_+([a-zA-Z0-9])/g, (_, next: string) => next.toUpperCase());

/** `orderItemId` → `order_item_id`; digits stay glued, as in `cc_last4` (platform facts 4.3). */
export const toSnakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Every spelling that a caller may use for a key; the camelCase one wins where both are sent (platform facts 4.2). */
export const spellingsOf = (name: string): readonly string[] => [
  ...new Set([toCamelCase(name), toSnakeCase(name), name]),
];
