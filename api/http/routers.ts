import Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import compose from 'koa-compose';
import { PosError } from '../../domain/errors.ts';
import type { AnyRoute, Method } from './route.ts';

/** Every other verb is answered with 405. */
const methods: ReadonlySet<string> = new Set<Method>(['GET', 'POST', 'PUT', 'DELETE']);

interface Choices {
  /** Where a route is found; absent: at its own path. */
  pathOf?: (route: AnyRoute) => string;
  /** Paths that are not served and must not be read as a sku or an id, and what answers there. */
  closed?: { paths: readonly string[]; by: Middleware };
}

export interface Routers {
  /** Carries a request out by its route; what no route answers goes on. */
  routes: () => Middleware;
  /** Refused with 405, and `Allow`: a verb that no route has. */
  allowedMethods: () => Middleware;
  /** The path of the route that answers, as it was registered. */
  find: (method: string, path: string) => string | undefined;
}

/**
 * A router for each resource, found by the first words of the path: so a request is compared with the routes of its
 * resource alone. A literal word wins over a variable, in any order of the list (platform facts 4.1).
 *
 * Throws for two routes with the same method and path, which is a programming error.
 *
 * @param stackOf what a request of a route goes through
 */
export function createRouters(
  routes: readonly AnyRoute[],
  stackOf: (route: AnyRoute) => readonly Middleware[],
  { pathOf = ({ path }) => path, closed }: Choices = {},
): Routers {
  const routers = new Map<string, Router>();
  const routerOf = (path: string) => {
    const resource = resourceOf(path);
    const router = routers.get(resource) ?? new Router({ sensitive: true, strict: true });
    routers.set(resource, router);
    return router;
  };
  const served = routes.map((route) => ({ route, path: pathOf(route) }));
  refuseTwins(served);
  for (const { route, path } of literalsFirst([...served, ...(closed?.paths ?? []).map(everythingBelow)])) {
    if (route) routerOf(path).register(path, [route.method], compose([remember(route), ...stackOf(route)]));
    else if (closed) routerOf(path).all(closedName, path, closed.by);
  }

  const find = (method: string, path: string) => {
    const [layer] = routers.get(resourceOf(path))?.match(path, method).pathAndMethod ?? [];
    return layer === undefined || layer.name === closedName ? undefined : String(layer.path);
  };
  const answering = new Map([...routers].map(([resource, router]) => [resource, router.routes()]));
  return {
    find,
    routes: () => (ctx, next) => {
      const answer = answering.get(resourceOf(pathIn(ctx)));
      return answer ? answer(ctx, next) : next();
    },
    allowedMethods: () => (ctx, next) => {
      if (methods.has(ctx.method)) return next();
      const ofPath = [...methods].filter((method) => find(method, pathIn(ctx)) !== undefined);
      ctx.state.headers.set('Allow', (ofPath.length === 0 ? [...methods] : ofPath).join(', '));
      throw new PosError({ status: 405, message: `The ${ctx.method} HTTP method is not supported.` });
    },
  };
}

const pathIn = ({ newRouterPath = '' }: Context) => newRouterPath;

/** `/V1/orders/7` is `orders`, `/V1/pos/rma/7` is `pos/rma`. */
const resourceOf = (path: string) => resourcePattern.exec(path)?.[1] ?? '';

const resourcePattern = /^\/[^/]*\/(pos\/[^/]*|[^/]*)/;

const remember =
  (route: AnyRoute): Middleware =>
  (ctx, next) => {
    ctx.state.route = route;
    return next();
  };

interface Registered {
  route?: AnyRoute;
  path: string;
}

const everythingBelow = (path: string): Registered => ({ path: `${path}{/*rest}` });

const closedName = 'closed';

/** Word by word a literal comes before a variable, and what is closed before the variables that it is closed to. */
const literalsFirst = (registered: readonly Registered[]) =>
  registered
    .map((one) => ({ ...one, order: one.path.split('/').map(orderOf).join('') }))
    .toSorted((one, other) => (one.order < other.order ? -1 : one.order > other.order ? 1 : 0));

/** Of a word: literal, variable, everything below what is closed. */
const orderOf = (word: string) => (word.startsWith(':') ? '1' : word.startsWith('*') ? '2' : '0');

function refuseTwins(served: readonly { route: AnyRoute; path: string }[]): void {
  const known = new Set<string>();
  for (const { route, path } of served) {
    const name = `${route.method} ${path.replaceAll(/:\w+/g, ':')}`;
    if (known.has(name)) throw new Error(`two routes answer ${route.method} ${path}`);
    known.add(name);
  }
}
