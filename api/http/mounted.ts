import { createArgumentReader, type Arguments, type Sources } from './arguments.ts';
import type { Acl, AnyRoute, Caller } from './route.ts';

/** What a route needs on each call, worked out beforehand. */
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

/** Whether every resource of the route is granted, and an administrator asks where only one may. */
export const mayCall = (caller: Caller, { route, acl }: Mounted): boolean =>
  acl.every((resource) => caller.can(resource)) && (!route.isForAdmins || caller.userType === 'admin');
