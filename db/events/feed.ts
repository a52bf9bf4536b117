import type { EntityManager } from '@mikro-orm/postgresql';
import { eventTypes, type EventType, type FeedState, type ReportedEvent } from '../../domain/events.ts';
import { bigText, count, definite, integer, json, orNull, text } from '../support/entity-columns.ts';
import { sql } from '../support/sql.ts';

/** A place in the feed. It begins at 1; 0 stands before everything. */
const place = count;

/** Committed events get their places so many at a time; the rest follows at once. */
const placesAtOnce = 1_000;

/**
 * Gives committed events their places in the feed; whoever reads it does this first, and housekeeping does it where
 * nobody reads. Any number may call it at once: one gives places, the others do nothing.
 *
 * @returns how many got one
 */
export async function givePlaces(em: EntityManager): Promise<number> {
  let all = 0;
  while ((await anyWithout.first(em))?.isThere === true) {
    const placed = (await give.first(em, { most: placesAtOnce }))?.given ?? 0;
    all += placed;
    // Somebody else gives them, or nothing is left.
    if (placed < placesAtOnce) break;
  }
  return all;
}

const anyWithout = sql('feed.anyWithout')`select exists (select from pos_event where sequence is null) as is_there`;

const give = sql('feed.give')`select pos_give_places($most) as given`;

export interface FeedPage {
  /** The place after which it begins. */
  after: number;
  /** Empty: every type. */
  types: readonly EventType[];
  limit: number;
}

/**
 * The next events after a place, in the order of their places. None is skipped: a place is given once its event can be
 * seen, and every later place is given later. It costs as much as the page is long, however rare the types are.
 */
export const readFeed = async (em: EntityManager, { after, types, limit }: FeedPage): Promise<ReportedEvent[]> =>
  (types.length === 0
    ? await readPage.all(em, { after: String(after), limit })
    : await readPageOf.all(em, { after: String(after), types, limit })) as ReportedEvent[];

const eventColumns = `event_id, sequence, type, version, object_kind, object_id, facts,
  to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as occurred_at`;

const gives = {
  eventId: count,
  sequence: definite(place),
  type: text,
  version: integer,
  objectKind: text,
  objectId: text,
  facts: json<Record<string, unknown>>(),
  occurredAt: definite(text),
};

/** Behind every place. */
const noPlace = Number.MAX_SAFE_INTEGER;

const readPage = sql('feed.readPage', { takes: { after: bigText }, gives })`
  select ${eventColumns} from pos_event where sequence > $after order by sequence limit $limit`;

/**
 * A page of each type, then the first of all of them. The pairs are compared, and not the type alone, so that only the
 * index that begins with the type has their order.
 */
const readPageOf = sql('feed.readPageOf', { takes: { after: bigText }, gives })`
  select ${eventColumns} from (select distinct unnest($types::text[]) as wanted) t cross join lateral (
    select * from pos_event
    where sequence is not null and (type, sequence) > (t.wanted, $after) and (type, sequence) < (t.wanted, ${noPlace})
    order by type, sequence limit $limit) e
  order by sequence limit $limit`;

/** The last events, in the order of their places. */
export const readLast = async (
  em: EntityManager,
  { types, limit }: Omit<FeedPage, 'after'>,
): Promise<ReportedEvent[]> =>
  (await readTail.all(em, { types: types.length === 0 ? eventTypes : types, limit })) as ReportedEvent[];

const readTail = sql('feed.readTail', { gives })`
  select ${eventColumns} from (
    select e.* from (select distinct unnest($types::text[]) as wanted) t cross join lateral (
      select * from pos_event
    where sequence is not null and (type, sequence) > (t.wanted, 0) and (type, sequence) < (t.wanted, ${noPlace})
      order by type desc, sequence desc limit $limit) e
    order by e.sequence desc limit $limit) last
  order by sequence`;

/** Where the feed begins and ends; both 0 where it has no event yet. */
export interface FeedEnds {
  /** The last place that is not kept any more. */
  gone: number;
  newest: number;
}

export async function readFeedEnds(em: EntityManager): Promise<FeedEnds> {
  const ends = await readEnds.first(em);
  return { gone: ends?.gone ?? 0, newest: ends?.newest ?? 0 };
}

/** From the rows, not from what counts them: that is ahead of what is committed. The newest event is never purged. */
const readEnds = sql('feed.readEnds', { gives: { gone: definite(place), newest: definite(place) } })`
  select coalesce((select sequence - 1 from pos_event where sequence is not null order by sequence
    limit 1), 0) as gone,
    coalesce((select sequence from pos_event where sequence is not null order by sequence desc
      limit 1), 0) as newest`;

/** Some events by their ids, in the order of their places. */
export const readEvents = async (em: EntityManager, ids: readonly number[]): Promise<ReportedEvent[]> =>
  (await readSome.all(em, { ids: `{${ids.join(',')}}` })) as ReportedEvent[];

const readSome = sql('feed.readSome', { takes: { ids: { types: ['bigint[]'], isNullable: false } }, gives })`
  select ${eventColumns} from pos_event where event_id = any($ids) and sequence is not null order by sequence`;

/** By indexes, whatever the shop has told so far. */
export async function readFeedState(em: EntityManager): Promise<FeedState> {
  const [{ newest }, state] = [await readFeedEnds(em), await readState.first(em)];
  if (!state) throw new Error('a select of one row answered none');
  return { newest, ...state };
}

/** A transaction with an id has written; those of this database count, and this one reads. */
const readState = sql('feed.readState', { gives: { openSeconds: orNull(integer) } })`
  select w.without_place, w.without_place_seconds, o.open_seconds, d.overdue_seconds, e.failing_endpoints,
    e.paused_endpoints
  from (select count(*) as without_place,
      coalesce(extract(epoch from clock_timestamp() - min(occurred_at)), 0)::int as without_place_seconds
    from pos_event where sequence is null) w,
    (select extract(epoch from clock_timestamp() - min(xact_start))::int as open_seconds
    from pg_stat_activity where datname = current_database() and backend_xid is not null
      and pid <> pg_backend_pid()) o,
    (select coalesce(max(extract(epoch from clock_timestamp() - (
        select n.due_at from webhook_delivery n where n.endpoint_id = p.endpoint_id and n.state = 'waiting'
          and n.is_next
          and n.due_at <= now() order by n.due_at limit 1))), 0)::int as overdue_seconds
    from webhook_endpoint p where p.state = 'on' and coalesce(p.held_until, now()) <= now()) d,
    (select count(*) filter (where state = 'on' and failing_since < now() - interval '1 hour') as failing_endpoints,
      count(*) filter (where state = 'paused') as paused_endpoints from webhook_endpoint) e`;
