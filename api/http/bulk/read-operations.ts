import type { IncomingMessage } from 'node:http';
import { invalid } from '../../../domain/errors.ts';
import { isObject } from '../../wire/is-object.ts';
import { readJson } from '../../wire/read-json.ts';
import { checkContentType, decode, readBytes, tooLarge } from '../read-body.ts';

/** Enough for fifty thousand products of 600 bytes. */
const mostBytes = 33_554_432;

/**
 * The operations of a bulk: a JSON list of objects. Refused with: 400 anything else · 413 more than 32 MB.
 */
export async function readOperations(request: IncomingMessage): Promise<Readonly<Record<string, unknown>>[]> {
  const bytes = await readBytes(request, mostBytes);
  if (bytes === 'too_large') throw tooLarge(mostBytes);
  checkContentType(request.headers['content-type']);
  const value = readJson(decode(bytes));
  if (!Array.isArray(value) || !value.every(isObject))
    throw invalid('A bulk is a list of objects, one for each operation.');
  return value;
}
