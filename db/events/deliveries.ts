import type { EntityManager } from '@mikro-orm/postgresql';
import {
  failuresOfAnEndpoint,
  goneStatus,
  heldByAnswer,
  holdAfter,
  pauseBefore,
  pausedAfterSeconds,
  triedForSeconds,
  type EndpointFormat,
} from '../../domain/events.ts';
import { bigText, integer, orNull, text } from '../support/entity-columns.ts';
import { sql } from '../support/sql.ts';
import { transact } from '../support/transact.ts';

/** New events become deliveries so many at a time. */
const plannedAtOnce = 1_000;

/** Of the types that endpoint `w` wants, without its own pause; and the test messages to it, to no other endpoint. */
function isRequested(event: 'n' | 'e'): string {
  return `case ${event}.type when 'endpoint.ping' then ${event}.object_id = w.endpoint_id::text
    else (cardinality(w.types) = 0 or ${event}.type = any(w.types))
      and not (${event}.type = 'endpoint.paused' and ${event}.object_id = w.endpoint_id::text) end`;
}

/**
 * Makes deliveries of the events that came since the last time, of the types that the endpoint wants. Safe to repeat
 * and to run at once: each event becomes one delivery of an endpoint. One that is off or paused gets them when it is on
 * again.
 *
 * @returns whether there may be more
 */
export const planDeliveries = (em: EntityManager, endpointId: number): Promise<boolean> =>
  ofEndpoint(em, endpointId, async (tx) => {
    const planned = await plan.first(tx, { endpointId, most: plannedAtOnce });
    return planned?.seen === plannedAtOnce;
  });

/**
 * Which delivery is the next of its object is said under the lock of its endpoint, by statements that come after it:
 * each of them sees what the one before left.
 */
const ofEndpoint = <Result>(
  em: EntityManager,
  endpointId: number,
  work: (tx: EntityManager) => Promise<Result>,
): Promise<Result> =>
  transact(em, async (tx) => {
    await lock.run(tx, { endpointId });
    return work(tx);
  });

const lock = sql('deliveries.lock')`select from webhook_endpoint where endpoint_id = $endpointId for no key update`;

const plan = sql('deliveries.plan')`
  with endpoint as (
    select endpoint_id, types, planned_up_to from webhook_endpoint where endpoint_id = $endpointId
  ), next as (
    select e.event_id, e.sequence, e.type, e.object_id, e.object_kind || ' ' || e.object_id as object_key
    from endpoint w cross join lateral (
      select * from pos_event where sequence > w.planned_up_to order by sequence limit $most) e
  ), made as (
    insert into webhook_delivery (endpoint_id, event_id, sequence, object_key, is_next)
    select w.endpoint_id, n.event_id, n.sequence, n.object_key,
      row_number() over (partition by n.object_key order by n.sequence) = 1 and not exists (
        select from webhook_delivery b
        where b.endpoint_id = w.endpoint_id and b.object_key = n.object_key and b.state = 'waiting')
    from next n cross join endpoint w where ${isRequested('n')}
    on conflict (endpoint_id, event_id) do nothing
  ), moved as (
    update webhook_endpoint w set planned_up_to = (select max(sequence) from next)
    from endpoint e where w.endpoint_id = e.endpoint_id and exists (select from next)
  )
  select count(*) as seen from next`;

/** What an endpoint needs to be sent something. */
export interface EndpointToCall {
  endpointId: number;
  url: string;
  format: EndpointFormat;
  sealedSecret: string;
  /** Null: there is none, or its day is over. */
  sealedFormerSecret: string | null;
  /** Those of the rotations before, as long as their day lasts. */
  sealedOlderSecrets: readonly string[];
  /** It fails whatever it is sent: it is asked with one delivery at a time. */
  isFailing: boolean;
  /** It is left alone for now. */
  isHeld: boolean;
  /** There are events that did not become its deliveries. */
  hasEvents: boolean;
}

/** The endpoint, where it is on; noted as looked after. Undefined: it is off, paused or gone. */
export const followEndpoint = async (em: EntityManager, endpointId: number): Promise<EndpointToCall | undefined> =>
  (await follow.first(em, { endpointId, many: failuresOfAnEndpoint })) as EndpointToCall | undefined;

/** One look at the end of an index. Whether there is a place after another one would be asked of every row. */
const newestPlace = 'coalesce((select max(sequence) from pos_event), 0)';

const follow = sql('deliveries.follow', { gives: { format: text } })`
  update webhook_endpoint set followed_at = now() where endpoint_id = $endpointId and state = 'on'
  returning endpoint_id, url, format, sealed_secret,
    case when former_until > now() then sealed_former_secret end as sealed_former_secret,
    array(select o.sealed_secret from webhook_older_secret o
      where o.endpoint_id = webhook_endpoint.endpoint_id and o.signs_until > now() order by o.signs_until desc)
      as sealed_older_secrets,
    failures >= $many as is_failing, coalesce(held_until > now(), false) as is_held,
    ${newestPlace} > planned_up_to as has_events`;

/** A delivery that is this caller's for a while. */
export interface ClaimedDelivery {
  deliveryId: number;
  eventId: number;
  tries: number;
}

/** Longer than any call may take: whoever died over it leaves it to the next after this time. */
export const leaseSeconds = 30;

/**
 * Takes the next deliveries: of each object the first one that waits, so that its events arrive in their order. They
 * are this caller's for a lease; a repeat by somebody else finds others. However many wait behind them, they are not
 * read.
 */
export const claimDeliveries = (
  em: EntityManager,
  { endpointId, limit }: { endpointId: number; limit: number },
): Promise<ClaimedDelivery[]> => claim.all(em, { endpointId, limit, leaseSeconds });

const claim = sql('deliveries.claim')`
  with next as (
    select delivery_id from webhook_delivery
    where endpoint_id = $endpointId and state = 'waiting' and is_next and due_at <= now()
    order by due_at, sequence limit $limit for update skip locked
  )
  update webhook_delivery d set tries = d.tries + 1, due_at = now() + make_interval(secs => $leaseSeconds),
    first_tried_at = coalesce(d.first_tried_at, now())
  from next where d.delivery_id = next.delivery_id and d.state = 'waiting' and d.due_at <= now()
  returning d.delivery_id, d.event_id, d.tries`;

/** What became of one try. */
export interface Tried {
  deliveryId: number;
  endpointId: number;
  tries: number;
  isTaken: boolean;
  /** Null: no answer came. */
  status: number | null;
  tookMs: number;
  failure: string | null;
  answer: string | null;
  /** What the endpoint asked for by `Retry-After`; absent: nothing. */
  retryAfterSeconds?: number | undefined;
}

/**
 * Stores a try, and what follows from it: it is delivered; or tried again later, not before the endpoint asked for it;
 * or given up after three days. An endpoint that answers 429 or 503 with `Retry-After` is not called before. One that
 * took nothing for a day, or answers 410, is paused, which is an event itself. A late try, after another one delivered
 * it, is only stored.
 */
export const recordTry = (em: EntityManager, tried: Tried): Promise<void> =>
  ofEndpoint(em, tried.endpointId, async (tx) => {
    const { deliveryId, endpointId, tries, isTaken } = tried;
    if (isTaken) await recordTaken.run(tx, { ...attemptOf(tried), many: failuresOfAnEndpoint, leaseSeconds });
    else {
      const { status, retryAfterSeconds } = tried;
      const isGone = status === goneStatus;
      const spans = { pauseSeconds: pauseBefore(tries, retryAfterSeconds), triedForSeconds };
      const { failures } = (await recordFailed.first(tx, { ...attemptOf(tried), ...spans })) ?? { failures: 0 };
      await holdBack.run(tx, {
        endpointId,
        holdSeconds: Math.max(holdAfter(failures), heldByAnswer(status, retryAfterSeconds)),
        pausedAfterSeconds,
        isGone,
        why: isGone
          ? goneFor
          : `Nothing was taken for a day; the last answer: ${tried.failure ?? status}`.slice(0, 255),
      });
    }
    await passOn.run(tx, { deliveryId: String(deliveryId) });
  });

const goneFor = 'It answered 410: nothing is there any more.';

/** The next one of its object, once it is delivered or given up. */
const passOn = sql('deliveries.passOn', { takes: { deliveryId: bigText } })`
  update webhook_delivery set is_next = true where not is_next and delivery_id = (
    select n.delivery_id from webhook_delivery d
    join webhook_delivery n on n.endpoint_id = d.endpoint_id and n.object_key = d.object_key and n.state = 'waiting'
    where d.delivery_id = $deliveryId and d.state <> 'waiting' order by n.sequence limit 1)`;

const attemptOf = ({ deliveryId, endpointId, status, tookMs, failure, answer }: Tried) => ({
  ...{ deliveryId: String(deliveryId), endpointId, status, tookMs, failure, answer },
});

const attempt = {
  deliveryId: bigText,
  endpointId: integer,
  status: orNull(integer),
  tookMs: integer,
  failure: orNull(text),
  answer: orNull(text),
};

const keepAttempt = `kept as (
  insert into webhook_attempt (delivery_id, endpoint_id, status, took_ms, failure, answer)
  select delivery_id, endpoint_id, $status, $tookMs, $failure, $answer from webhook_delivery where delivery_id = $deliveryId)`;

/** Where the endpoint itself was the cause of the failures, all that waits for it goes at once. */
const recordTaken = sql('deliveries.recordTaken', { takes: attempt })`
  with ${keepAttempt}, before as (
    select failures from webhook_endpoint where endpoint_id = $endpointId
  ), well as (
    update webhook_endpoint set failures = 0, failing_since = null, held_until = null
    where endpoint_id = $endpointId and failures > 0
  ), soon as (
    update webhook_delivery d set due_at = now() from before b
    where b.failures >= $many and d.endpoint_id = $endpointId and d.state = 'waiting' and d.is_next
      and d.delivery_id <> $deliveryId
      and d.due_at > now() + make_interval(secs => $leaseSeconds))
  update webhook_delivery set state = 'delivered', delivered_at = now()
  where delivery_id = $deliveryId and state = 'waiting'`;

const recordFailed = sql('deliveries.recordFailed', { takes: attempt })`
  with ${keepAttempt}, later as (
    update webhook_delivery set due_at = now() + make_interval(secs => $pauseSeconds),
      state = case when first_tried_at < now() - make_interval(secs => $triedForSeconds) then 'given_up' else state
        end
    where delivery_id = $deliveryId and state = 'waiting')
  update webhook_endpoint set failures = failures + 1, failing_since = coalesce(failing_since, now())
  where endpoint_id = $endpointId returning failures`;

/** A shorter hold never ends a longer one that an earlier answer asked for. */
const holdBack = sql('deliveries.holdBack')`
  update webhook_endpoint set
    held_until = case when $holdSeconds = 0 then held_until
      else greatest(held_until, now() + make_interval(secs => $holdSeconds)) end,
    state = case when is_over then 'paused' else state end, paused_for = case when is_over then $why else paused_for
      end
  from (select endpoint_id as id,
      $isGone or failing_since < now() - make_interval(secs => $pausedAfterSeconds) as is_over
    from webhook_endpoint where endpoint_id = $endpointId) o
  where endpoint_id = o.id and state = 'on' and ($holdSeconds > 0 or is_over)`;

/**
 * Whether anything is to be done for an endpoint, by index: a look between two deliveries. One that is gone is to be
 * left.
 */
export const hasWork = async (em: EntityManager, endpointId: number): Promise<boolean> =>
  (await anyWork.first(em, { endpointId }))?.isThere !== false;

const anyWork = sql('deliveries.anyWork')`
  select exists (select from pos_event where sequence is null)
    or ${newestPlace} > w.planned_up_to
    or coalesce(w.held_until, now()) <= now() and coalesce((select d.due_at from webhook_delivery d
      where d.endpoint_id = w.endpoint_id and d.state = 'waiting' and d.is_next order by d.due_at limit 1) <= now(),
        false)
    or w.state <> 'on' as is_there
  from webhook_endpoint w where w.endpoint_id = $endpointId`;

/**
 * Endpoints that are on and nobody looked after for a minute, or ever: their workflow is lost, or did not begin yet.
 */
export const findUnfollowedEndpoints = async (em: EntityManager): Promise<number[]> =>
  (await unfollowed.all(em)).map(({ endpointId }) => endpointId);

const unfollowed = sql('deliveries.unfollowed')`
  select endpoint_id from webhook_endpoint
  where state = 'on' and (followed_at is null or followed_at < now() - interval '1 minute') order by endpoint_id`;

/** What a replay did. */
export interface Replayed {
  /** How many wait now. */
  replayed: number;
  /** The place of the last one; 0: there was none. Where there may be more, it goes on after it. */
  last: number;
}

/**
 * Sends events again, under the names they had: by their places from one to another, or one alone. What waits already
 * goes at once. Types that the endpoint does not want stay out.
 */
export const replayDeliveries = (
  em: EntityManager,
  { endpointId, from, to, limit }: { endpointId: number; from: number; to: number; limit: number },
): Promise<Replayed> =>
  ofEndpoint(em, endpointId, async (tx) => {
    const done = await replay.first(tx, { endpointId, from: String(from), to: String(to), limit });
    await sayWhichIsNext.run(tx, { endpointId });
    return done ?? { replayed: 0, last: 0 };
  });

const replay = sql('deliveries.replay', { takes: { from: bigText, to: bigText } })`
  with again as (
    insert into webhook_delivery (endpoint_id, event_id, sequence, object_key)
    select w.endpoint_id, e.event_id, e.sequence, e.object_kind || ' ' || e.object_id
    from webhook_endpoint w join pos_event e on e.sequence between $from and $to and e.sequence <= w.planned_up_to
    where w.endpoint_id = $endpointId and ${isRequested('e')}
    order by e.sequence limit $limit
    on conflict (endpoint_id, event_id) do update
    set state = 'waiting', tries = 0, due_at = now(), first_tried_at = null, delivered_at = null
    returning sequence
  )
  select count(*) as replayed, coalesce(max(sequence), 0) as last from again`;

/** Says anew which delivery is the next of its object, where others came before it or went away with their events. */
const sayWhichIsNext = sql('deliveries.sayWhichIsNext')`
  update webhook_delivery d set is_next = not d.is_next
  where d.endpoint_id = $endpointId and d.state = 'waiting' and d.is_next = exists (
    select from webhook_delivery b
    where b.endpoint_id = d.endpoint_id and b.object_key = d.object_key and b.state = 'waiting'
      and b.sequence < d.sequence)`;

/** After events were purged: one that waited may have gone with its event, and the one behind it is the next. */
export async function mendDeliveries(em: EntityManager): Promise<void> {
  for (const { endpointId } of await everyEndpoint.all(em))
    await ofEndpoint(em, endpointId, (tx) => sayWhichIsNext.run(tx, { endpointId }));
}

const everyEndpoint = sql('deliveries.everyEndpoint')`select endpoint_id from webhook_endpoint order by endpoint_id`;
