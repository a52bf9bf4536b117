import type { Context } from 'koa';
import { envelopeOf, type Envelope } from '../wire/envelope.ts';
import { hasTag } from './entity-tag.ts';
import { jsonHeaders } from './security-headers.ts';
import type { Refusal } from '../../domain/errors.ts';

export const jsonType = 'application/json; charset=utf-8';

/** When a repeat is worthwhile: PostgreSQL and Temporal restart within seconds. */
export const retryAfterSeconds = '5';

export function setAll(ctx: Context, headers: Iterable<readonly [string, string]>): void {
  for (const [name, value] of headers) ctx.res.setHeader(name, value);
}

/**
 * Writes JSON text, or 304 where the caller already has the handler's `ETag`.
 *
 * Directly to the socket: Koa would look at each header three times and copy the text.
 */
export function writeJson(ctx: Context, body: readonly (string | Buffer)[], headers: Headers, status = 200): void {
  ctx.respond = false;
  const { req, res } = ctx;
  const raw = [...rawJsonHeaders];
  for (const [name, value] of headers) raw.push(name, value);
  const tag = headers.get('ETag');
  if (tag !== undefined && hasTag(req.headers['if-none-match'], tag)) {
    res.writeHead(304, raw).end();
    return;
  }
  raw.push('Content-Type', jsonType, 'Content-Length', String(lengthOf(body)));
  res.writeHead(status, raw);
  const last = body.length - 1;
  for (const [index, piece] of body.entries()) {
    if (index === last) res.end(piece);
    else res.write(piece);
  }
}

/**
 * Writes a page, straight to the line as well. Nothing may have set a header before.
 *
 * @param raw names and values in turn, without the length
 */
export function writePage(ctx: Context, { status, raw, html }: { status: number; raw: string[]; html: string }): void {
  ctx.respond = false;
  ctx.res.writeHead(status, [...raw, 'Content-Length', String(Buffer.byteLength(html))]).end(html);
}

/** Of an answer, by name. */
export type Headers = ReadonlyMap<string, string>;

const rawJsonHeaders = jsonHeaders.flat();

const lengthOf = (body: readonly (string | Buffer)[]) => body.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0);

/** Writes a refusal in the platform's envelope, with the headers of its status. */
export function writeRefusal(ctx: Context, refusal: Refusal): void {
  const envelope: Envelope = envelopeOf(refusal);
  ctx.status = refusal.status;
  if (refusal.status === 401) ctx.res.setHeader('WWW-Authenticate', 'Bearer');
  // The platform tells a checkout page so where to go back to; its clients meet the key (platform facts 2.1).
  if (refusal.message.startsWith('Could not save')) ctx.res.setHeader('errorRedirectAction', '#shipping');
  if (refusal.status === 503) ctx.res.setHeader('Retry-After', retryAfterSeconds);
  // The unread rest of a body must not be taken for the next request.
  if (refusal.status === 413) ctx.res.setHeader('Connection', 'close');
  ctx.res.setHeader('Content-Type', jsonType);
  ctx.body = JSON.stringify(envelope);
}
