import { createArgumentReader, type Arguments, type Sources } from './arguments.ts';
import type { Acl, AnyRoute, Caller } from './route.ts';

/** What a route needs on each call, prepared once. */
export interface Mounted {
  route: AnyRoute;
  acl: readonly Acl[];
  readArguments: (from: Sources) => Arguments;
}

export const mounted = (route: AnyRoute): Mounted => ({
  route,
  acl: typeof route.acl === 'string' ? [route.acl] : route.acl,
  readArguments: createArgumentReader(route),
});

/** Whether the caller has every resource of the route, and is an administrator when the route requires one. */
export const mayCall = (caller: Caller, { route, acl }: Mounted): boolean =>
  acl.every((resource) => caller.can(resource)) && (!route.isForAdmins || caller.userType === 'admin');
