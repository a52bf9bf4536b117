import type { Middleware } from 'koa';
import type { ApiParts } from '../../http/api-parts.ts';
import { graphqlPath } from './graphql-path.ts';

/**
 * As `serve-graphql.ts`, which is loaded for the first request: its library and its schema take 3 MB of heap, and a
 * shop without displays never asks.
 */
export function graphql(parts: ApiParts): Middleware {
  let loaded: Promise<Middleware> | undefined;
  const load = async () => (await import('./serve-graphql.ts')).createGraphql(parts);
  return async (ctx, next) => {
    if (ctx.state.path !== graphqlPath) return next();
    loaded ??= load();
    const serve = await loaded;
    return serve(ctx, next);
  };
}
