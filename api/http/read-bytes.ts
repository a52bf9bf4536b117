import { setImmediate } from 'node:timers/promises';
import type { Context, Middleware } from 'koa';
import { HttpMethodEnum, koaBody } from 'koa-body';
import { invalid, PosError } from '../../domain/errors.ts';
import { decodingError } from '../../domain/refusals/platform.ts';

const nothing = Buffer.alloc(0);
const isRead = async () => undefined;

/**
 * The bytes of a body, read by `koa-body`. It reads none of a type that is missing or malformed: then there are none.
 *
 * Its bytes are held from a budget of the process until the request is answered.
 *
 * Refused with: 400 a body that breaks off, or is compressed · 503 the bodies of other requests take all the memory.
 *
 * @param most the bytes that are taken; of a larger body all is dropped
 */
export async function readBytes(ctx: Context, most: number): Promise<Uint8Array | 'too_large'> {
  if (!hasBody(ctx)) return nothing;
  const { headers } = ctx.req;
  if (Number(headers['content-length'] ?? 0) > most) {
    ctx.req.resume();
    return 'too_large';
  }
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') throw decodingError();
  await holdBody(ctx, () => readerOf(most)(ctx, isRead));
  const read: unknown = ctx.request.body;
  return read === 'too_large' || read instanceof Uint8Array ? read : nothing;
}

/**
 * Holds what a body takes: what it announces before it is read, and of one in chunks each chunk as it comes. One that
 * finds no room is read no further.
 */
async function holdBody(ctx: Context, read: () => Promise<unknown>): Promise<void> {
  const { req, res, state } = ctx;
  const { bodies } = state;
  if (bodies === undefined) return void (await read());
  let held = 0;
  const hold = (bytes: number) => {
    bodies.hold(bytes);
    held += bytes;
  };
  res.once('close', () => bodies.release(held));
  const announced = Number(req.headers['content-length'] ?? Number.NaN);
  if (!Number.isNaN(announced)) {
    try {
      hold(announced);
    } catch (error) {
      refuseRest(ctx);
      throw error;
    }
    return void (await read());
  }
  await holdingChunks(ctx, hold, read);
}

/** Holds each chunk as it comes. What finds no room is refused immediately, and nothing more of it is stored. */
async function holdingChunks(ctx: Context, hold: (bytes: number) => void, read: () => Promise<unknown>): Promise<void> {
  const { req } = ctx;
  let refuse: (error: unknown) => void = () => undefined;
  const refused = new Promise<never>((_resolve, reject) => (refuse = reject));
  refused.catch(() => undefined);
  const holdChunk = (chunk: Buffer) => {
    try {
      hold(chunk.length);
    } catch (error) {
      req.removeAllListeners('data');
      refuseRest(ctx);
      refuse(error);
    }
  };
  // Together with the reader's own listener: a listener alone would let the first chunks go by.
  const withReader = (event: string) => {
    if (event !== 'data') return;
    req.off('newListener', withReader);
    req.on('data', holdChunk);
  };
  req.on('newListener', withReader);
  try {
    await Promise.race([read(), refused]);
  } finally {
    req.off('newListener', withReader);
    req.off('data', holdChunk);
  }
}

/** The rest is not taken for the next request: the answer is the last of its connection. */
function refuseRest({ req, res }: Context): void {
  res.shouldKeepAlive = false;
  req.resume();
}

/** Whether something follows the headers. */
export const hasBody = ({ req: { headers } }: Context): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Refused with 413: more bytes than are taken. */
export const tooLarge = (most: number) =>
  new PosError({
    status: 413,
    message: 'The request body must not be larger than %1 bytes.',
    parameters: [most],
  });

/** By the most bytes that they take; there are as many as limits. */
const readers = new Map<number, Middleware>();

function readerOf(most: number): Middleware {
  const reader = readers.get(most) ?? createReader(most);
  readers.set(most, reader);
  return reader;
}

const createReader = (most: number) =>
  koaBody({
    // A bulk that deletes has its list in the body, too.
    parsedMethods: [HttpMethodEnum.POST, HttpMethodEnum.PUT, HttpMethodEnum.PATCH, HttpMethodEnum.DELETE],
    // What a body may be is told in the platform's words, so all are read alike. An empty encoding leaves the bytes.
    ...{ json: false, urlencoded: false, text: true, textTypes: ['*/*'], encoding: '', textLimit: most },
    onError(error, { req, request }) {
      // The rest is read and dropped, so that the caller hears the answer.
      req.resume();
      if (!('status' in error) || error.status !== 413) throw decodingError();
      request.body = 'too_large';
    },
  });

const contentType = /^([a-z\d/\-+.]+)(?:; *charset=(.+))?$/i;
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

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
    throw decodingError();
  }
}

/** Bytes decoded before other requests get their turn: a millisecond. */
const decodedAtOnce = 1_048_576;

/** As `decode`, of bytes of any number: other requests go on meanwhile. */
export async function decodeLong(bytes: Uint8Array): Promise<string> {
  if (bytes.length <= decodedAtOnce) return decode(bytes);
  const inPieces = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let text = '';
  try {
    for (let at = 0; at < bytes.length; at += decodedAtOnce) {
      text += inPieces.decode(bytes.subarray(at, at + decodedAtOnce), { stream: true });
      await setImmediate();
    }
    return text + inPieces.decode();
  } catch {
    throw decodingError();
  }
}
