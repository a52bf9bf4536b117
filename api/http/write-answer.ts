import type { EntityManager } from '@mikro-orm/postgresql';
import type { Context } from 'koa';
import { readStoreScopes, type StoreScopeRow } from '../../db/platform/stores/read-store-scopes.ts';
import { type Refusal } from '../../domain/errors.ts';
import { requestNotProcessable } from '../../domain/refusals/platform.ts';
import { envelopeOf, type Envelope } from '../wire/envelope.ts';
import { hasTag } from './entity-tag.ts';
import type { StoreScope } from './route.ts';

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

/** How soon a change of store views is visible; they change a few times a year. */
const storedMs = 10_000;

/** In a path: the scope above all store views. */
export const adminScope: StoreScope = { storeId: 0, websiteId: 0, code: 'admin' };

export type FindStore = (code: string | undefined) => Promise<StoreScope>;

/**
 * Finds the store view of a path (platform facts 4.1); `undefined` is a path without a store code.
 *
 * A view is cached for ten seconds; an unknown code is read again each time. Refused with 400: an unknown code.
 */
export function createStoreScopes(em: EntityManager): FindStore {
  let stored: Scopes = { byCode: new Map(), first: undefined };
  let readAt = -Infinity;
  let reading: Promise<void> | undefined;

  const renew = async () => {
    stored = scopesOf(await readStoreScopes(em));
    readAt = performance.now();
  };
  const renewOnce = () => (reading ??= renew().finally(() => (reading = undefined)));
  const known = (code: string | undefined) => (code === undefined ? stored.first : stored.byCode.get(code));

  return async (code) => {
    if (code === 'all') return adminScope;
    if (performance.now() - readAt > storedMs || !known(code)) await renewOnce();
    const scope = known(code);
    if (scope) return scope;
    if (code === undefined) return adminScope;
    throw requestNotProcessable();
  };
}

interface Scopes {
  byCode: ReadonlyMap<string, StoreScope>;
  /** The default store view; undefined in a shop without any. */
  first: StoreScope | undefined;
}

function scopesOf(rows: readonly StoreScopeRow[]): Scopes {
  const scopes = rows.map(({ store_id, website_id, code }) => ({ storeId: store_id, websiteId: website_id, code }));
  return {
    byCode: new Map(scopes.map((scope) => [scope.code, scope])),
    first: scopes.find(({ storeId }) => storeId > 0),
  };
}
