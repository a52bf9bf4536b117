import type { EntityManager } from '@mikro-orm/postgresql';
import { keyInUse, keyReused } from '../../domain/idempotency/idempotency-key.ts';
import { flag, integer, orNull, text } from '../support/kinds.ts';
import { of } from '../support/rows.ts';
import { tryLockAdvisory } from '../support/lock-advisory.ts';
import { statement, type RowFrom } from '../support/statement.ts';
import { KeyedRequest, longestAnswer } from './keyed-request.entity.ts';

/** A request with a key. */
export interface AskedRequest extends Pick<
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
export interface GivenAnswer {
  status: number;
  text: string;
}

/** A request that arrived before. */
export type KnownRequest = RowFrom<typeof find>;

/**
 * Locks a request by its key: until the transaction ends no other run reads it.
 *
 * Refused with: 409 `idempotency_key_in_use` while another run locks or owns it · 422 `idempotency_key_reused`.
 *
 * @returns undefined for a new key, an `open` request whose run was given up, or a `done` one
 */
export async function meetRequest(
  em: EntityManager,
  { digest, fingerprint }: Pick<AskedRequest, 'digest' | 'fingerprint'>,
): Promise<KnownRequest | undefined> {
  if (!(await tryLockAdvisory(em, `keyed request ${digest}`))) throw keyInUse();
  const known = await find.first(em, { digest });
  if (known && known.fingerprint !== fingerprint) throw keyReused();
  if (known?.isHeld) throw keyInUse();
  return known;
}

const find = statement({
  takes: { digest: text },
  gives: {
    ...of(KeyedRequest, 'fingerprint', 'state', 'operationKey', 'madeId', 'status', 'answer', 'isSealed'),
    isHeld: flag,
  },
  text: `
    select fingerprint, state, operation_key, made_id, status, answer, is_sealed,
      coalesce(state = 'open' and lease_until > clock_timestamp(), false) as is_held
    from keyed_request where digest = $digest`,
});

/** Stores the first answer of a request and makes it `done`. See `meetRequest`. */
export const keepAnswer = (em: EntityManager, asked: AskedRequest, given: GivenAnswer): Promise<number> =>
  keep.run(em, { ...wordsOf(asked), ...keptAs(asked, given) });

/**
 * A refusal has no secret. For an answer that is too long or cannot be sealed, only the fact that it was given is
 * stored.
 */
export function keptAs({ seal }: Pick<AskedRequest, 'seal'>, { status, text: said }: GivenAnswer) {
  const isSealed = seal !== undefined && status === 200;
  const isShort = Buffer.byteLength(said) <= longestAnswer;
  const answer = isShort ? (isSealed ? seal(said) : said) : undefined;
  return { status, answer: answer ?? null, isSealed: isSealed && answer !== undefined };
}

export const wordsOf = ({ digest, fingerprint, callerType, callerId, route, requestId }: AskedRequest) => ({
  digest,
  fingerprint,
  callerType,
  callerId,
  route: route.slice(0, 255),
  requestId,
});

const asked = { digest: text, fingerprint: text, callerType: text, callerId: integer, route: text, requestId: text };

const keep = statement({
  takes: { ...asked, status: integer, answer: orNull(text), isSealed: flag },
  text: `
    insert into keyed_request (digest, fingerprint, caller_type, caller_id, route, request_id, state, status, answer,
      is_sealed, answered_at)
    values ($digest, $fingerprint, $callerType, $callerId, $route, $requestId, 'done', $status, $answer, $isSealed,
      clock_timestamp())
    on conflict (digest) do update set state = 'done', owner = null, lease_until = null, status = excluded.status,
      answer = excluded.answer, is_sealed = excluded.is_sealed, answered_at = excluded.answered_at`,
});
