import { hash } from 'node:crypto';
import {
  answerInOneCommit,
  answerUnderClaim,
  type Answered,
  type RequestWithKey,
  type KnownRequest,
} from '../../db/idempotency.ts';
import { storedAnswerPurpose } from '../../db/sealed-columns.ts';
import { canonicalJson } from '../../domain/canonical-json.ts';
import { PosError, type Refusal } from '../../domain/errors.ts';
import { answerNotStored, idempotencyHeader, inUse, readIdempotencyKey } from '../../domain/idempotency.ts';
import type { Workflows } from '../../providers/temporal/workflows.ts';
import type { ApiParts } from './api-parts.ts';
import type { Sources } from './arguments.ts';
import { namedOperation } from './operation.ts';
import { secretBoxOf } from './secret-box.ts';
import { headersOf, type Heard } from './route-context.ts';
import type { AnyRoute, Caller, StoreScope } from './route.ts';
import { markReplayed, type Within } from './within.ts';

export interface HeldBack {
  workflows: Workflows;
  /** Sends the collected messages once the transaction is committed. */
  release: () => void;
}

/**
 * Collects messages to workflows from a handler within one transaction: they are sent after its commit, or never.
 * Such a handler cannot wait for an answer.
 */
export function heldBack(workflows: Workflows): HeldBack {
  const waiting: (() => void)[] = [];
  const committed = () => new Promise<void>((resolve) => waiting.push(resolve));
  return {
    release: () => waiting.splice(0).forEach((go) => go()),
    workflows: {
      ask: () => {
        throw new Error('A route that asks a workflow commits several times: say so in the route.');
      },
      start: async (life) => {
        await committed();
        return workflows.start(life);
      },
      signal: async (signal, id, ...args) => {
        await committed();
        return workflows.signal(signal, id, ...args);
      },
      isReachable: () => workflows.isReachable(),
      refuseWhileAway: () => workflows.refuseWhileAway(),
    },
  };
}

/** A request with a key, and its caller. */
export interface KeyedCall {
  key: string;
  route: AnyRoute;
  sources: Sources;
  caller: Caller;
  store: StoreScope;
  requestId: string;
}

/**
 * The digests that identify a request with a key. A key belongs to its caller; the same key of another caller is a
 * different one.
 *
 * Route, store view, path, query and body make up the request; the order of its keys does not matter. The key is
 * mixed into both digests and stored nowhere.
 */
function requestedRequest({ key, route, sources, caller, store, requestId }: KeyedCall): RequestWithKey {
  const { userType: callerType, userId: callerId } = caller;
  const name = `${route.method} ${route.path}`;
  return {
    digest: hash('sha256', canonicalJson([callerType, callerId, key])),
    fingerprint: hash('sha256', canonicalJson([key, name, store.storeId, sources])),
    callerType,
    callerId,
    route: name,
    requestId,
  };
}

export interface AnyCall {
  parts: ApiParts;
  request: Heard;
  route: AnyRoute;
  sources: Sources;
  caller: Caller;
  store: StoreScope;
  /** Carries the request out and renders its answer. */
  work: (within: Within) => Promise<Pieces>;
}

type Pieces = readonly (string | Buffer)[];

/**
 * Carries a request out once for its `Idempotency-Key`: a repeat gets the first answer again, with the header
 * `Idempotent-Replayed`. Without a key, for GET and DELETE, and for a caller without a token, it is carried out
 * directly.
 *
 * Refused with: 400 a malformed key · 409 `idempotency_key_in_use`, `idempotency_answer_not_kept` · 422
 * `idempotency_key_reused`.
 */
export async function answerOnce(call: AnyCall): Promise<Pieces> {
  const { request, route, caller, parts } = call;
  const input = headersOf(request.incoming)(idempotencyHeader);
  const isWrite = route.method === 'POST' || route.method === 'PUT';
  // Callers without a token share one identity, so a key would be shared by all of them.
  if (input === undefined || !isWrite || caller.userType === 'guest') return call.work({});
  const query = {
    ...requestedRequest({ ...call, key: readIdempotencyKey(input), requestId: request.requestId }),
    ...(route.isPrivate ? { seal: sealerOf(parts) } : {}),
  };
  try {
    return answerOf(call, route.commits === 'several' ? await severally(call, query) : await atOnce(call, query));
  } catch (error) {
    if (error instanceof PosError && error.parameters && Reflect.get(error.parameters, 'outcome') === inUse)
      request.setHeader('Retry-After', retryAfterSeconds);
    throw error;
  }
}

/** Most requests have ended by then. */
const retryAfterSeconds = '1';

async function atOnce({ parts, work }: AnyCall, request: RequestWithKey): Promise<Answered> {
  // From the committed attempt: the messages of an earlier attempt are dropped with it.
  let reportOutcome: () => void = () => undefined;
  const answered = await answerInOneCommit(parts.orm.em, request, async (em) => {
    const { workflows, release } = heldBack(parts.workflows);
    reportOutcome = release;
    return textOf(await work({ em, workflows }));
  });
  if ('text' in answered) reportOutcome();
  return answered;
}

const severally = ({ parts, request, work }: AnyCall, query: RequestWithKey): Promise<Answered> =>
  answerUnderClaim(parts.orm.em.fork(), query, {
    work: async (run) => textOf(await work({ operation: namedOperation(run) })),
    failed: (error) =>
      parts.log.warn(
        { requestId: request.requestId, error },
        'a request with a key could not be kept; a repeat finds its work',
      ),
  });

function answerOf({ parts, request }: AnyCall, answered: Answered): Pieces {
  if ('text' in answered) return [answered.text];
  if ('refused' in answered) throw answered.refused;
  markReplayed(request);
  const text = openedText(parts, answered.replayed);
  if (answered.replayed.status === 200) return [text];
  const refusal: Refusal = JSON.parse(text);
  throw new PosError(refusal);
}

function openedText(parts: ApiParts, { answer, isSealed }: KnownRequest): string {
  if (answer === null) throw answerNotStored();
  return isSealed ? secretBoxOf(parts.settings).open(answer, storedAnswerPurpose) : answer;
}

/** Without a secret key, an answer with secrets is not stored. */
const sealerOf =
  ({ settings }: ApiParts) =>
  (text: string) =>
    settings.POS_SECRET_KEY === undefined ? undefined : secretBoxOf(settings).seal(text, storedAnswerPurpose);

const textOf = (pieces: Pieces) => pieces.map(String).join('');
