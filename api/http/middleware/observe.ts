import type { Context, Middleware } from 'koa';
import type { Refusal } from '../../../domain/errors.ts';
import type { Log } from '../../../providers/log.ts';
import { inSpan, isTracing } from '../../../providers/observe/tracing.ts';
import { restPrefix } from './request-id.ts';
import { shownPath } from './errors.ts';

/** A request as it is counted. Nothing of it is as its caller wrote it. */
export interface AnsweredRequest {
  method: string;
  /** The pattern of the route, the first word of a page, or `none`. */
  route: string;
  status: number;
  ms: number;
  refusal: Refusal | undefined;
  /** What a caller who was refused with 401 had sent. */
  credentials: 'nothing' | 'token' | 'password';
}

/** Counts requests; absent where no metrics are served. */
export interface Meter {
  began(): void;
  ended(request: AnsweredRequest): void;
  /** A connection or a request that was one too many, or an idle connection that gave way. */
  turnedAway(by: 'address' | 'process' | 'forwarded address' | 'idle'): void;
}

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']);

/** The first words of the pages; every other path without a route is `none`, as callers may write any. */
const pages: ReadonlySet<string> = new Set([
  'account',
  'demo',
  'docs',
  'graphql',
  'health',
  'llms.txt',
  'media',
  'newsletter',
  'openapi.json',
  'ops',
  'receipt',
]);

export interface ObserveParts {
  log: Log;
  meter: Meter | undefined;
  /** Whether each request is a line of the log (`LOG_REQUESTS`). */
  isLogged: boolean;
  /** Prefixes of paths with a secret of the caller: no line shows more of them. */
  secretBelow: readonly string[];
}

/**
 * Counts each request, and writes its line: method, route, status, time, bytes, and by whose token, never the token.
 * The line names the request as every other does.
 *
 * A healthy answer to a load balancer's question is no line: it comes each second and tells nothing. Where requests are
 * traced, each is a span in the trace of its caller.
 */
export function observe(parts: ObserveParts): Middleware {
  const counted = count(parts);
  if (!isTracing()) return counted ?? ((_ctx, next) => next());
  return (ctx, next) => {
    const { traceparent } = ctx.req.headers;
    const parent = typeof traceparent === 'string' ? traceparent : undefined;
    const facts = { 'http.request.method': ctx.method, 'pos.request_id': ctx.state.requestId };
    return inSpan({ name: ctx.method, kind: 'server', parent, facts }, async (tell) => {
      await (counted === undefined ? next() : counted(ctx, next));
      const route = routeOf(ctx);
      const known = { 'http.route': route, 'http.response.status_code': ctx.status };
      tell({ name: `${ctx.method} ${route}`, facts: known, hasFailed: ctx.status >= 500 });
    });
  };
}

/** Undefined where nobody wants to know. */
function count({ log, meter, isLogged, secretBelow }: ObserveParts): Middleware | undefined {
  const writes = isLogged && log.isLevelEnabled('info');
  if (!meter && !writes) return undefined;
  // Whoever looks for a fault wants the ids in the path, too.
  const tellsPath = log.isLevelEnabled('debug');
  return async (ctx, next) => {
    const startedAt = performance.now();
    const sentBefore = ctx.res.socket?.bytesWritten ?? 0;
    meter?.began();
    await next();
    const { status, state } = ctx;
    const ms = performance.now() - startedAt;
    const method = methods.has(ctx.method) ? ctx.method : 'other';
    const route = routeOf(ctx);
    meter?.ended({ method, route, status, ms, refusal: state.refusal, credentials: credentialsOf(ctx) });
    if (!writes || (route === '/health' && status === 200)) return;
    const facts = { method, route, status, ms: Math.round(ms * 10) / 10, bytes: bytesOf(ctx, sentBefore) };
    const caller = callerOf(ctx);
    const path = tellsPath ? { path: shownPath(ctx, [restPrefix, ...secretBelow]) } : {};
    log.info(caller === undefined ? { ...facts, ...path } : { ...facts, ...path, caller }, 'answered');
  };
}

function routeOf({ state: { route, way, path } }: Context): string {
  if (route) return way === 'now' ? route.path : `/${way === 'bulk' ? 'async/bulk' : 'async'}${route.path}`;
  if (path === '/') return '/';
  const [, first = ''] = path.split('/', 2);
  return pages.has(first) ? `/${first}` : 'none';
}

/** A handler refuses with 401 only what was let in: then the password, the passcode or the code was wrong. */
const credentialsOf = ({ state, req }: Context) =>
  state.caller ? 'password' : req.headers.authorization === undefined ? 'nothing' : 'token';

/** The name that an administrator gave the token, or the user's; a customer's name is not for logs. */
function callerOf({ state: { caller } }: Context): string | undefined {
  if (!caller || caller.userType === 'guest') return undefined;
  return caller.userType === 'customer' ? 'customer' : caller.name;
}

/** Of the body; an answer that was written piece by piece is told with its head. */
function bytesOf(ctx: Context, sentBefore: number): number {
  if (ctx.respond === false) return Math.max(0, (ctx.res.socket?.bytesWritten ?? 0) - sentBefore);
  return ctx.method === 'HEAD' ? 0 : (ctx.response.length ?? 0);
}
