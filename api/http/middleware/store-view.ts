import type { Middleware } from 'koa';
import { noSuchRoute } from '../../../domain/refusals/platform.ts';
import { reached } from '../api-parts.ts';
import type { FindStore } from '../store-scopes.ts';

/** Finds the store view of the path. Refused with: 400 an unknown one · 503 the database is away. */
export const storeView =
  (findStore: FindStore): Middleware =>
  async (ctx, next) => {
    ctx.state.store = await reached(findStore(ctx.state.storeCode));
    return next();
  };

/** Refused with: 400 an unknown store view, which is reported first · 404. */
export const noRoute =
  (findStore: FindStore): Middleware =>
  async ({ state: { storeCode } }) => {
    if (storeCode !== undefined) await reached(findStore(storeCode));
    throw noSuchRoute();
  };
