import type { Middleware } from 'koa';
import { createArgumentReader } from '../arguments.ts';
import type { AnyRoute } from '../route.ts';

/** Checks a route's arguments, of path, query and body. Refused with 400, in the platform's words. */
export function readArguments(route: AnyRoute): Middleware {
  const read = createArgumentReader(route);
  return ({ state, params }, next) => {
    state.sources = { path: params, query: state.query, body: state.body };
    state.input = read(state.sources);
    return next();
  };
}
