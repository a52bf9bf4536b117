import { setImmediate } from 'node:timers/promises';
import { invalid } from '../../../domain/errors.ts';
import { readJson } from '../../wire/read-json.ts';

/** Characters parsed before other requests get their turn: a few milliseconds. */
const atOnce = 65_536;

const [quote, backslash, comma, listEnd] = [0x22, 0x5c, 0x2c, 0x5d];
/** JSON knows only these. */
const blank = /^[ \t\n\r]*$/;
const opens = new Set([0x5b, 0x7b]);
const closes = new Set([listEnd, 0x7d]);

/**
 * Reads a JSON list in pieces, so that other requests go on meanwhile. The result, and what is refused, is what
 * `readJson` gives for the whole text.
 *
 * Undefined: it is no list. Refused with 400 as `readJson` refuses.
 */
export async function readList(text: string): Promise<unknown[] | undefined> {
  const start = /^[ \t\n\r]*\[/.exec(text)?.[0].length;
  if (start === undefined) return undefined;
  const list: unknown[] = [];
  let from = start;
  for (const to of piecesOf(text, start)) {
    const piece = text.slice(from, to);
    // Nothing stands after a comma, or before one.
    if (from > start && blank.test(piece)) throw invalid('Decoding error.');
    const read = readJson(`[${piece}]`);
    if (Array.isArray(read)) for (const one of read) list.push(one);
    from = to + 1;
    await setImmediate();
  }
  if (!blank.test(text.slice(from))) throw invalid('Decoding error.');
  return list;
}

/** Where each piece ends: at a comma of the list itself, or at the list's end. */
function* piecesOf(text: string, start: number): Generator<number> {
  let depth = 0;
  let isInString = false;
  let from = start;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isInString) {
      if (code === backslash) at++;
      else if (code === quote) isInString = false;
    } else if (code === quote) isInString = true;
    else if (opens.has(code)) depth++;
    else if (closes.has(code)) {
      if (depth > 0) depth--;
      else if (code === listEnd) return yield at;
      else break;
    } else if (code === comma && depth === 0 && at - from >= atOnce) {
      yield at;
      from = at + 1;
    }
  }
  throw invalid('Decoding error.');
}
