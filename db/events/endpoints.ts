import { randomBytes } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import {
  mostEndpoints,
  mostFormerSecrets,
  overlapSeconds,
  type EndpointFormat,
  type EventType,
} from '../../domain/events.ts';
import { endpointNotFound, tooManyEndpoints, tooManyRotations } from '../../domain/refusals/register.ts';
import { bigText, momentText, orNull, text, texts } from '../support/entity-columns.ts';
import { lockAdvisory } from '../support/lock-advisory.ts';
import type { SecretBox } from '../support/secret-box.ts';
import { sql } from '../support/sql.ts';
import type { RowFrom } from '../support/statement.ts';
import { transact } from '../support/transact.ts';
import { givePlaces } from './feed.ts';

/** What is sealed for endpoints opens for nothing else. */
export const webhookSecretPurpose = 'webhook secret';

/** What an administrator says of an endpoint; absent fields keep their value. */
export interface EndpointInput {
  url?: string | undefined;
  description?: string | undefined;
  /** Empty: every type. */
  types?: readonly EventType[] | undefined;
  format?: EndpointFormat | undefined;
  isOn?: boolean | undefined;
}

export type EndpointRow = RowFrom<typeof selectEndpoints>;

/** An endpoint with its secret, which is shown this once. */
export interface SecretShown {
  endpointId: number;
  secret: string;
}

/** As Standard Webhooks spells a secret: its mark, and 32 random bytes in base64. */
const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

/**
 * Adds an endpoint; it gets the events from now on. Each call adds one.
 *
 * Refused with: 400 there are as many as there may be.
 */
export async function createEndpoint(
  em: EntityManager,
  { wish, box }: { wish: EndpointInput & { url: string }; box: SecretBox },
): Promise<SecretShown> {
  const secret = newSecret();
  // What happened before has its place then, and is not among its events; but for what somebody else gives places to
  // now.
  await givePlaces(em);
  return transact(em, async (tx) => {
    await lockAdvisory(tx, 'webhook endpoints');
    const made = await insert.first(tx, {
      url: wish.url,
      description: wish.description ?? '',
      types: wish.types ?? [],
      format: wish.format ?? 'standard',
      state: wish.isOn === false ? 'off' : 'on',
      sealedSecret: box.seal(secret, webhookSecretPurpose),
      mostEndpoints,
    });
    if (!made) throw tooManyEndpoints([String(mostEndpoints)]);
    return { endpointId: made.endpointId, secret };
  });
}

const insert = sql('endpoints.insert')`
  insert into webhook_endpoint (url, description, types, format, state, sealed_secret, planned_up_to)
  select $url, $description, $types::text[], $format, $state, $sealedSecret,
    coalesce((select max(sequence) from pos_event), 0)
  where (select count(*) from webhook_endpoint) < $mostEndpoints
  returning endpoint_id`;

/**
 * Changes an endpoint. Switched on again, all that waits for it goes at once, and its failures are forgotten. A repeat
 * changes nothing more. Refused with: 404 unknown id.
 */
export async function updateEndpoint(em: EntityManager, endpointId: number, input: EndpointInput): Promise<void> {
  await transact(em, async (tx) => {
    const changed = await change.first(tx, {
      endpointId,
      url: input.url ?? null,
      description: input.description ?? null,
      types: input.types ?? null,
      format: input.format ?? null,
      state: input.isOn === undefined ? null : input.isOn ? 'on' : 'off',
    });
    if (!changed) throw noSuchEndpoint(endpointId);
    if (input.isOn === true && changed.stateBefore !== 'on') await sendAgainSoon.run(tx, { endpointId });
  });
}

const change = sql('endpoints.change', { gives: { stateBefore: text } })`
  with before as (select endpoint_id, state from webhook_endpoint where endpoint_id = $endpointId for update)
  update webhook_endpoint w set url = coalesce($url?, w.url), description = coalesce($description?, w.description),
    types = coalesce($types?::text[], w.types), format = coalesce($format?, w.format), state = coalesce($state?,
      w.state),
    failures = case when $state = 'on' and b.state <> 'on' then 0 else w.failures end,
    failing_since = case when $state = 'on' and b.state <> 'on' then null else w.failing_since end,
    held_until = case when $state = 'on' and b.state <> 'on' then null else w.held_until end,
    paused_for = case when $state is null or b.state = $state then w.paused_for end,
    updated_at = now()
  from before b where w.endpoint_id = b.endpoint_id returning b.state as state_before`;

const sendAgainSoon = sql('endpoints.sendAgainSoon')`
  update webhook_delivery set due_at = now(), tries = 0, first_tried_at = null
  where endpoint_id = $endpointId and state = 'waiting' and tries > 0`;

/**
 * Gives an endpoint a new secret. The former one signs as well for a day, so that a receiver changes over without losing
 * a message; a rotation within that day leaves it its day. Each call makes a new one.
 *
 * Refused with: 404 unknown id · 400 so many former secrets sign already.
 */
export async function rotateSecret(
  em: EntityManager,
  { endpointId, box }: { endpointId: number; box: SecretBox },
): Promise<SecretShown> {
  const secret = newSecret();
  const sealed = box.seal(secret, webhookSecretPurpose);
  await transact(em, async (tx) => {
    if (!(await lockEndpoint.first(tx, { endpointId }))) throw noSuchEndpoint(endpointId);
    // After the lock, so that it counts what a rotation before this one left.
    const { signing = 0 } = (await countSigning.first(tx, { endpointId })) ?? {};
    if (signing >= mostFormerSecrets) throw tooManyRotations([String(mostFormerSecrets)]);
    await setAside.run(tx, { endpointId });
    await rotate.run(tx, { endpointId, sealed, overlapSeconds });
  });
  return { endpointId, secret };
}

const lockEndpoint = sql('endpoints.lockEndpoint')`
  select endpoint_id from webhook_endpoint where endpoint_id = $endpointId for update`;

const countSigning = sql('endpoints.countSigning')`
  select (coalesce(w.former_until > now(), false)::int + (select count(*) from webhook_older_secret o
    where o.endpoint_id = w.endpoint_id and o.signs_until > now()))::int as signing
  from webhook_endpoint w where w.endpoint_id = $endpointId`;

/** The former secret, as long as its day lasts; those whose day is over go. */
const setAside = sql('endpoints.setAside')`
  with over as (delete from webhook_older_secret where endpoint_id = $endpointId and signs_until <= now())
  insert into webhook_older_secret (endpoint_id, sealed_secret, signs_until)
  select endpoint_id, sealed_former_secret, former_until from webhook_endpoint
  where endpoint_id = $endpointId and sealed_former_secret is not null and former_until > now()`;

const rotate = sql('endpoints.rotate')`
  update webhook_endpoint set sealed_former_secret = sealed_secret, sealed_secret = $sealed,
    former_until = now() + make_interval(secs => $overlapSeconds), updated_at = now()
  where endpoint_id = $endpointId`;

export const noSuchEndpoint = (endpointId: number) => endpointNotFound([endpointId]);

/** One endpoint with how it does. Refused with: 404 unknown id. */
export async function findEndpoint(em: EntityManager, endpointId: number): Promise<EndpointRow> {
  const row = (await selectEndpoints.all(em, { endpointId }))[0];
  if (!row) throw noSuchEndpoint(endpointId);
  return row;
}

/** All of them, in the order in which they were added. */
export const listEndpoints = (em: EntityManager): Promise<EndpointRow[]> =>
  selectEndpoints.all(em, { endpointId: null });

/** More than so many are not counted, so that a look costs the same whatever waits. */
export const mostCounted = 10_000;

const selectEndpoints = sql('endpoints.selectEndpoints', {
  gives: {
    types: texts,
    format: text,
    state: text,
    formerUntil: orNull(momentText),
    failingSince: orNull(momentText),
    heldUntil: orNull(momentText),
    createdAt: momentText,
    updatedAt: momentText,
  },
})`
  select w.endpoint_id, w.url, w.description, w.types, w.format, w.state, w.paused_for,
    case when w.former_until > now() then w.former_until end as former_until, w.failures, w.failing_since,
      w.held_until,
    w.planned_up_to, (select count(*) from (
      select from webhook_delivery d where d.endpoint_id = w.endpoint_id and d.state = 'waiting'
      order by d.object_key, d.sequence limit ${mostCounted}) c) as waiting,
    w.created_at, w.updated_at
  from webhook_endpoint w where $endpointId?::bigint is null or w.endpoint_id = $endpointId order by w.endpoint_id`;

/** One try, with the event it was of. */
export type AttemptRow = RowFrom<typeof attempts>;

/** The last tries of an endpoint, newest first, from before a number down. */
export const listAttempts = (
  em: EntityManager,
  { endpointId, before, limit }: { endpointId: number; before: number | undefined; limit: number },
): Promise<AttemptRow[]> =>
  attempts.all(em, { endpointId, before: before === undefined ? null : String(before), limit });

const attempts = sql('endpoints.attempts', {
  takes: { before: orNull(bigText) },
  gives: { type: text, state: text, at: momentText },
})`
  select a.attempt_id, d.event_id, d.sequence, e.type, d.state, d.tries, a.at, a.status, a.took_ms, a.failure,
    a.answer
  from webhook_attempt a join webhook_delivery d using (delivery_id) join pos_event e on e.event_id = d.event_id
  where a.endpoint_id = $endpointId and ($before::bigint is null or a.attempt_id < $before)
  order by a.attempt_id desc limit $limit`;
