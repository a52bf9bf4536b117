import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Context, Middleware } from 'koa';
import { openBulk, type NewOperation } from '../../../db/bulk/open-bulk.ts';
import { mostOperations, type OperationSources } from '../../../domain/bulk/operation-status.ts';
import { invalid, notPermitted, PosError } from '../../../domain/errors.ts';
import { idempotencyHeader } from '../../../domain/idempotency/idempotency-key.ts';
import { inWords } from '../../../domain/fill-in.ts';
import type { Settings } from '../../../providers/settings.ts';
import { bulkId } from '../../../workflows/bulk/messages.ts';
import { isObject } from '../../wire/is-object.ts';
import { answerOnce } from '../answer-once.ts';
import type { ApiParts } from '../api-parts.ts';
import { createArgumentReader, type Arguments, type Sources } from '../arguments.ts';
import { aclOf } from '../caller.ts';
import { headersOf } from '../heard.ts';
import { maxBodyBytes, readJsonBody, takesBody } from '../middleware/body.ts';
import { tooLarge } from '../read-bytes.ts';
import type { AnyRoute, Caller, StoreScope } from '../route.ts';
import type { Within } from '../within.ts';
import { digestsOf } from './digest-operations.ts';
import { readOperations } from './read-operations.ts';
import { digestOfBody, sealed } from './seal-secrets.ts';

/** What the answer says of each operation. */
interface RequestItem {
  id: number;
  data_hash: string;
  status: 'accepted' | 'rejected';
  error_message?: string;
  error_code?: number;
}

/**
 * The work runs after the request, so its rights are read later: they must belong to an administrator or an integration.
 * Refused with 401.
 */
export const ofAdministration =
  (route: AnyRoute): Middleware =>
  ({ state: { caller } }, next) => {
    if (caller.userType !== 'admin' && caller.userType !== 'integration') throw notPermitted(aclOf(route));
    return next();
  };

/**
 * Writes the operations and answers 202 with the bulk's UUID. A worker carries them out. An operation with bad arguments is
 * rejected; the others go on.
 *
 * Refused with: 400 no list, an empty list, more than 50 000 operations · 413.
 */
export function acceptLater(parts: ApiParts, route: AnyRoute, isBulk: boolean): Middleware {
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
  return [JSON.stringify(answerOf(bulkUuid, operations))];
}

const acceptedStatus = 202;

async function singleBody(ctx: Context, route: AnyRoute) {
  return takesBody(route.method) ? readJsonBody(ctx, route) : {};
}

interface LaterRoute {
  route: AnyRoute;
  readArguments: (from: Sources) => Arguments;
}

/** An operation that was checked: accepted, or rejected. */
type Looked = ({ sources: OperationSources } | { rejected: string; refusal: PosError }) & { dataHash: string };
/** Operations checked before other requests get their turn. */
const lookedAtOnce = 200;

async function accepted(all: readonly OperationSources[], entry: LaterRoute, settings: Settings) {
  if (all.length === 0) throw invalid('There is no operation in the request.');
  if (all.length > mostOperations)
    throw invalid('A bulk has at most %1 operations; send the others in another.', [mostOperations]);
  const looked: Looked[] = [];
  for (const [index, given] of all.entries()) {
    looked.push(readOperation(given, entry, settings));
    if (index % lookedAtOnce === lookedAtOnce - 1) await setImmediate();
  }
  return looked satisfies readonly NewOperation[];
}

function readOperation(given: OperationSources, { route, readArguments }: LaterRoute, settings: Settings): Looked {
  const text = JSON.stringify(given.body);
  const dataHash = digestOfBody(text, given, settings);
  try {
    // No operation of a bulk is larger than the same request alone may be.
    const { largestBody = maxBodyBytes } = route;
    if (Buffer.byteLength(text) > largestBody) throw tooLarge(largestBody);
    const asked = withPath(given, route.path);
    readArguments(asked);
    return { sources: sealed(asked, settings), dataHash };
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
