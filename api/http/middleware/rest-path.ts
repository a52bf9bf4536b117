import type { Middleware } from 'koa';
import { requestNotProcessable } from '../../../domain/refusals/platform.ts';
import { isStorableText } from '../../../domain/storable-text.ts';
import { restPrefix } from './request-id.ts';

export interface RestPath {
  /** Undefined for a path without one, which means the default store view. */
  storeCode: string | undefined;
  /** From `/V1` on, as `@koa/router` reads it: encoded. */
  path: string;
  /** `async`: carried out later. `bulk`: so are many at once. */
  way: 'now' | 'async' | 'bulk';
}

/** Reads what stands in front of a route's own path, and tells the router what follows. */
export const restPath = (): Middleware => (ctx, next) => {
  const { storeCode, path, way } = parseRestPath(ctx.state.path.slice(restPrefix.length));
  ctx.state.storeCode = storeCode;
  ctx.state.way = way;
  ctx.newRouterPath = path;
  return next();
};

const version = /^V\d+$/;

/**
 * Splits what follows `/rest/` (platform facts 4.1): an optional store code, then `async` or `async/bulk` for what is
 * carried out later. A trailing slash does not count.
 *
 * Refused with 400: no `V<digits>` first or after these, and what cannot be decoded.
 */
export function parseRestPath(path: string): RestPath {
  const trimmed = path.endsWith('/') ? path.slice(0, -1) : path;
  const isEncoded = trimmed.includes('%');
  const segments = isEncoded ? trimmed.split('/').map(decode) : trimmed.split('/');
  const at = segments.findIndex((segment) => version.test(segment));
  const ahead = segments.slice(0, at);
  const storeCode = ahead[0] === 'async' ? undefined : ahead.shift();
  const way = ways[ahead.join('/')];
  if (at < 0 || way === undefined) throw requestNotProcessable();
  // Encoded anew: letters that need not be encoded are then written as in the routes' paths.
  const own = isEncoded ? segments.slice(at).map(encodeURIComponent) : segments.slice(at);
  return { storeCode, path: `/${own.join('/')}`, way };
}

const ways: Readonly<Record<string, RestPath['way']>> = { '': 'now', async: 'async', 'async/bulk': 'bulk' };

function decode(segment: string): string {
  try {
    const decoded = decodeURIComponent(segment);
    if (isStorableText(decoded)) return decoded;
  } catch {
    // Text that is not percent-encoded is refused like the rest.
  }
  throw requestNotProcessable();
}
