import type { Middleware } from 'koa';
import type { ApiParts } from '../api-parts.ts';
import { noRoute, storeView } from '../middleware/store-view.ts';
import { query } from '../middleware/query.ts';
import type { SignIn } from '../middleware/sign-in.ts';
import type { AnyRoute } from '../route.ts';
import { createRouters, type Routers } from '../routers.ts';
import type { FindStore } from '../store-scopes.ts';
import { acceptLater, ofAdministration } from './accept-later.ts';

/**
 * Whether a route can be carried out later: it writes, its answer is no secret, it does not count networks, and it does
 * not act on the caller's own account. The route's definition decides; there is no list.
 */
export const canWait = ({ method, isPrivate = false, countsNetworks = false, acl }: AnyRoute): boolean =>
  method !== 'GET' && !isPrivate && !countsNetworks && !(typeof acl === 'string' ? [acl] : acl).includes('self');

/** The path of a bulk: `/V1/products/:sku` is `/V1/products/bySku`, because each operation has its own sku. */
const bulkPath = (path: AnyRoute['path']): AnyRoute['path'] => `/V1/${path.split('/').slice(2).map(byName).join('/')}`;

const byName = (segment: string) =>
  segment.startsWith(':') ? `by${segment.charAt(1).toUpperCase()}${segment.slice(2)}` : segment;

interface Doors {
  findStore: FindStore;
  signIn: SignIn;
}

/**
 * Takes requests that are carried out later: `/async/V1/…` one, `/async/bulk/V1/…` many. The caller and the arguments are
 * checked as every route does.
 *
 * Refused with: 404 a route that cannot be carried out later, and the refusals of `acceptLater`.
 */
export function laterRoutes(parts: ApiParts, { findStore, signIn }: Doors): Middleware {
  const nowhere = noRoute(findStore);
  const stackOf = (isBulk: boolean) => (route: AnyRoute) =>
    canWait(route)
      ? [storeView(findStore), signIn(route), ofAdministration(route), query(), acceptLater(parts, route, isBulk)]
      : [nowhere];
  // Those that cannot wait are found as well: otherwise `/V1/customers/me` would be a customer named `me`.
  const routers = () => {
    const routes = parts.routes.filter(({ method }) => method !== 'GET');
    return {
      async: createRouters(routes, stackOf(false)),
      bulk: createRouters(routes, stackOf(true), { pathOf: ({ path }) => bulkPath(path) }),
    };
  };
  // Made at first use: most processes get no such request.
  let made: { async: Routers; bulk: Routers } | undefined;
  return (ctx, next) => {
    const { way } = ctx.state;
    if (way === 'now') return next();
    made ??= routers();
    return made[way].routes()(ctx, () => nowhere(ctx, next));
  };
}
