import type { EntityManager } from '@mikro-orm/postgresql';
import type { z } from 'zod';
import type { Log } from '../../providers/log.ts';
import type { Providers } from '../../providers/index.ts';
import type { Settings } from '../../providers/settings.ts';
import type { JsonStream, JsonText } from '../wire/json-stream.ts';
import type { Workflows } from '../../providers/temporal/workflows.ts';
import type { Operation } from './operation.ts';

/** A resource of the ACL, `anonymous` for everyone, or `self` for a customer's own token (platform facts 1.2). */
export type Acl = 'anonymous' | 'self' | `${string}::${string}`;

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** The caller, by its token. An unknown token makes a guest. */
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

/**
 * The objects that every handler gets beside its parsed input. A handler uses only these, never global state.
 *
 * What is rarely used is made at first use, by getters of the class: a copy by `...` does not have them, and the type
 * says so.
 */
export abstract class RouteContext {
  abstract get em(): EntityManager;
  /** Identifies repeats, for routes that commit several times. */
  abstract get operation(): Operation;
  abstract get log(): Log;
  /** The address of the client, as far as the trusted proxies tell. */
  abstract get clientAddress(): string;
  /** For plain reads outside any transaction, shared by all requests: no entity is loaded or saved with it. */
  abstract reader: EntityManager;
  abstract workflows: Workflows;
  abstract providers: Providers;
  abstract settings: Settings;
  abstract caller: Caller;
  abstract store: StoreScope;
  abstract requestId: string;
  abstract now: Date;
  /** Sets a header of the answer, such as an ETag. */
  abstract setHeader: (name: string, value: string) => void;
  abstract header: (name: string) => string | undefined;
}

/** One way a request is refused, or ends in another way: register developers must handle it. */
export interface Outcome {
  status: number;
  /** For a 409: the word in `parameters.outcome` by which a register branches. */
  code?: string;
  /** The sentence as answered, with its placeholders. */
  message: string;
  /** The cause, in the shop's words. */
  when: string;
  /** What the caller does next. */
  then?: string;
}

/** A request and its answer as sent, from the demo shop. */
export interface Example {
  /** A few words that name the case. */
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
  /** Every named resource must be granted. */
  acl: Acl | readonly Acl[];
  /** Only an administrator's own token is accepted; an integration's is refused, whatever its resources (spec 4.12). */
  isForAdmins?: boolean;
  /** The operation's name in the API document, which generated clients use: the route's own name in camelCase. */
  name?: string;
  /** One line for the list of routes and the API page. */
  summary: string;
  /** For the API page: when to call it, units and currency of amounts, the effect of a repeat. Markdown. */
  description?: string;
  /** Every refusal of this route's own; the refusals of all routes (401, a body that is not JSON) are added. */
  outcomes?: readonly Outcome[];
  /**
   * What a fault of ours is answered with where the platform has words of its own; absent: 500. It is an outcome too.
   */
  fault?: Outcome;
  examples?: readonly Example[];
  headers?: { read?: readonly HeaderWord[]; answered?: readonly HeaderWord[] };
  params?: Params;
  query?: Query;
  body?: Body;
  /** The schema of the handler's result; the render functions make wire names. */
  response: Response;
  /** What the server itself sends to endpoints, for `webhooks` of the API document. */
  tells?: readonly { type: string; summary: string; schema: z.ZodType; name: string }[];
  /** The answer is a JSON text, encoded once more (platform facts 4.3). */
  isDoubleEncoded?: boolean;
  /** The answer is sent while it is read: `fields` keeps no part of it. */
  isStreamed?: boolean;
  /** Accepts any JSON, even what PostgreSQL cannot store: the route decides what it stores. */
  takesAnyJson?: boolean;
  /** Reads bodies up to this size, and a larger one as empty: for a route that refuses nothing. */
  mostBytes?: number;
  /** Reads bodies of so many bytes and refuses what is larger with 413, where files are sent; absent: 1 MB. */
  largestBody?: number;
  /**
   * The handler commits more than once, or calls others: workflows, gateways, services. With an `Idempotency-Key` it
   * may run again after a crash, and must find its own work by `operation`. Any other handler then runs within one
   * transaction.
   */
  commits?: 'several';
  /** The answer changes and contains secrets: `Cache-Control: no-store`. */
  isPrivate?: boolean;
  /** Limits callers by their network: it is never carried out later, when the network is not known any more. */
  countsNetworks?: boolean;
  /**
   * A cheap read that starts before a recently accepted token is looked up: both run at the same time, and both are
   * current. It does not know the caller, and a refused caller never sees its result.
   */
  readAhead?(
    request: Pick<RouteContext, 'reader' | 'header'> & { params: Parsed<Params>; query: Parsed<Query> },
  ): Promise<Ahead>;
  /** Gets the result of `readAhead`. A `JsonText` is sent unchanged, a `JsonStream` (of a GET) while it is made. */
  handle(
    request: RouteContext & { params: Parsed<Params>; query: Parsed<Query>; body: Parsed<Body>; ahead: Ahead },
  ): Promise<z.input<Response> | JsonText | JsonStream>;
}

/** For the list of all routes, whose types differ. */
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyRoute = Route<any, any, any, any, any>;

/** Gives a route value its type; it runs nothing. */
export const route = <
  Params extends Schema | undefined = undefined,
  Query extends Schema | undefined = undefined,
  Body extends Schema | undefined = undefined,
  Response extends Schema = Schema,
  Ahead = undefined,
>(
  value: Route<Params, Query, Body, Response, Ahead>,
): Route<Params, Query, Body, Response, Ahead> => value;

/** Answers true once the work is done. */
export async function done(work: Promise<unknown>): Promise<true> {
  await work;
  return true;
}
