import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { openBulk, type NewOperation } from '../../../db/bulk/open-bulk.ts';
import { mostOperations, type OperationSources } from '../../../domain/bulk/operation-status.ts';
import { invalid, notFound, notPermitted, PosError } from '../../../domain/errors.ts';
import { idempotencyHeader } from '../../../domain/idempotency/idempotency-key.ts';
import { isObject } from '../../wire/is-object.ts';
import { inWords } from '../../../domain/fill-in.ts';
import { bulkId } from '../../../workflows/bulk/messages.ts';
import { answerOnce } from '../answer-once.ts';
import type { Within } from '../within.ts';
import { callerOf, findCaller, tokenIn } from '../caller.ts';
import type { Progress } from '../in-time.ts';
import type { Settings } from '../../../providers/settings.ts';
import type { RestAnswer, RestRequest } from '../rest-request.ts';
import type { ApiParts } from '../api-parts.ts';
import { mayCall } from '../mounted.ts';
import { parseQuery } from '../query-string.ts';
import { reached } from '../reached.ts';
import { maxBodyBytes, readBody, tooLarge } from '../read-body.ts';
import type { StoreScope } from '../route.ts';
import { headersOf } from '../heard.ts';
import type { createSignatureCheck } from '../signed-caller.ts';
import { digestsOf } from './digest-operations.ts';
import { canWait, laterRouters, type LaterEntry } from './later-routes.ts';
import { readOperations } from './read-operations.ts';
import { digestOfBody, sealed } from './seal-secrets.ts';

interface Doors {
  findStore: (code: string | undefined) => Promise<StoreScope>;
  checkSignature: ReturnType<typeof createSignatureCheck>;
}

interface LaterPath {
  storeCode: string | undefined;
  segments: readonly string[];
  isBulk: boolean;
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
 * Makes the handler of requests that are carried out later. It checks the caller and the arguments as every route does,
 * writes the operations and answers 202 with the bulk's UUID. A worker carries them out. An operation with bad
 * arguments is rejected; the others go on.
 *
 * Refused with: 404 a route that cannot be carried out later · 401 · 400 no list, an empty list, more than 50 000
 * operations · 413.
 */
export function createLaterDoor(parts: ApiParts, { findStore, checkSignature }: Doors) {
  // Made at first use: most processes get no such request.
  let routers: ReturnType<typeof laterRouters> | undefined;

  return async (
    request: RestRequest,
    { storeCode, segments, isBulk }: LaterPath,
    progress: Progress,
  ): Promise<RestAnswer> => {
    routers ??= laterRouters(parts.routes);
    const found = (isBulk ? routers.bulk : routers.single).find(request.method, segments);
    const store = await reached(findStore(storeCode));
    if (!found || !canWait(found.entry.later)) throw notFound('Request does not match any route.');
    const { later, acl } = found.entry;
    request.found?.(() => `${isBulk ? 'async/bulk' : 'async'}${later.path}`);
    const now = parts.clock();
    const signer = await checkSignature(request.incoming, now);
    const caller = signer
      ? callerOf(signer, store)
      : await reached(findCaller(parts.orm.em, tokenIn(request.incoming.headers.authorization), { now, store }));
    const { userType, userId } = caller;
    // The work runs after the request, so its rights are read later: they must belong to an administrator or an
    // integration.
    if ((userType !== 'admin' && userType !== 'integration') || !mayCall(caller, found.entry)) throw notPermitted(acl);

    const query = parseQuery(request.queryString);
    const bodies = isBulk ? await readOperations(request.incoming) : [await singleBody(request, found.entry)];
    const all = bodies.map((body): OperationSources => ({ path: found.params, query, body }));
    const operations = await accepted(all, found.entry, parts.settings);
    const [only] = operations;
    if (!isBulk && only && 'rejected' in only) throw only.refusal;

    const isKeyed = headersOf(request.incoming)(idempotencyHeader) !== undefined;
    const sources = { path: found.params, query, body: { operations: isKeyed ? await digestsOf(bodies) : [] } };
    const work = async ({ em, workflows = parts.workflows }: Within) => {
      progress.begin();
      const bulkUuid = randomUUID();
      const route = `${later.method} ${later.path}`;
      await openBulk(em ?? parts.orm.em, { bulkUuid, userType, userId, route, store, operations });
      // When Temporal is away, the minute's sweep starts the bulk.
      workflows
        .start({
          workflow: 'bulkWorkflow',
          id: bulkId(bulkUuid),
          input: { bulkUuid },
          summary: `${operations.length} × ${route}`,
        })
        .catch((error: unknown) => parts.log.warn({ error, bulkUuid }, 'nobody follows a bulk yet; the sweep does'));
      return [JSON.stringify(answerOf(bulkUuid, operations))];
    };
    const { commits: _severally, ...once } = later;
    const body = await answerOnce({ parts, request, route: once, sources, caller, store, work });
    return { body, isPrivate: false, status: acceptedStatus };
  };
}

const acceptedStatus = 202;

async function singleBody(request: RestRequest, { later }: LaterEntry) {
  return request.method === 'DELETE' ? {} : readBody(request.incoming, later);
}

/** An operation that was checked: accepted, or rejected. */
type Looked = ({ sources: OperationSources } | { rejected: string; refusal: PosError }) & { dataHash: string };
/** Operations checked before other requests get their turn. */
const lookedAtOnce = 200;

async function accepted(all: readonly OperationSources[], entry: LaterEntry, settings: Settings) {
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

function readOperation(given: OperationSources, { later, readArguments }: LaterEntry, settings: Settings): Looked {
  const text = JSON.stringify(given.body);
  const dataHash = digestOfBody(text, given, settings);
  try {
    // No operation of a bulk is larger than the same request alone may be.
    const { largestBody = maxBodyBytes } = later;
    if (Buffer.byteLength(text) > largestBody) throw tooLarge(largestBody);
    const asked = withPath(given, later.path);
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
