import { mounted, type Mounted } from '../mounted.ts';
import type { AnyRoute } from '../route.ts';
import { createRouter, segmentsOf, type Router } from '../router.ts';

/**
 * Whether a route can be carried out later: it writes, its answer is no secret, it does not count networks, and it does
 * not act on the caller's own account. The route's definition decides; there is no list.
 */
export const canWait = ({ method, isPrivate = false, countsNetworks = false, acl }: AnyRoute): boolean =>
  method !== 'GET' && !isPrivate && !countsNetworks && !(typeof acl === 'string' ? [acl] : acl).includes('self');

/** The path of a bulk: `/V1/products/:sku` is `/V1/products/bySku`, because each operation has its own sku. */
export const bulkPath = (path: AnyRoute['path']): AnyRoute['path'] =>
  `/V1/${segmentsOf(path).slice(1).map(byName).join('/')}`;

const byName = (segment: string) =>
  segment.startsWith(':') ? `by${segment.charAt(1).toUpperCase()}${segment.slice(2)}` : segment;

/** A route under the path of its bulk; the route itself is `later`. */
export interface LaterEntry extends Mounted {
  later: AnyRoute;
}

/**
 * The routes for one request that is carried out later, and for many of them. Those that cannot wait are found as well:
 * otherwise `/V1/customers/me` would be a customer named `me`.
 */
export function laterRouters(routes: readonly AnyRoute[]): { single: Router<LaterEntry>; bulk: Router<LaterEntry> } {
  const entries = routes.filter(({ method }) => method !== 'GET').map((route) => ({ ...mounted(route), later: route }));
  return {
    single: createRouter(entries),
    bulk: createRouter(
      entries.map((entry) => ({ ...entry, route: { ...entry.later, path: bulkPath(entry.later.path) } })),
    ),
  };
}
