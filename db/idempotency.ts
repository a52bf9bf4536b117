import { randomUUID } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { PosError } from '../domain/errors.ts';
import { isLastWord, keyInUse, keyReused } from '../domain/idempotency.ts';
import { KeyedRequest, longestAnswer } from './idempotency/keyed-request.entity.ts';
import { asWrite } from './support/connections/lanes.ts';

import { tryLockAdvisory } from './support/lock-advisory.ts';
import { sql } from './support/sql.ts';
import type { RowFrom } from './support/statement.ts';
import { joined, transact } from './support/transact.ts';

/** A request with a key. */
export interface RequestWithKey extends Pick<
  KeyedRequest,
  'digest' | 'fingerprint' | 'callerType' | 'callerId' | 'route' | 'requestId'
> {
  /**
   * Seals an answer with secrets; absent: it is stored as it is. Returns undefined where there is no key to seal it
   * with.
   */
  seal?: (text: string) => string | undefined;
}

/** The answer: JSON text, or a refusal. */
interface StoredAnswer {
  status: number;
  text: string;
}

/** A request that arrived before. */
export type KnownRequest = RowFrom<typeof selectKeyedRequest>;

/**
 * Locks a request by its key: until the transaction ends no other run reads it.
 *
 * Refused with: 409 `idempotency_key_in_use` while another run locks or owns it · 422 `idempotency_key_reused`.
 *
 * @returns undefined for a new key, an `open` request whose run was given up, or a `done` one
 */
async function meetRequest(
  em: EntityManager,
  { digest, fingerprint }: Pick<RequestWithKey, 'digest' | 'fingerprint'>,
): Promise<KnownRequest | undefined> {
  if (!(await tryLockAdvisory(em, `keyed request ${digest}`))) throw keyInUse();
  const known = await selectKeyedRequest.first(em, { digest });
  if (known && known.fingerprint !== fingerprint) throw keyReused();
  if (known?.isHeld) throw keyInUse();
  return known;
}

const selectKeyedRequest = sql('idempotency.selectKeyedRequest')`
  select fingerprint, state, operation_key, made_id, status, answer, is_sealed,
    coalesce(state = 'open' and lease_until > clock_timestamp(), false) as is_held
  from keyed_request where digest = $digest`;

/** Stores the first answer of a request and makes it `done`. See `meetRequest`. */
const keepAnswer = (em: EntityManager, request: RequestWithKey, input: StoredAnswer): Promise<number> =>
  keep.run(em, { ...wordsOf(request), ...storedAs(request, input) });

/**
 * A refusal has no secret. For an answer that is too long or cannot be sealed, only the fact that it was given is
 * stored.
 */
function storedAs({ seal }: Pick<RequestWithKey, 'seal'>, { status, text: reply }: StoredAnswer) {
  const isSealed = seal !== undefined && status === 200;
  const isShort = Buffer.byteLength(reply) <= longestAnswer;
  const answer = isShort ? (isSealed ? seal(reply) : reply) : undefined;
  return { status, answer: answer ?? null, isSealed: isSealed && answer !== undefined };
}

const wordsOf = ({ digest, fingerprint, callerType, callerId, route, requestId }: RequestWithKey) => ({
  digest,
  fingerprint,
  callerType,
  callerId,
  route: route.slice(0, 255),
  requestId,
});

const keep = sql('idempotency.keep')`
  insert into keyed_request (digest, fingerprint, caller_type, caller_id, route, request_id, state, status, answer,
    is_sealed, answered_at)
  values ($digest, $fingerprint, $callerType, $callerId, $route, $requestId, 'done', $status, $answer?, $isSealed,
    clock_timestamp())
  on conflict (digest) do update set state = 'done', owner = null, lease_until = null, status = excluded.status,
    answer = excluded.answer, is_sealed = excluded.is_sealed, answered_at = excluded.answered_at`;

/** The answer, from this run or from the first one. */
export type Answered = { text: string } | { refused: PosError } | { replayed: KnownRequest };

/**
 * Carries out a request and stores its answer in one transaction: the writes of `work` and the answer are committed
 * together or not at all.
 *
 * One run at a time per key. A refusal rolls back the writes of `work` and is stored, unless it is temporary
 * (`isLastWord`). Work may run more than once, as in `transact`, so it calls nothing outside the database.
 *
 * Refused with: 409 `idempotency_key_in_use` · 422 `idempotency_key_reused` · temporary refusals of `work`.
 */
export const answerInOneCommit = (
  em: EntityManager,
  request: RequestWithKey,
  work: (em: EntityManager) => Promise<string>,
): Promise<Answered> =>
  transact(em, async (tx) => {
    const known = await meetRequest(tx, request);
    if (known?.state === 'done') return { replayed: known };
    const answered = await attempt(tx, work);
    await keepAnswer(
      tx,
      request,
      'text' in answered
        ? { status: 200, text: answered.text }
        : { status: answered.refused.status, text: JSON.stringify(answered.refused.refusal) },
    );
    return answered;
  });

/** A savepoint, so that a refusal rolls back the work but keeps the request's lock. */
async function attempt(tx: EntityManager, work: (em: EntityManager) => Promise<string>) {
  try {
    return { text: await transact(joined(tx), (inner) => work(joined(inner))) };
  } catch (error) {
    if (error instanceof PosError && isLastWord(error.status)) return { refused: error };
    throw error;
  }
}

/** A run renews its lease; a dead run is taken over after so many seconds. */
const leaseSeconds = 15;

/** One run's claim on a request. */
interface Hold {
  digest: string;
  owner: string;
}

/**
 * Claims a request for one run, in the caller's transaction. A run with an expired lease is taken over: it can record
 * nothing more, but what it recorded stays.
 *
 * Refused with: as `meetRequest`.
 *
 * @returns the request for this run, or `done` where it has its answer
 */
async function claimRequest(em: EntityManager, request: RequestWithKey, owner: string): Promise<KnownRequest> {
  const known = await meetRequest(em, request);
  if (known?.state === 'done') return known;
  const held = await claim.first(em, { ...wordsOf(request), owner, leaseSeconds });
  if (!held) throw new Error('a request was claimed and is not there');
  return held;
}

const claim = sql('idempotency.claim')`
  insert into keyed_request as k (digest, fingerprint, caller_type, caller_id, route, request_id, state, owner,
    lease_until)
  values ($digest, $fingerprint, $callerType, $callerId, $route, $requestId, 'open', $owner,
    clock_timestamp() + make_interval(secs => $leaseSeconds))
  on conflict (digest) do update set owner = excluded.owner, lease_until = excluded.lease_until
  returning fingerprint, state, operation_key, made_id, status, answer, is_sealed, true as is_held`;

/** Renews the claim of a working run. Does nothing where another run has taken over. */
async function renewLease(em: EntityManager, hold: Hold): Promise<void> {
  await renew.run(em, { ...hold, leaseSeconds });
}

const renew = sql('idempotency.renew')`
  update keyed_request set lease_until = clock_timestamp() + make_interval(secs => $leaseSeconds)
  where digest = $digest and owner = $owner`;

/**
 * Records what the run created, in the transaction that creates it.
 * @returns 0 where another run has taken over
 */
const noteMade = (em: EntityManager, noted: Hold & { madeId: number }): Promise<number> => made.run(em, noted);

const made = sql('idempotency.made')`
  update keyed_request set made_id = $madeId where digest = $digest and owner = $owner`;

/** Stores the answer of a run; does nothing where another run has taken over. */
async function finishRequest(
  em: EntityManager,
  hold: Hold,
  request: Pick<RequestWithKey, 'seal'>,
  input: StoredAnswer,
): Promise<void> {
  await finish.run(em, { ...hold, ...storedAs(request, input) });
}

const finish = sql('idempotency.finish')`
  update keyed_request set state = 'done', owner = null, lease_until = null, status = $status, answer = $answer?,
    is_sealed = $isSealed, answered_at = clock_timestamp()
  where digest = $digest and owner = $owner`;

/** Releases the request without an answer: it may be sent again at once. */
async function releaseRequest(em: EntityManager, hold: Hold): Promise<void> {
  await release.run(em, { ...hold });
}

const release = sql('idempotency.release')`
  update keyed_request set lease_until = clock_timestamp() where digest = $digest and owner = $owner`;

/** One run of a request that commits several times: it identifies the operation across runs. */
export interface Run {
  /** The same for every run of this request, and different for any other. */
  operationKey: string;
  /** The id that an earlier run recorded by `made`; null where none did. */
  madeBefore: number | null;
  /** Records an id in the transaction that creates it. Refused with 409 where another run has taken over. */
  made: (tx: EntityManager, id: number) => Promise<void>;
  /** Marks the answer as temporary: it is not stored, and the same request asks again. */
  leaveOpen: () => void;
}

/**
 * Carries out a request that commits several times or calls others. One commit claims it, another stores its answer.
 * When a run dies in between, its lease ends after 15 seconds and another run takes over. `work` then runs again, and
 * must find by `Run` what the first run did. See `answerInOneCommit`.
 *
 * @param failed called when an answer or a lease could not be stored: the work continues, and the next run finds it
 */
export async function answerUnderClaim(
  em: EntityManager,
  request: RequestWithKey,
  { work, failed }: { work: (run: Run) => Promise<string>; failed: (error: unknown) => void },
): Promise<Answered> {
  const mine = { digest: request.digest, owner: randomUUID() };
  const known = await transact(em, (tx) => claimRequest(tx, request, mine.owner));
  if (known.state === 'done') return { replayed: known };
  let isOpen = false;
  const run: Run = {
    operationKey: known.operationKey,
    madeBefore: known.madeId,
    made: async (tx, id) => {
      if ((await noteMade(tx, { ...mine, madeId: id })) === 0) throw keyInUse();
    },
    leaveOpen: () => {
      isOpen = true;
    },
  };
  const renewing = renewEach(() => asWrite(() => renewLease(em, mine)).catch(failed));
  const keep = (input: StoredAnswer) => {
    clearInterval(renewing);
    return asWrite(() => (isOpen ? releaseRequest(em, mine) : finishRequest(em, mine, request, input))).catch(failed);
  };
  try {
    const reply = await work(run);
    await keep({ status: 200, text: reply });
    return { text: reply };
  } catch (error) {
    if (!(error instanceof PosError) || !isLastWord(error.status)) isOpen = true;
    const refusal = error instanceof PosError ? error.refusal : {};
    await keep({ status: error instanceof PosError ? error.status : 500, text: JSON.stringify(refusal) });
    throw error;
  }
}

/** A third of the lease. */
const renewEveryMs = 5_000;
/** Five minutes: longer than any of our work. Anything longer may be taken over. */
const mostRenewals = 60;

function renewEach(renew: () => unknown): NodeJS.Timeout {
  let renewals = 0;
  const timer: NodeJS.Timeout = setInterval(() => {
    if (++renewals > mostRenewals) clearInterval(timer);
    else renew();
  }, renewEveryMs);
  return timer.unref();
}
