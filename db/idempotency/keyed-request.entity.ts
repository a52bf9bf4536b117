import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

/** The longest stored answer, in bytes; as long as the longest accepted body. */
export const longestAnswer = 1_048_576;

/**
 * A request that its caller named by an `Idempotency-Key`, and its first answer.
 *
 * `open`: a process, its `owner`, carries it out until `leaseUntil`; after that any other may take it over. `done`:
 * its answer is replayed from then on. Deleted after `keptDays.keyedRequest`.
 */
export const KeyedRequest = defineEntity({
  name: 'KeyedRequest',
  tableName: 'keyed_request',
  properties: {
    /** A digest of the caller and the key. The key itself is not stored. */
    digest: p.string().length(64).primary(),
    /** A digest of the request mixed with the key, so that a passcode cannot be guessed from it. */
    fingerprint: p.string().length(64),
    /** Only for people, as is the route. */
    callerType: p.string().length(16),
    callerId: p.bigint('number'),
    route: p.string().length(255),
    /** The `X-Request-Id` of its first run, as in log lines. */
    requestId: p.string().length(64),
    /** The name of its work in every run, in this database and outside. */
    operationKey: p.uuid().defaultRaw('gen_random_uuid()'),
    state: p.enum(['open', 'done'] as const),
    owner: p.uuid().nullable(),
    leaseUntil: p.datetime(6).nullable(),
    /** The id of what a run created, written in the same transaction. */
    madeId: p.bigint('number').nullable(),
    status: p.smallint().nullable(),
    /** The JSON of the answer or of a refusal; null where it was not stored. */
    answer: p.text().nullable(),
    /** The answer carries secrets and is sealed. */
    isSealed: p.boolean().default(false),
    createdAt: p.datetime(6).defaultRaw('now()').index(),
    answeredAt: p.datetime(6).nullable(),
  },
  checks: [
    {
      name: 'keyed_request_is_open_or_done',
      expression: `case state when 'open' then owner is not null and lease_until is not null and status is null
        else owner is null and lease_until is null and status is not null and answered_at is not null end`,
    },
    { name: 'keyed_request_status_is_final', expression: 'status = 200 or (status >= 400 and status < 500)' },
    // A sealed answer is a third longer.
    { name: 'keyed_request_answer_is_bounded', expression: `octet_length(answer) <= ${longestAnswer * 2}` },
  ],
});

export type KeyedRequest = InferEntity<typeof KeyedRequest>;
