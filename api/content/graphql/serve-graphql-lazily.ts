import type { Context } from 'koa';
import type { ApiParts } from '../../http/api-parts.ts';
import type { GraphqlCall } from './serve-graphql.ts';

type Serve = (ctx: Context, call: GraphqlCall) => Promise<void>;

/**
 * As `serve-graphql.ts`, which is loaded for the first request: its library and its schema take 3 MB of heap, and a shop without
 * displays never asks.
 */
export function createGraphql(parts: ApiParts): Serve {
  let loaded: Promise<Serve> | undefined;
  const load = async () => (await import('./serve-graphql.ts')).createGraphql(parts);
  return async (ctx, call) => {
    loaded ??= load();
    const serve = await loaded;
    return serve(ctx, call);
  };
}
