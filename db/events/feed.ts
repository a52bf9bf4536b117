import type { EntityManager } from '@mikro-orm/postgresql';
import type { EventType, ReportedEvent } from '../../domain/events.ts';
import {
  bigText,
  count,
  definite,
  flag,
  integer,
  json,
  momentText,
  orNull,
  text,
  texts,
} from '../support/entity-columns.ts';
import { statement } from '../support/statement.ts';

/** A place in the feed. It begins at 1; 0 stands before everything. */
const place = count;

/** Committed events get their places so many at a time; the rest follows at once. */
const placesAtOnce = 1_000;

/**
 * Gives committed events their places in the feed; whoever reads it does this first, and housekeeping does it where nobody
 * reads. Any number may call it at once: one gives places, the others do nothing.
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

const anyWithout = statement({
  takes: {},
  gives: { isThere: definite(flag) },
  text: 'select exists (select from pos_event where sequence is null) as is_there',
});

const give = statement({
  takes: { most: integer },
  gives: { given: definite(integer) },
  text: 'select pos_give_places($most) as given',
});

export interface FeedPage {
  /** The place after which it begins. */
  after: number;
  /** Empty: every type. */
  types: readonly EventType[];
  limit: number;
}

/**
 * The next events after a place, in the order of their places. None is skipped: a place is given once its event can be seen,
 * and every later place is given later.
 */
export const readFeed = async (em: EntityManager, { after, types, limit }: FeedPage): Promise<ReportedEvent[]> =>
  (await readPage.all(em, { after: String(after), types, limit })) as ReportedEvent[];

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

const readPage = statement({
  takes: { after: bigText, types: texts, limit: integer },
  gives,
  text: `
    select ${eventColumns} from pos_event
    where sequence > $after and (cardinality($types::text[]) = 0 or type = any($types))
    order by sequence limit $limit`,
});

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
const readEnds = statement({
  takes: {},
  gives: { gone: definite(place), newest: definite(place) },
  text: `
    select coalesce((select sequence - 1 from pos_event where sequence is not null order by sequence limit 1), 0) as gone,
      coalesce((select sequence from pos_event where sequence is not null order by sequence desc limit 1), 0) as newest`,
});

/** Some events by their ids, in the order of their places. */
export const readEvents = async (em: EntityManager, ids: readonly number[]): Promise<ReportedEvent[]> =>
  (await readSome.all(em, { ids: `{${ids.join(',')}}` })) as ReportedEvent[];

const readSome = statement({
  takes: { ids: { types: ['bigint[]'], isNullable: false } },
  gives,
  text: `select ${eventColumns} from pos_event where event_id = any($ids) and sequence is not null order by sequence`,
});

/** For the doctor and the gauge: what waits for a place, and since when. */
export interface OutboxState {
  withoutPlace: number;
  oldestWithout: string | null;
  newest: number;
}

export async function readOutboxState(em: EntityManager): Promise<OutboxState> {
  const [{ newest }, waiting] = [await readFeedEnds(em), await readWaiting.first(em)];
  return { newest, withoutPlace: waiting?.withoutPlace ?? 0, oldestWithout: waiting?.oldestWithout ?? null };
}

const readWaiting = statement({
  takes: {},
  gives: { withoutPlace: definite(count), oldestWithout: orNull(momentText) },
  text: 'select count(*) as without_place, min(occurred_at) as oldest_without from pos_event where sequence is null',
});
