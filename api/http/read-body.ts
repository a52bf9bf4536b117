import type { IncomingMessage } from 'node:http';
import { invalid, PosError } from '../../domain/errors.ts';
import { isObject } from '../wire/is-object.ts';
import { parseJson, readJson } from '../wire/read-json.ts';
import type { Caller } from './route.ts';

/** The largest accepted body. A receipt of a hundred lines is a tenth of it. */
export const maxBodyBytes = 1_048_576;

/** The largest from callers whom nobody let in: guests, and customers, who open their accounts themselves. */
export const maxStrangersBytes = 65_536;

const contentType = /^([a-z\d/\-+.]+)(?:; *charset=(.+))?$/i;
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

interface BodyLimits {
  takesAnyJson?: boolean;
  mostBytes?: number;
  largestBody?: number;
}

/** A stranger's body is small, whatever the route takes from others: some hundred of them may be slow at a time. */
export const limitsFor = (limits: BodyLimits, { userType }: Pick<Caller, 'userType'>): BodyLimits =>
  userType === 'guest' || userType === 'customer'
    ? { ...limits, largestBody: Math.min(limits.largestBody ?? maxBodyBytes, maxStrangersBytes) }
    : limits;

/**
 * The JSON object of a request's body; an absent body is an empty one (platform facts 2.3).
 *
 * Refused with: 400 a content type that is not JSON in UTF-8, or no JSON · 413 more than 1 MB, or than the route takes.
 *
 * @param takesAnyJson also accepts JSON that PostgreSQL cannot store, because of its depth or characters
 * @param mostBytes for a route that refuses no body: a larger one counts as empty
 */
export async function readBody(
  request: IncomingMessage,
  { takesAnyJson = false, mostBytes, largestBody = maxBodyBytes }: BodyLimits = {},
): Promise<Readonly<Record<string, unknown>>> {
  const bytes = await readBytes(request, mostBytes ?? largestBody);
  if (bytes === 'too_large' && mostBytes === undefined) throw tooLarge(largestBody);
  if (bytes === 'too_large' || bytes.length === 0) return {};
  checkContentType(request.headers['content-type']);
  const value = takesAnyJson ? parseJson(decode(bytes)) : readJson(decode(bytes));
  return isObject(value) ? value : {};
}

/** The bytes of a body, or that there are too many; the rest is read and dropped. */
export async function readBytes(request: IncomingMessage, most: number): Promise<Uint8Array | 'too_large'> {
  if (Number(request.headers['content-length'] ?? 0) > most) {
    request.resume();
    return 'too_large';
  }
  const chunks: Buffer[] = [];
  let length = 0;
  return new Promise((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > most) {
        request.removeAllListeners('data');
        request.resume();
        resolve('too_large');
      } else chunks.push(chunk);
    });
    request.once('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    request.once('error', () => reject(invalid('Decoding error.')));
    request.once('aborted', () => reject(invalid('Decoding error.')));
  });
}

/** Refused with 413: more bytes than are taken. */
export const tooLarge = (most: number) =>
  new PosError({
    status: 413,
    message: 'The request body must not be larger than %1 bytes.',
    parameters: [most],
  });

/** Refused with 400: anything but JSON in UTF-8. */
export function checkContentType(header: string | undefined): void {
  if (header === 'application/json') return;
  if (!header) throw invalid('Content-Type header is empty.');
  const match = contentType.exec(header);
  if (!match) throw invalid('Content-Type header is invalid.');
  const [, type = '', charset] = match;
  if (charset !== undefined && charset.trim().toLowerCase() !== 'utf-8')
    throw invalid('UTF-8 is the only supported charset.');
  if (type.toLowerCase() !== 'application/json')
    throw invalid(`Server cannot understand Content-Type HTTP header media type ${type}`);
}

/** Text of UTF-8. Refused with 400: bytes that are not UTF-8. */
export function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw invalid('Decoding error.');
  }
}
