import { randomUUID } from 'node:crypto';
import { notPermitted } from '../../domain/errors.ts';
import { createArgumentReader } from '../http/arguments.ts';
import { aclOf, mayCall } from '../http/caller.ts';
import type { Caller } from '../http/route.ts';
import { routeContextOf } from '../http/route-context.ts';
import { adminScope } from '../http/store-scopes.ts';
import type { Visit } from './visit.ts';

export interface RouteCall {
  method: string;
  /** As the list of routes has it, with its variables by name. */
  path: string;
  params: Readonly<Record<string, string | number>>;
  body?: Readonly<Record<string, unknown>>;
}

/** A name for what a form asks: the same for every click on it. */
const onceOf = (visit: Visit): string => {
  const given = visit.field('once');
  return /^[0-9a-f-]{36}$/.test(given) ? given : randomUUID();
};

/**
 * Carries out a route of the API for the signed-in person, so that a button and a register ask in the same way. A second
 * click on a button is a repeat of the first.
 *
 * Refused as the route refuses, and with 401 where an administrator lacks its resource.
 */
export async function runRoute(visit: Visit, { method, path, params, body = {} }: RouteCall): Promise<unknown> {
  const { parts, em, now, requestId, incoming, clientAddress } = visit;
  const route = parts.routes.find((one) => one.method === method && one.path === path);
  if (!route) throw new Error(`there is no route ${method} ${path}`);
  const caller = callerOf(visit);
  if (!mayCall(caller, route)) throw notPermitted(aclOf(route));
  const operation = {
    ...{ key: onceOf(visit), isNamed: true, madeBefore: null },
    made: async () => undefined,
    leaveOpen: () => undefined,
  };
  return route.handle(
    routeContextOf({
      ...{ parts, caller, now, ahead: undefined, store: adminScope, within: { em, operation } },
      request: { incoming, requestId, setHeader: () => undefined },
      input: createArgumentReader(route)({ path: params, query: {}, body }),
      clientAddress: () => clientAddress,
    }),
  );
}

/** A member of the staff was let in by the page's own right; an administrator needs the route's resource as well. */
function callerOf({ person }: Visit): Caller {
  const { userKind, userId, name } = person;
  const isAdmin = userKind === 'admin';
  return {
    userType: isAdmin ? 'admin' : 'integration',
    userId: isAdmin ? userId : 0,
    name,
    can: (acl) => acl === 'anonymous' || !isAdmin || person.may({ acl, staff: [] }),
  };
}
