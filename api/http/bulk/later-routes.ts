import { mounted, type Mounted } from '../mounted.ts';
import type { AnyRoute } from '../route.ts';
import { createRouter, segmentsOf, type Router } from '../router.ts';

/**
 * Whether a route can be carried out later: it writes, its answer is no secret, and it does not act on the caller's own
 * account. The route's definition decides; there is no list.
 */
export const canWait = ({ method, isPrivate, acl }: AnyRoute): boolean =>
  method !== 'GET' && isPrivate !== true && !(typeof acl === 'string' ? [acl] : acl).includes('self');

/** The path of a bulk: `/V1/products/:sku` is `/V1/products/bySku`, because each operation has its own sku. */
export const bulkPath = (path: AnyRoute['path']): AnyRoute['path'] =>
  `/V1/${segmentsOf(path).slice(1).map(byName).join('/')}`;

const byName = (segment: string) =>
  segment.startsWith(':') ? `by${segment.charAt(1).toUpperCase()}${segment.slice(2)}` : segment;

/** A route under the path of its bulk; the route itself is `later`. */
export interface LaterEntry extends Mounted {
  later: AnyRoute;
}

/** The routes for one request that is carried out later, and for many of them. */
export function laterRouters(routes: readonly AnyRoute[]): { single: Router<LaterEntry>; bulk: Router<LaterEntry> } {
  const entries = routes.filter(canWait).map((route) => ({ ...mounted(route), later: route }));
  return {
    single: createRouter(entries),
    bulk: createRouter(
      entries.map((entry) => ({ ...entry, route: { ...entry.later, path: bulkPath(entry.later.path) } })),
    ),
  };
}
