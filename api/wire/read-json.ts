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

const quote = 0x22;
const backslash = 0x5c;

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
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > maxDepth) return true;
    } else if (code === 0x7d || code === 0x5d) depth--;
  }
  return false;
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
