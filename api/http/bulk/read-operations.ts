import type { Context } from 'koa';
import { invalid } from '../../../domain/errors.ts';
import { isObject } from '../../wire/is-object.ts';
import { readJson } from '../../wire/read-json.ts';
import { maxBodyBytes } from '../middleware/body.ts';
import { checkContentType, decode, readBytes, tooLarge } from '../read-bytes.ts';
import { readList } from './read-list.ts';

/** Enough for fifty thousand products of 600 bytes. */
const mostBytes = 33_554_432;

/**
 * The operations of a bulk: a JSON list of objects. Refused with: 400 anything else · 413 more than 32 MB.
 */
export async function readOperations(ctx: Context): Promise<Readonly<Record<string, unknown>>[]> {
  const bytes = await readBytes(ctx, mostBytes);
  if (bytes === 'too_large') throw tooLarge(mostBytes);
  checkContentType(ctx.req.headers['content-type']);
  const text = decode(bytes);
  const list = await readList(text);
  // What is no list is refused in any case: a large one is not parsed for that.
  if (!list && text.length <= maxBodyBytes) readJson(text);
  if (!list?.every(isObject)) throw invalid('A bulk is a list of objects, one for each operation.');
  return list;
}
