import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

/** The longest answer that is kept, in bytes; as long as the longest body that is taken. */
export const longestAnswer = 1_048_576;

/**
 * A request that its caller named by an `Idempotency-Key`, and its first answer.
 *
 * `open` while a process carries it out; that has it as its `owner` until `leaseUntil`, then any other may take it over.
 * `done` with the answer that is replayed from then on. Removed after `keptDays.keyedRequest`.
 */
export const KeyedRequest = defineEntity({
  name: 'KeyedRequest',
  tableName: 'keyed_request',
  properties: {
    /** Of the caller and the key. The key itself is not kept. */
    digest: p.string().length(64).primary(),
    /** Of what was asked for, mixed with the key: nobody can guess a passcode from it. */
    fingerprint: p.string().length(64),
    /** For people, as is the route. */
    callerType: p.string().length(16),
    callerId: p.integer(),
    route: p.string().length(255),
    /** The `X-Request-Id` of its first run, as log lines have it. */
    requestId: p.string().length(64),
    /** What every run of it calls its work by, in this database and outside. */
    operationKey: p.uuid().defaultRaw('gen_random_uuid()'),
    state: p.enum(['open', 'done'] as const),
    owner: p.uuid().nullable(),
    leaseUntil: p.datetime(6).nullable(),
    /** The id of what a run made, written in the transaction that made it. */
    madeId: p.integer().nullable(),
    status: p.smallint().nullable(),
    /** The JSON that was sent, or a refusal's; null where it was not kept. */
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
