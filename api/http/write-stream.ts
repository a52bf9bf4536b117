import { Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';
import type { Context } from 'koa';
import { hasTag } from './entity-tag.ts';
import { eventStreamType, type EventStream } from '../wire/event-stream.ts';
import type { JsonStream } from '../wire/json-stream.ts';
import { jsonHeaders } from './security-headers.ts';
import { jsonType, type Headers } from './write-answer.ts';

/** Long enough for a register on a slow line to get a million rows; slower readers are cut off. */
const longestMs = 600_000;

/** Little work for most of the gain: JSON of numbers shrinks to a tenth. */
const gzipLevel = 1;

/**
 * Writes an answer while it is made, compressed where the caller accepts that; 304 without reading it where the
 * caller has it.
 *
 * Throws only before anything was sent. A later error closes the connection unfinished and calls `failed`.
 */
export async function writeStream(
  ctx: Context,
  { pieces }: JsonStream,
  { headers, failed }: { headers: Headers; failed: (error: unknown) => void },
): Promise<void> {
  const { req, res } = ctx;
  const raw = [...jsonHeaders.flat(), ...[...headers].flat(), 'Vary', 'Accept-Encoding'];
  const tag = headers.get('ETag');
  if (tag !== undefined && hasTag(req.headers['if-none-match'], tag)) {
    ctx.respond = false;
    res.writeHead(304, raw).end();
    return;
  }
  const parts = pieces[Symbol.asyncIterator]();
  const first = await parts.next();
  ctx.respond = false;
  const isZipped = takesGzip(req.headers['accept-encoding']);
  res.writeHead(200, [...raw, 'Content-Type', jsonType, ...(isZipped ? ['Content-Encoding', 'gzip'] : [])]);
  const text = Readable.from(withFirst(first, parts));
  const steps: Transform[] = isZipped ? [createGzip({ level: gzipLevel, flush: constants.Z_NO_FLUSH })] : [];
  try {
    await pipeline([text, ...steps, res], { signal: AbortSignal.timeout(longestMs) });
  } catch (error) {
    res.destroy();
    failed(error);
  }
}

/**
 * Writes events as they come: neither compressed nor kept, so that each arrives at once. The caller ends it, or the stream
 * itself; an error closes the connection, and the caller comes again.
 */
export async function writeEvents(
  ctx: Context,
  { pieces }: EventStream,
  { headers, failed }: { headers: Headers; failed: (error: unknown) => void },
): Promise<void> {
  const { res } = ctx;
  ctx.respond = false;
  const own = ['Content-Type', eventStreamType, 'X-Accel-Buffering', 'no'];
  res.writeHead(200, [...jsonHeaders.flat(), ...[...headers].flat(), ...own]);
  res.flushHeaders();
  try {
    await pipeline(Readable.from(pieces), res);
  } catch (error) {
    res.destroy();
    if (!isGone(error)) failed(error);
  }
}

/** Whoever listens leaves without a word. */
const isGone = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';

async function* withFirst(first: IteratorResult<string>, rest: AsyncIterator<string>): AsyncGenerator<string> {
  for (let part = first; part.done !== true; part = await rest.next()) yield part.value;
}

/** `gzip;q=0` means no. */
export function takesGzip(acceptEncoding: string | string[] | undefined): boolean {
  const wanted = String(acceptEncoding ?? '').split(',');
  return wanted.some((one) => /^\s*(?:gzip|\*)\s*(?:;\s*q=(?!0(?:\.0*)?\s*$).*)?$/i.test(one));
}
