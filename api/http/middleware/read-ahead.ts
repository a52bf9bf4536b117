import type { Middleware } from 'koa';
import { digestOf } from '../../../db/platform/access/token-digest.ts';
import type { ApiParts } from '../api-parts.ts';
import { createArgumentReader } from '../arguments.ts';
import { tokenIn, headersOf } from '../route-context.ts';
import type { AnyRoute } from '../route.ts';
import { takesBody } from './body.ts';
import { parseQuery } from './query.ts';

/** Makes the middleware of a route with a `readAhead`. */
export type ReadAhead = (route: AnyRoute) => readonly Middleware[];

/**
 * Starts a route's read for a token that was let in here recently, without waiting for the caller's look-up. A flood of
 * unknown callers must not make the database read.
 *
 * Invalid arguments are reported once the caller is known. An error of the read reaches only code that awaits it.
 */
export function createReadAhead({ orm }: ApiParts): ReadAhead {
  const known = createKnownTokens();
  return (route) => {
    if (!route.readAhead) return [];
    // It starts before the body has arrived.
    if (takesBody(route.method)) throw new Error(`${route.method} ${route.path} cannot read ahead`);
    const readArguments = createArgumentReader(route);
    return [
      async (ctx, next) => {
        const { state, req, params } = ctx;
        const token = tokenIn(req.headers.authorization);
        if (known.has(route.path, token)) state.ahead = begun();
        try {
          await next();
        } finally {
          known.note(route.path, token, 'caller' in state);
        }

        function begun(): Promise<unknown> | undefined {
          try {
            const input = readArguments({ path: params, query: parseQuery(state.queryString), body: {} });
            const read = route.readAhead?.({ ...input, reader: orm.em, header: headersOf(req) });
            read?.catch(() => undefined);
            return read;
          } catch {
            return undefined;
          }
        }
      },
    ];
  };
}

/** More than a shop has registers; the oldest entry is removed first. */
const mostKnown = 10_000;

/**
 * The routes at which a token was accepted the last time. It grants nothing: each request still looks its token up.
 * It only decides whether reading ahead is worthwhile.
 */
function createKnownTokens() {
  const known = new Set<string>();
  const keyOf = (path: string, token: string) => `${digestOf(token)} ${path}`;
  return {
    has: (path: string, token: string | undefined) => token !== undefined && known.has(keyOf(path, token)),
    note(path: string, token: string | undefined, wasLetIn: boolean): void {
      if (token === undefined) return;
      const key = keyOf(path, token);
      known.delete(key);
      if (wasLetIn) known.add(key);
      if (known.size > mostKnown) for (const oldest of known.keys()) return void known.delete(oldest);
    },
  };
}
