import type { EntityManager } from '@mikro-orm/postgresql';
import { flag, float, integer, orNull, text } from '../support/kinds.ts';
import { of } from '../support/rows.ts';
import { statement } from '../support/statement.ts';
import { KeyedRequest } from './keyed-request.entity.ts';
import {
  keptAs,
  meetRequest,
  wordsOf,
  type AskedRequest,
  type GivenAnswer,
  type KnownRequest,
} from './keyed-request.repository.ts';

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
export async function claimRequest(em: EntityManager, asked: AskedRequest, owner: string): Promise<KnownRequest> {
  const known = await meetRequest(em, asked);
  if (known?.state === 'done') return known;
  const held = await claim.first(em, { ...wordsOf(asked), owner, leaseSeconds });
  if (!held) throw new Error('a request was claimed and is not there');
  return held;
}

const claim = statement({
  takes: {
    digest: text,
    fingerprint: text,
    callerType: text,
    callerId: integer,
    route: text,
    requestId: text,
    owner: text,
    leaseSeconds: float,
  },
  gives: {
    ...of(KeyedRequest, 'fingerprint', 'state', 'operationKey', 'madeId', 'status', 'answer', 'isSealed'),
    isHeld: flag,
  },
  text: `
    insert into keyed_request as k (digest, fingerprint, caller_type, caller_id, route, request_id, state, owner, lease_until)
    values ($digest, $fingerprint, $callerType, $callerId, $route, $requestId, 'open', $owner,
      clock_timestamp() + make_interval(secs => $leaseSeconds))
    on conflict (digest) do update set owner = excluded.owner, lease_until = excluded.lease_until
    returning fingerprint, state, operation_key, made_id, status, answer, is_sealed, true as is_held`,
});

/** Renews the claim of a working run. Does nothing where another run has taken over. */
export async function renewLease(em: EntityManager, hold: Hold): Promise<void> {
  await renew.run(em, { ...hold, leaseSeconds });
}

const renew = statement({
  takes: { digest: text, owner: text, leaseSeconds: float },
  text: `
    update keyed_request set lease_until = clock_timestamp() + make_interval(secs => $leaseSeconds)
    where digest = $digest and owner = $owner`,
});

/**
 * Records what the run created, in the transaction that creates it.
 * @returns 0 where another run has taken over
 */
export const noteMade = (em: EntityManager, noted: Hold & { madeId: number }): Promise<number> => made.run(em, noted);

const made = statement({
  takes: { digest: text, owner: text, madeId: integer },
  text: 'update keyed_request set made_id = $madeId where digest = $digest and owner = $owner',
});

/** Stores the answer of a run; does nothing where another run has taken over. */
export async function finishRequest(
  em: EntityManager,
  hold: Hold,
  asked: Pick<AskedRequest, 'seal'>,
  given: GivenAnswer,
): Promise<void> {
  await finish.run(em, { ...hold, ...keptAs(asked, given) });
}

const finish = statement({
  takes: { digest: text, owner: text, status: integer, answer: orNull(text), isSealed: flag },
  text: `
    update keyed_request set state = 'done', owner = null, lease_until = null, status = $status, answer = $answer,
      is_sealed = $isSealed, answered_at = clock_timestamp()
    where digest = $digest and owner = $owner`,
});

/** Releases the request without an answer: it may be sent again at once. */
export async function releaseRequest(em: EntityManager, hold: Hold): Promise<void> {
  await release.run(em, { ...hold });
}

const release = statement({
  takes: { digest: text, owner: text },
  text: 'update keyed_request set lease_until = clock_timestamp() where digest = $digest and owner = $owner',
});
