import type { EntityManager } from '@mikro-orm/postgresql';
import type { z } from 'zod';
import type { Log } from '../../providers/log.ts';
import type { Providers } from '../../providers/index.ts';
import type { Settings } from '../../providers/settings.ts';
import type { JsonStream } from '../wire/json-stream.ts';
import type { JsonText } from '../wire/json-text.ts';
import type { Operation } from './operation.ts';
import type { Workflows } from '../temporal/workflows.ts';

/** A resource of the ACL, `anonymous` for everybody, or `self` for a customer's own token (platform facts 1.2). */
export type Acl = 'anonymous' | 'self' | `${string}::${string}`;

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Who is calling, as the token tells. A token nobody knows makes a guest. */
export interface Caller {
  userType: 'guest' | 'integration' | 'admin' | 'customer';
  userId: number;
  /** For history and audit; never a secret. */
  name: string;
  can(acl: Acl): boolean;
}

/** The store view of the path; `/rest/all` is store 0 of website 0 (platform facts 4.1). */
export interface StoreScope {
  storeId: number;
  websiteId: number;
  code: string;
}

/** What every handler gets beside its parsed input. Everything a rule needs is handed over; nothing is ambient. */
export interface Surroundings {
  em: EntityManager;
  /** For plain reads outside any transaction, shared by all requests: nothing is loaded or saved with it. */
  reader: EntityManager;
  workflows: Workflows;
  /** What makes a repeat the same work, for routes that commit several times. */
  operation: Operation;
  providers: Providers;
  settings: Settings;
  caller: Caller;
  store: StoreScope;
  requestId: string;
  now: Date;
  log: Log;
  /** The address of the client, as far as the trusted proxies tell. */
  clientAddress: string;
  /** Sets a header of the answer, such as an ETag. */
  setHeader: (name: string, value: string) => void;
  header: (name: string) => string | undefined;
}

/** One way a request is refused, or ends other than plainly: what a register's developer must provide for. */
export interface Outcome {
  status: number;
  /** Of a 409: the word in `parameters.outcome` that a register branches on. */
  code?: string;
  /** The sentence as it is answered, placeholders included. */
  message: string;
  /** The cause, in the shop's words. */
  when: string;
  /** What the caller does next. */
  then?: string;
}

/** A request and its answer as they travel, of the demo shop. */
export interface Example {
  /** A few words: which case it shows. */
  title: string;
  params?: Readonly<Record<string, string | number>>;
  query?: string;
  body?: unknown;
  response: unknown;
}

/** A header that a route itself reads or answers; those of all routes are added to the document. */
export interface HeaderWord {
  name: string;
  /** When it is sent, and what it does. */
  description: string;
  example?: string;
}

type Schema = z.ZodType;
type Parsed<S extends Schema | undefined> = S extends Schema ? z.output<S> : undefined;

export interface Route<
  Params extends Schema | undefined = Schema | undefined,
  Query extends Schema | undefined = Schema | undefined,
  Body extends Schema | undefined = Schema | undefined,
  Response extends Schema = Schema,
  Ahead = unknown,
> {
  method: Method;
  /** Under `/rest` and the optional store code, with `:name` for variables. */
  path: `/V1/${string}`;
  /** Every resource named must be granted. */
  acl: Acl | readonly Acl[];
  /** Only an administrator's own token opens it; an integration's is refused, whatever it was granted (spec 4.12). */
  isForAdmins?: boolean;
  /** The operation's name in the API document, as generated clients call it: the route's own name in camelCase. */
  name?: string;
  /** One line for the list of routes and the API page. */
  summary: string;
  /** For the API page: when to call it, units and currency of amounts, what a repeat does. Markdown. */
  description?: string;
  /** Every refusal that is this route's own; those of all routes (401, a body that is no JSON) are added. */
  outcomes?: readonly Outcome[];
  examples?: readonly Example[];
  headers?: { read?: readonly HeaderWord[]; answered?: readonly HeaderWord[] };
  params?: Params;
  query?: Query;
  body?: Body;
  /** Of what the handler returns; wire names are made by the render functions. */
  response: Response;
  /** The answer is a JSON text encoded once more (platform facts 4.3). */
  isDoubleEncoded?: boolean;
  /** Takes whatever is JSON, also what PostgreSQL cannot keep: the route itself sorts out what it stores. */
  takesAnyJson?: boolean;
  /** Reads bodies of so many bytes, and what is larger as an empty one: for a route that refuses nothing. */
  mostBytes?: number;
  /** Reads bodies of so many bytes and refuses what is larger with 413, where files are sent; absent: 1 MB. */
  largestBody?: number;
  /**
   * The handler commits more than once, or asks others: workflows, gateways, services. With an `Idempotency-Key` it may run
   * again after a crash, and must find its own work by `operation`. Any other handler runs within one transaction then.
   */
  commits?: 'several';
  /** The answer differs per moment and carries secrets: `Cache-Control: no-store`. */
  isPrivate?: boolean;
  /**
   * A cheap read that does not wait for the look-up of a token that was let in here before: both are under way at once, and
   * each is as of now. It knows nothing of the caller; of one who is turned away nobody ever sees what it found.
   */
  readAhead?(
    request: Pick<Surroundings, 'reader' | 'header'> & { params: Parsed<Params>; query: Parsed<Query> },
  ): Promise<Ahead>;
  /** Gets what was read ahead. A `JsonText` is sent as it is, a `JsonStream` (of a GET) as it is made. */
  handle(
    request: Surroundings & { params: Parsed<Params>; query: Parsed<Query>; body: Parsed<Body>; ahead: Ahead },
  ): Promise<z.input<Response> | JsonText | JsonStream>;
}

/** For the list of all routes, where the parts differ. */
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyRoute = Route<any, any, any, any, any>;

/** Types a route value; it runs nothing. */
export const route = <
  Params extends Schema | undefined = undefined,
  Query extends Schema | undefined = undefined,
  Body extends Schema | undefined = undefined,
  Response extends Schema = Schema,
  Ahead = undefined,
>(
  value: Route<Params, Query, Body, Response, Ahead>,
): Route<Params, Query, Body, Response, Ahead> => value;
