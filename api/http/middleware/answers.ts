import { Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';
import type { Context, Middleware } from 'koa';
import { PosError } from '../../../domain/errors.ts';
import type { Log } from '../../../providers/log.ts';
import { EventStream, eventStreamType, JsonStream, wantsEvents } from '../../wire/json-stream.ts';
import { hasTag } from '../entity-tag.ts';
import { jsonHeaders, jsonType, writeJson, type Headers } from '../write-answer.ts';
import { shownPath } from './errors.ts';
import { restPrefix } from './request-id.ts';

/** Long enough for a register on a slow line to get a million rows; slower readers are cut off. */
const longestMs = 600_000;

/** Little work for most of the gain: JSON of numbers shrinks to a tenth. */
const gzipLevel = 1;

/**
 * Writes an answer while it is made, compressed where the caller accepts that; 304 without reading it where the
 * caller has it. Nothing is read or written for a caller that has left.
 *
 * Throws only before anything was sent. A later error closes the connection unfinished and calls `failed`.
 */
async function writeStream(
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
  const first = res.closed ? undefined : await parts.next();
  ctx.respond = false;
  if (res.closed || first === undefined) {
    await parts.return?.();
    return;
  }
  const isZipped = takesGzip(req.headers['accept-encoding']);
  res.writeHead(200, [...raw, 'Content-Type', jsonType, ...(isZipped ? ['Content-Encoding', 'gzip'] : [])]);
  const text = Readable.from(withFirst(first, parts));
  const steps: Transform[] = isZipped ? [createGzip({ level: gzipLevel, flush: constants.Z_NO_FLUSH })] : [];
  // Not `AbortSignal.timeout`: a broken-off answer, with the page it was sending, would stay in memory until then.
  const tooSlow = new AbortController();
  const timer = setTimeout(() => tooSlow.abort(), longestMs);
  try {
    await pipeline([text, ...steps, res], { signal: tooSlow.signal });
  } catch (error) {
    res.destroy();
    failed(error);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Writes events as they come: neither compressed nor kept, so that each arrives at once. The caller ends it, or the
 * stream itself; an error closes the connection, and the caller comes again.
 */
async function writeEvents(
  ctx: Context,
  { pieces }: EventStream,
  { headers, failed }: { headers: Headers; failed: (error: unknown) => void },
): Promise<void> {
  const { res } = ctx;
  ctx.respond = false;
  if (res.closed) return;
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
  const requested = String(acceptEncoding ?? '').split(',');
  return requested.some((one) => /^\s*(?:gzip|\*)\s*(?:;\s*q=(?!0(?:\.0*)?\s*$).*)?$/i.test(one));
}

/**
 * Writes what a route answered, as JSON (platform facts 2.1). Stands around the deadline: of a request that was given
 * up, nothing is written later.
 *
 * Refused with 406: the caller takes no JSON.
 */
export const answers =
  (log: Log): Middleware =>
  async (ctx, next) => {
    if (!wantsEvents(ctx.state.path, ctx.req.headers.accept)) checkAccept(ctx.req.headers.accept);
    await next();
    const { answer, headers, status, route, requestId } = ctx.state;
    if (route?.isPrivate === true) headers.set('Cache-Control', 'no-store');
    if (!(answer instanceof JsonStream)) return writeJson(ctx, answer, headers, status);
    const failed = (error: unknown) =>
      log.warn({ requestId, error, path: shownPath(ctx, [restPrefix]) }, 'an answer broke off');
    return answer instanceof EventStream
      ? writeEvents(ctx, answer, { headers, failed })
      : writeStream(ctx, answer, { headers, failed });
  };

function checkAccept(accept: string | undefined): void {
  if (accept === undefined || accept === '' || /json|\*\/\*|application\/\*/i.test(accept)) return;
  const message = `Server cannot match any of the given Accept HTTP header media type(s) from the request: "${accept.slice(0, 200)}" with media types from the config of response renderer.`;
  throw new PosError({ status: 406, message });
}
