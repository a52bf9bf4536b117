import type { IncomingMessage } from 'node:http';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Within } from './answer-once.ts';
import type { Arguments } from './arguments.ts';
import type { ClientAddress } from './client-address.ts';
import type { ApiParts } from './mount.ts';
import { unnamedOperation, type Operation } from './operation.ts';
import type { Caller, StoreScope, RouteContext } from './route.ts';

/** What a handler hears of the request it is carried out for. */
export interface Heard {
  incoming: Pick<IncomingMessage, 'headers'> & { socket: { remoteAddress?: string | undefined } };
  requestId: string;
  setHeader: (name: string, value: string) => void;
}

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

/** The objects that a handler gets. Made for each call; rarely used ones are made at first use. */
export function routeContextOf(call: RestCall): RouteContext & Arguments & { ahead: unknown } {
  const { parts, request, input, clientAddress, within } = call;
  const { incoming, requestId } = request;
  const header = headersOf(incoming);
  let { em, operation }: { em?: EntityManager; operation?: Operation } = within;
  return {
    get em() {
      return (em ??= parts.orm.em.fork());
    },
    get operation() {
      return (operation ??= unnamedOperation());
    },
    get log() {
      return parts.log.child({ requestId });
    },
    get clientAddress() {
      return clientAddress(incoming.socket.remoteAddress ?? '', header('x-forwarded-for'));
    },
    reader: parts.orm.em,
    ahead: call.ahead,
    params: input.params,
    query: input.query,
    body: input.body,
    workflows: within.workflows ?? parts.workflows,
    providers: parts.providers,
    settings: parts.settings,
    caller: call.caller,
    store: call.store,
    now: call.now,
    requestId,
    setHeader: request.setHeader,
    header,
  };
}

/** Reads a request's headers by name, however it is spelled. */
export const headersOf = (incoming: Pick<IncomingMessage, 'headers'>) => (name: string) => {
  const value = incoming.headers[name.toLowerCase()];
  return Array.isArray(value) ? value.join(', ') : value;
};
