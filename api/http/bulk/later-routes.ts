import { mounted, type Mounted } from '../mounted.ts';
import type { AnyRoute } from '../route.ts';
import { createRouter, segmentsOf, type Router } from '../router.ts';

/**
 * Whether a route can be carried out later: it writes, its answer is no secret, and it is nobody's own. The route itself
 * tells; there is no list of them.
 */
export const canWait = ({ method, isPrivate, acl }: AnyRoute): boolean =>
  method !== 'GET' && isPrivate !== true && !(typeof acl === 'string' ? [acl] : acl).includes('self');

/** As a bulk writes a path: `/V1/products/:sku` is `/V1/products/bySku`, and each operation has its own sku. */
export const bulkPath = (path: AnyRoute['path']): AnyRoute['path'] =>
  `/V1/${segmentsOf(path).slice(1).map(byName).join('/')}`;

const byName = (segment: string) =>
  segment.startsWith(':') ? `by${segment.charAt(1).toUpperCase()}${segment.slice(2)}` : segment;

/** A route under the path of its bulk; the route itself is `later`. */
export interface LaterEntry extends Mounted {
  later: AnyRoute;
}

/** The two ways in: one request that is carried out later, and many of them. */
export function laterRouters(routes: readonly AnyRoute[]): { single: Router<LaterEntry>; bulk: Router<LaterEntry> } {
  const entries = routes.filter(canWait).map((route) => ({ ...mounted(route), later: route }));
  return {
    single: createRouter(entries),
    bulk: createRouter(
      entries.map((entry) => ({ ...entry, route: { ...entry.later, path: bulkPath(entry.later.path) } })),
    ),
  };
}
