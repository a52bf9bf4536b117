import type { EntityManager } from '@mikro-orm/postgresql';
import type { Within } from './within.ts';
import type { Arguments } from './arguments.ts';
import type { ClientAddress } from './client-address.ts';
import type { Providers } from '../../providers/index.ts';
import type { Log } from '../../providers/log.ts';
import type { Settings } from '../../providers/settings.ts';
import type { Workflows } from '../../providers/temporal/workflows.ts';
import type { ApiParts } from './api-parts.ts';
import { unnamedOperation, type Operation } from './operation.ts';
import { RouteContext, type Caller, type StoreScope } from './route.ts';
import { type Heard, headersOf } from './heard.ts';

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
