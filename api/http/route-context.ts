import type { Author } from '../../db/audit/record-difference.ts';
import type { IncomingMessage } from 'node:http';
import type { EntityManager } from '@mikro-orm/postgresql';
import { findTokenHolder, type TokenHolder } from '../../db/platform/access/find-token-holder.ts';
import { grants } from '../../domain/platform/access.ts';
import type { Providers } from '../../providers/index.ts';
import type { Log } from '../../providers/log.ts';
import type { Settings } from '../../providers/settings.ts';
import type { Workflows } from '../../providers/temporal/workflows.ts';
import type { ApiParts } from './api-parts.ts';
import type { Arguments } from './arguments.ts';
import { type ClientAddress } from './client-address.ts';
import { unnamedOperation, type Operation } from './operation.ts';
import { RouteContext, type Acl, type AnyRoute, type Caller, type StoreScope } from './route.ts';
import type { Within } from './within.ts';

/** What a handler hears of the request it is carried out for. */
export interface Heard {
  incoming: Pick<IncomingMessage, 'headers'> & { socket: { remoteAddress?: string | undefined } };
  requestId: string;
  setHeader: (name: string, value: string) => void;
}

/** Reads a request's headers by name, however it is spelled. */
export const headersOf = (incoming: Pick<IncomingMessage, 'headers'>) => (name: string) => {
  const value = incoming.headers[name.toLowerCase()];
  return Array.isArray(value) ? value.join(', ') : value;
};

export interface RestCall {
  parts: ApiParts;
  request: Heard;
  input: Arguments;
  now: Date;
  store: StoreScope;
  caller: Caller;
  clientAddress: ClientAddress;
  ahead: unknown;
  within: Within;
}

/** The objects that a handler gets. */
export const routeContextOf = (call: RestCall): RouteContext & Arguments & { ahead: unknown } => new CallContext(call);

/** Getters of the class, since those of an object literal would keep every call alive until a full collection. */
class CallContext extends RouteContext implements Arguments {
  override readonly reader: EntityManager;
  override readonly workflows: Workflows;
  override readonly providers: Providers;
  override readonly settings: Settings;
  override readonly caller: Caller;
  override readonly store: StoreScope;
  override readonly requestId: string;
  override readonly now: Date;
  override readonly setHeader: Heard['setHeader'];
  override readonly header: (name: string) => string | undefined;
  readonly ahead: unknown;
  readonly params: Arguments['params'];
  readonly query: Arguments['query'];
  readonly body: Arguments['body'];
  readonly #call: RestCall;
  #em: EntityManager | undefined;
  #operation: Operation | undefined;
  #log: Log | undefined;

  constructor(call: RestCall) {
    super();
    const { parts, request, input, within } = call;
    this.reader = parts.orm.em;
    this.workflows = within.workflows ?? parts.workflows;
    this.providers = parts.providers;
    this.settings = parts.settings;
    this.caller = call.caller;
    this.store = call.store;
    this.requestId = request.requestId;
    this.now = call.now;
    this.setHeader = request.setHeader;
    this.header = headersOf(request.incoming);
    this.ahead = call.ahead;
    this.params = input.params;
    this.query = input.query;
    this.body = input.body;
    this.#call = call;
    this.#em = within.em;
    this.#operation = within.operation;
  }

  override get em() {
    return (this.#em ??= this.#call.parts.orm.em.fork());
  }

  override get operation() {
    return (this.#operation ??= unnamedOperation());
  }

  override get log() {
    return (this.#log ??= this.#call.parts.log.child({ requestId: this.requestId }));
  }

  override get clientAddress() {
    const { clientAddress, request } = this.#call;
    return clientAddress(request.incoming.socket.remoteAddress ?? '', this.header('x-forwarded-for'));
  }
}

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

/**
 * The author in an audit entry: an administrator is `admin` with the user's name, an integration is `api` (spec
 * 2.15).
 */
export const authorOf = ({ userType, userId, name }: Caller): Author => ({
  account: `${userType}:${userId}`,
  changeSource: userType === 'admin' ? 'admin' : 'api',
  staffName: name,
});
