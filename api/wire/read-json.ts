import { invalid } from '../../domain/errors.ts';

/** Deeper than any document of the interface; PostgreSQL itself gives up at some thousands. */
const maxDepth = 32;

/**
 * Reads JSON that may come from anybody.
 *
 * Refused with 400: what is no JSON, what is nested deeper than 32, and strings PostgreSQL cannot keep (a NUL
 * character, half of a surrogate pair).
 */
export function readJson(text: string): unknown {
  if (isTooDeep(text)) throw invalid('Decoding error.');
  const value = parseJson(text);
  // Both kinds of bad string can only be written as an escape, so most bodies skip the walk.
  if (text.includes('\\u') && !isStorable(value)) throw invalid('Decoding error.');
  return value;
}

/** Whether PostgreSQL can keep this string: no NUL character and no lone surrogate. */
export const isStorableText = (text: string) => !text.includes('\0') && text.isWellFormed();

/** Whatever is JSON. Refused with 400: what is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid('Decoding error.');
  }
}

const quote = 0x22;
const backslash = 0x5c;

/** Counts brackets outside strings before anything is built from them. */
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
