import { answerInOneCommit, type Answered } from '../../db/idempotency/answer-in-one-commit.ts';
import { answerUnderClaim } from '../../db/idempotency/answer-under-claim.ts';
import type { AskedRequest, KnownRequest } from '../../db/idempotency/keyed-request.repository.ts';
import { PosError, type Refusal } from '../../domain/errors.ts';
import {
  answerNotKept,
  idempotencyHeader,
  inUse,
  readIdempotencyKey,
} from '../../domain/idempotency/idempotency-key.ts';
import type { Sources } from './arguments.ts';
import { heldBack } from './after-commit.ts';
import type { ApiParts } from './api-parts.ts';
import { namedOperation } from './operation.ts';
import { secretBoxOf } from './register/secret-box-of.ts';
import { askedRequest } from './request-fingerprint.ts';
import type { AnyRoute, Caller, StoreScope } from './route.ts';
import { headersOf, type Heard } from './heard.ts';
import { markReplayed } from './mark-replayed.ts';
import type { Within } from './within.ts';

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

/** The purpose with which answers with secrets are sealed. */
const sealedFor = 'kept answer';

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
  const given = headersOf(request.incoming)(idempotencyHeader);
  const isWrite = route.method === 'POST' || route.method === 'PUT';
  // Callers without a token share one identity, so a key would be shared by all of them.
  if (given === undefined || !isWrite || caller.userType === 'guest') return call.work({});
  const asked = {
    ...askedRequest({ ...call, key: readIdempotencyKey(given), requestId: request.requestId }),
    ...(route.isPrivate ? { seal: sealerOf(parts) } : {}),
  };
  try {
    return answerOf(call, route.commits === 'several' ? await severally(call, asked) : await atOnce(call, asked));
  } catch (error) {
    if (error instanceof PosError && error.parameters && Reflect.get(error.parameters, 'outcome') === inUse)
      request.setHeader('Retry-After', retryAfterSeconds);
    throw error;
  }
}

/** Most requests have ended by then. */
const retryAfterSeconds = '1';

async function atOnce({ parts, work }: AnyCall, asked: AskedRequest): Promise<Answered> {
  // From the committed attempt: the messages of an earlier attempt are dropped with it.
  let reportOutcome: () => void = () => undefined;
  const answered = await answerInOneCommit(parts.orm.em, asked, async (em) => {
    const { workflows, release } = heldBack(parts.workflows);
    reportOutcome = release;
    return textOf(await work({ em, workflows }));
  });
  if ('text' in answered) reportOutcome();
  return answered;
}

const severally = ({ parts, request, work }: AnyCall, asked: AskedRequest): Promise<Answered> =>
  answerUnderClaim(parts.orm.em.fork(), asked, {
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
  if (answer === null) throw answerNotKept();
  return isSealed ? secretBoxOf(parts.settings).open(answer, sealedFor) : answer;
}

/** Without a secret key, an answer with secrets is not stored. */
const sealerOf =
  ({ settings }: ApiParts) =>
  (text: string) =>
    settings.POS_SECRET_KEY === undefined ? undefined : secretBoxOf(settings).seal(text, sealedFor);

const textOf = (pieces: Pieces) => pieces.map(String).join('');
