import { hash, randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Context, Middleware } from 'koa';
import { openBulk, type NewOperation } from '../../../db/bulk/open-bulk.ts';
import { mostOperations, type OperationSources } from '../../../domain/bulk.ts';
import { canonicalJson } from '../../../domain/canonical-json.ts';
import { invalid, notPermitted, PosError } from '../../../domain/errors.ts';
import { inWords } from '../../../domain/fill-in.ts';
import { idempotencyHeader } from '../../../domain/idempotency.ts';
import { tooManyOperations } from '../../../domain/refusals/platform.ts';
import type { Settings } from '../../../providers/settings.ts';
import { bulkId } from '../../../workflows/messages.ts';
import { jsonInPieces } from '../../wire/json-stream.ts';
import { isObject, readJson, readLongJson } from '../../wire/read-json.ts';
import { answerOnce } from '../answer-once.ts';
import { createRouters, type Routers } from '../routers.ts';
import type { ApiParts } from '../api-parts.ts';
import { createArgumentReader, type Arguments, type Sources } from '../arguments.ts';
import { maxBodyBytes, readJsonBody, takesBody } from '../middleware/body.ts';
import { query } from '../middleware/query.ts';
import type { SignIn } from '../middleware/sign-in.ts';
import { noRoute, storeView } from '../middleware/store-view.ts';
import { checkContentType, decodeLong, readBytes, tooLarge } from '../read-bytes.ts';
import { aclOf, headersOf } from '../route-context.ts';
import type { AnyRoute, Caller, StoreScope } from '../route.ts';
import type { FindStore } from '../store-scopes.ts';
import type { Within } from '../within.ts';
import { digestOfBody, sealed } from './seal-secrets.ts';

/** Operations digested before other requests get their turn. */
const digestedAtOnce = 200;

/** What identifies the operations of a bulk in the fingerprint of its request, made in pieces: SHA-256 of each. */
async function digestsOf(bodies: readonly object[]): Promise<string[]> {
  const digests: string[] = [];
  for (const body of bodies) {
    digests.push(hash('sha256', canonicalJson(body)));
    if (digests.length % digestedAtOnce === 0) await setImmediate();
  }
  return digests;
}

/**
 * Reads a JSON list, so that other requests go on meanwhile. Undefined: it is no list. Refused with 400 as `readJson`
 * refuses.
 */
export async function readList(text: string): Promise<unknown[] | undefined> {
  if (!/^[ \t\n\r]*\[/.test(text)) return undefined;
  const list = await readLongJson(text);
  return Array.isArray(list) ? list : undefined;
}

/** Enough for fifty thousand products of 600 bytes. */
const mostBytes = 33_554_432;

/**
 * The operations of a bulk: a JSON list of objects. Refused with: 400 anything else · 413 more than 32 MB.
 */
async function readOperations(ctx: Context): Promise<Readonly<Record<string, unknown>>[]> {
  const bytes = await ctx.state.progress.whileSent(() => readBytes(ctx, mostBytes));
  if (bytes === 'too_large') throw tooLarge(mostBytes);
  checkContentType(ctx.req.headers['content-type']);
  const text = await decodeLong(bytes);
  const list = await readList(text);
  // What is no list is refused in any case: a large one is not parsed for that.
  if (!list && text.length <= maxBodyBytes) readJson(text);
  if (!list?.every(isObject)) throw invalid('A bulk is a list of objects, one for each operation.');
  return list;
}

/** What the answer says of each operation. */
interface RequestItem {
  id: number;
  data_hash: string;
  status: 'accepted' | 'rejected';
  error_message?: string;
  error_code?: number;
}

/**
 * The work runs after the request, so its rights are read later: they must belong to an administrator or an
 * integration. Refused with 401.
 */
const ofAdministration =
  (route: AnyRoute): Middleware =>
  ({ state: { caller } }, next) => {
    if (caller.userType !== 'admin' && caller.userType !== 'integration') throw notPermitted(aclOf(route));
    return next();
  };

/**
 * Writes the operations and answers 202 with the bulk's UUID. A worker carries them out. An operation with bad
 * arguments is rejected; the others go on.
 *
 * Refused with: 400 no list, an empty list, more than 50 000 operations · 413.
 */
function acceptLater(parts: ApiParts, route: AnyRoute, isBulk: boolean): Middleware {
  const later: LaterRoute = { route, readArguments: createArgumentReader(route) };
  const { commits: _severally, ...once } = route;
  return async (ctx) => {
    const { state, params } = ctx;
    const { store, caller, query, heard: request } = state;
    const bodies = isBulk ? await readOperations(ctx) : [await singleBody(ctx, route)];
    const all = bodies.map((body): OperationSources => ({ path: params, query, body }));
    const operations = await accepted(all, later, parts.settings);
    const [only] = operations;
    if (!isBulk && only && 'rejected' in only) throw only.refusal;

    const isKeyed = headersOf(ctx.req)(idempotencyHeader) !== undefined;
    const sources = { path: params, query, body: { operations: isKeyed ? await digestsOf(bodies) : [] } };
    const work = (within: Within) => {
      state.progress.begin();
      return openAndStart(parts, { route, store, caller, operations }, within);
    };
    state.answer = await answerOnce({ parts, request, route: once, sources, caller, store, work });
    state.status = acceptedStatus;
  };
}

interface Accepted {
  route: AnyRoute;
  store: StoreScope;
  caller: Caller;
  operations: readonly Looked[];
}

/** Writes a bulk and starts its workflow. When Temporal is away, the minute's sweep starts it. */
async function openAndStart(
  parts: ApiParts,
  { route, store, caller, operations }: Accepted,
  { em = parts.orm.em, workflows = parts.workflows }: Within,
): Promise<string[]> {
  const { userId } = caller;
  // Nobody else was let in.
  const userType = caller.userType === 'admin' ? 'admin' : 'integration';
  const bulkUuid = randomUUID();
  const name = `${route.method} ${route.path}`;
  await openBulk(em, { bulkUuid, userType, userId, route: name, store, operations });
  workflows
    .start({
      workflow: 'bulkWorkflow',
      id: bulkId(bulkUuid),
      input: { bulkUuid },
      summary: `${operations.length} × ${name}`,
    })
    .catch((error: unknown) => parts.log.warn({ error, bulkUuid }, 'nobody follows a bulk yet; the sweep does'));
  return jsonInPieces(answerOf(bulkUuid, operations));
}

const acceptedStatus = 202;

async function singleBody(ctx: Context, route: AnyRoute) {
  return takesBody(route.method) ? ctx.state.progress.whileSent(() => readJsonBody(ctx, route)) : {};
}

interface LaterRoute {
  route: AnyRoute;
  readArguments: (from: Sources) => Arguments;
}

/** An operation that was checked: accepted, or rejected. */
type Looked = ({ sources: OperationSources } | { rejected: string; refusal: PosError }) & { dataHash: string };
/** Operations checked before other requests get their turn. */
const lookedAtOnce = 50;

async function accepted(all: readonly OperationSources[], entry: LaterRoute, settings: Settings) {
  if (all.length === 0) throw invalid('There is no operation in the request.');
  if (all.length > mostOperations) throw tooManyOperations([mostOperations]);
  const looked: Looked[] = [];
  for (const [index, input] of all.entries()) {
    looked.push(readOperation(input, entry, settings));
    if (index % lookedAtOnce === lookedAtOnce - 1) await setImmediate();
  }
  return looked satisfies readonly NewOperation[];
}

function readOperation(input: OperationSources, { route, readArguments }: LaterRoute, settings: Settings): Looked {
  const text = JSON.stringify(input.body);
  const dataHash = digestOfBody(text, input, settings);
  try {
    // No operation of a bulk is larger than the same request alone may be.
    const { largestBody = maxBodyBytes } = route;
    if (Buffer.byteLength(text) > largestBody) throw tooLarge(largestBody);
    const request = withPath(input, route.path);
    readArguments(request);
    return { sources: sealed(request, settings), dataHash };
  } catch (error) {
    if (!(error instanceof PosError)) throw error;
    return { rejected: inWords(error.refusal), refusal: error, dataHash };
  }
}

/**
 * Adds the path's variables to an operation. A bulk may have them beside the body's keys or inside: `{"product":
 * {"sku": …}}`.
 */
function withPath(sources: OperationSources, path: string): OperationSources {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  const missing = names.filter((name) => sources.path[name] === undefined);
  if (missing.length === 0) return sources;
  const within = [sources.body, ...Object.values(sources.body).filter(isObject)];
  const found = missing.flatMap((name) => {
    const value = within.map((one) => one[name] ?? one[snake(name)]).find((one) => isPlain(one));
    return value === undefined ? [] : [[name, String(value)] as const];
  });
  return { ...sources, path: { ...sources.path, ...Object.fromEntries(found) } };
}

const snake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const isPlain = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number';

function answerOf(bulkUuid: string, operations: readonly Looked[]) {
  const items = operations.map((operation, id): RequestItem => {
    const item = { id, data_hash: operation.dataHash };
    return 'rejected' in operation
      ? { ...item, status: 'rejected', error_message: operation.rejected, error_code: operation.refusal.status }
      : { ...item, status: 'accepted' };
  });
  return { bulk_uuid: bulkUuid, request_items: items, errors: items.some(({ status }) => status === 'rejected') };
}

/**
 * Whether a route can be carried out later: it writes, its answer is no secret, it does not count networks, and it does
 * not act on the caller's own account. The route's definition decides; there is no list.
 */
export const canWait = ({ method, isPrivate = false, countsNetworks = false, acl }: AnyRoute): boolean =>
  method !== 'GET' && !isPrivate && !countsNetworks && !(typeof acl === 'string' ? [acl] : acl).includes('self');

/** The path of a bulk: `/V1/products/:sku` is `/V1/products/bySku`, because each operation has its own sku. */
const bulkPath = (path: AnyRoute['path']): AnyRoute['path'] => `/V1/${path.split('/').slice(2).map(byName).join('/')}`;

const byName = (segment: string) =>
  segment.startsWith(':') ? `by${segment.charAt(1).toUpperCase()}${segment.slice(2)}` : segment;

interface AsyncParts {
  findStore: FindStore;
  signIn: SignIn;
}

/**
 * Takes requests that are carried out later: `/async/V1/…` one, `/async/bulk/V1/…` many. The caller and the arguments
 * are checked as every route does.
 *
 * Refused with: 404 a route that cannot be carried out later, and the refusals of `acceptLater`.
 */
export function asyncRoutes(parts: ApiParts, { findStore, signIn }: AsyncParts): Middleware {
  const nowhere = noRoute(findStore);
  const stackOf = (isBulk: boolean) => (route: AnyRoute) =>
    canWait(route)
      ? [storeView(findStore), signIn(route), ofAdministration(route), query(), acceptLater(parts, route, isBulk)]
      : [nowhere];
  // Those that cannot wait are found as well: otherwise `/V1/customers/me` would be a customer named `me`.
  const routers = () => {
    const routes = parts.routes.filter(({ method }) => method !== 'GET');
    return {
      async: createRouters(routes, stackOf(false)),
      bulk: createRouters(routes, stackOf(true), { pathOf: ({ path }) => bulkPath(path) }),
    };
  };
  // Made at first use: most processes get no such request.
  let made: { async: Routers; bulk: Routers } | undefined;
  return (ctx, next) => {
    const { way } = ctx.state;
    if (way === 'now') return next();
    made ??= routers();
    return made[way].routes()(ctx, () => nowhere(ctx, next));
  };
}
