import type { EntityManager } from '@mikro-orm/postgresql';
import { findTokenHolder, type TokenHolder } from '../../db/platform/access/find-token-holder.ts';
import { grants } from '../../domain/platform/access/acl.ts';
import type { Acl, AnyRoute, Caller, StoreScope } from './route.ts';

const guest: Caller = { userType: 'guest', userId: 0, name: 'guest', can: (acl) => acl === 'anonymous' };

/** `Bearer`, one blank, the token; anything else counts as no token, without an error (platform facts 1.1). */
const bearer = /^bearer ([^\s]{1,2048})$/i;

export const tokenIn = (authorization: string | undefined) =>
  authorization === undefined ? undefined : bearer.exec(authorization)?.[1];

/** The caller; an unknown token makes a guest. One query, none without a token. */
export async function findCaller(
  em: EntityManager,
  token: string | undefined,
  { now, store }: { now: Date; store: StoreScope },
): Promise<Caller> {
  const holder = token === undefined ? undefined : await findTokenHolder(em, token, now);
  return holder ? callerOf(holder, store) : guest;
}

/** The rights of a known user in that store. */
export function callerOf({ userType, userId, name, resources, websiteId }: TokenHolder, store: StoreScope): Caller {
  return {
    userType,
    userId,
    name,
    can: (acl) => {
      if (acl === 'anonymous') return true;
      // A customer's own routes, in the account's website.
      if (acl === 'self') return userType === 'customer' && websiteId === store.websiteId;
      return grants(resources, acl);
    },
  };
}

export const aclOf = ({ acl }: AnyRoute): readonly Acl[] => (typeof acl === 'string' ? [acl] : acl);

/** Whether the caller has every resource of the route, and is an administrator when the route requires one. */
export const mayCall = (caller: Caller, route: AnyRoute): boolean =>
  aclOf(route).every((resource) => caller.can(resource)) && (!route.isForAdmins || caller.userType === 'admin');
