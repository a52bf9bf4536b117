import type { IncomingMessage } from 'node:http';
import type Router from '@koa/router';
import type { Refusal } from '../../domain/errors.ts';
import type { JsonStream } from '../wire/json-stream.ts';
import type { Arguments, Sources } from './arguments.ts';
import type { Heard } from './route-context.ts';
import type { BodyBudget } from './body-budget.ts';
import type { Progress } from './in-time.ts';
import type { AnyRoute, Caller, StoreScope } from './route.ts';

/** What a request's middleware tells the next ones, as `ctx.state`: each sets what stands under its name. */
interface RequestState {
  // requestId
  requestId: string;
  /** As the caller wrote it, without the query: still encoded. */
  path: string;
  queryString: string;
  /** Of the answer, whatever it is. */
  headers: Map<string, string>;
  heard: Heard & { incoming: IncomingMessage };

  /** Absent: any bytes are held. */
  bodies?: BodyBudget;

  // errors: absent where none was caught
  refusal?: Refusal;

  // deadline
  progress: Progress;

  // restPath
  storeCode: string | undefined;
  /** `async`: carried out later. `bulk`: so are many at once. */
  way: 'now' | 'async' | 'bulk';

  // the router: absent where no route was found
  route?: AnyRoute;

  // storeView
  store: StoreScope;

  // signIn: absent until the caller was let in
  caller: Caller;
  now: Date;

  // readAhead
  ahead: Promise<unknown> | undefined;

  // query, body, readArguments
  query: Sources['query'];
  body: Sources['body'];
  sources: Sources;
  input: Arguments;

  // idempotency, acceptLater
  answer: readonly (string | Buffer)[] | JsonStream;
  /** 200, unless told. */
  status?: number;
}

declare module 'koa' {
  interface DefaultState extends RequestState {}
  interface DefaultContext {
    /** The variables of the route's path, decoded. */
    params: Record<string, string>;
    /** `@koa/router` looks for this path: `/V1/…`, without a store code. */
    newRouterPath?: string;
    router: Router;
  }
}
