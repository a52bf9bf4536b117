import type { Context } from 'koa';
import { type Refusal } from '../../domain/errors.ts';
import { envelopeOf, type Envelope } from '../wire/envelope.ts';
import { hasTag } from './entity-tag.ts';

/** The headers that helmet would set, built once at start instead of per request. */
const common: readonly (readonly [string, string])[] = [
  ['X-Content-Type-Options', 'nosniff'],
  ['Referrer-Policy', 'no-referrer'],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Strict-Transport-Security', 'max-age=31536000; includeSubDomains'],
];

/** For JSON: it must not be run, framed or shown as a page. */
export const jsonHeaders = [
  ...common,
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
] as const;

/** For public pages, in addition to their own policy. */
export const publicHeaders = [
  ...common,
  ['X-Frame-Options', 'DENY'],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
] as const;

/**
 * For the pages at `/docs`: only their own files. Swagger UI writes styles into its elements, GraphiQL's styles
 * contain fonts.
 */
export const pageHeaders = [
  ...publicHeaders,
  [
    'Content-Security-Policy',
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  ],
] as const;

/** For a page behind a link in a mail: only its own text, and a button that posts to the same origin. */
export const formHeaders = [
  ...common,
  ['X-Frame-Options', 'DENY'],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
  ['Cache-Control', 'no-store'],
  [
    'Content-Security-Policy',
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  ],
] as const;

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
