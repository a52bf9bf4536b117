import type { IncomingMessage } from 'node:http';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Arguments } from './arguments.ts';
import type { ClientAddress } from './client-address.ts';
import type { ApiParts, RestRequest } from './mount.ts';
import type { Caller, StoreScope, Surroundings } from './route.ts';

export interface RestCall {
  parts: ApiParts;
  request: RestRequest;
  input: Arguments;
  now: Date;
  store: StoreScope;
  caller: Caller;
  clientAddress: ClientAddress;
}

/** What a handler is handed. Made for each call; what most handlers do not touch is made when they do. */
export function surroundingsOf(call: RestCall): Surroundings & Arguments {
  const { parts, request, input, clientAddress } = call;
  const { incoming, requestId } = request;
  const header = (name: string) => headerOf(incoming, name);
  let em: EntityManager | undefined;
  return {
    get em() {
      return (em ??= parts.orm.em.fork());
    },
    get log() {
      return parts.log.child({ requestId });
    },
    get clientAddress() {
      return clientAddress(incoming.socket.remoteAddress ?? '', header('x-forwarded-for'));
    },
    params: input.params,
    query: input.query,
    body: input.body,
    workflows: parts.workflows,
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

function headerOf(incoming: IncomingMessage, name: string): string | undefined {
  const value = incoming.headers[name.toLowerCase()];
  return Array.isArray(value) ? value.join(', ') : value;
}
