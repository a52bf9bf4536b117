import type { EntityManager } from '@mikro-orm/postgresql';
import { z } from 'zod';
import { givePlaces, readFeed, readFeedEnds } from '../../db/events/feed.ts';
import { perDatabase } from '../../db/support/per-database.ts';
import { invalidValue, notPermitted } from '../../domain/errors.ts';
import {
  eventTypes,
  isEventType,
  objectKinds,
  type EventType,
  type ReportedEvent,
  objectOfType,
} from '../../domain/events.ts';
import { refusal } from '../../domain/refusals/refusal.ts';
import {
  route,
  type Acl,
  type AnyRoute,
  type Caller,
  type Outcome,
  type RouteContext,
  type StoreScope,
} from '../http/route.ts';
import { findCaller, tokenIn } from '../http/route-context.ts';
import { EventStream, wantsEvents } from '../wire/json-stream.ts';
import { reportedEvents } from './event-schemas.ts';
import { integerBetween, text } from '../wire/schemas.ts';
import { invalidField } from '../wire/outcomes.ts';

/** How objects are shown, and who may see them; `api/event-objects.ts` knows the other features. */
export interface EventObjects {
  aclOf: (kind: (typeof objectKinds)[number]) => Acl;
  render: (
    em: EntityManager,
    events: readonly ReportedEvent[],
    store: StoreScope,
  ) => Promise<z.input<typeof eventAnswer>[]>;
}

export const eventAnswer = z
  .object({
    id: z.string().meta({ description: 'The same in the feed, in every delivery and in every repeat of one.' }),
    sequence: z.int().meta({ description: 'The place in the feed.' }),
    type: z.enum(eventTypes),
    version: z.int(),
    timestamp: z.string().meta({ description: 'When it happened, ISO 8601 in UTC.' }),
    object: z.object({ kind: z.enum(objectKinds), id: z.string() }),
    facts: z.record(z.string(), z.unknown()).meta({ description: 'Ids, figures and states as they were then.' }),
    data: z.unknown().meta({
      description:
        'The object as its own route answers it now, without secrets; null: it is gone, or the facts say all.',
    }),
  })
  .meta({ id: 'Event' });

const feedAnswer = z
  .object({
    events: z.array(eventAnswer),
    next: z.int().meta({ description: 'Send it as `after` the next time.' }),
  })
  .meta({ id: 'EventFeed' });

export const eventsPath = '/V1/pos/events';

const mostEvents = 200;
const usualEvents = 50;
/** Below the usual minute of proxies, and of a request here. */
const longestWaitSeconds = 25;
/** Whoever does not ask for it waits for nothing. */
const usualWaitSeconds = 0;

const eventsGone = refusal(
  410,
  'The events up to %1 are not kept any more. Read the records anew, then go on after %1.',
  {
    when: '`after` is before the oldest event: events are kept for 30 days.',
    then: 'Read the lists you keep a copy of once, then continue with `after` as the message says.',
  },
);

const unknownType: Outcome = invalidField('`types` names a type that is not there, or `Last-Event-ID` is no place.');

const description = `Every event after a place, in the order in which they were committed, so that none is ever skipped;
\`types\`
  is a list of types, separated by commas. Without \`after\` it begins now, with \`after=0\` at the oldest event. Where
there is
  none yet, the answer waits for the next one, up to \`wait\` seconds, 25 at most. Types whose objects the caller may
not read are left out.
  With \`Accept: text/event-stream\` the same events come as server-sent events; a reconnect continues with
  \`Last-Event-ID\`.`;

const example: z.input<typeof feedAnswer> = {
  events: [
    {
      id: 'evt_57',
      sequence: 42,
      type: 'refund.uncertain',
      version: 1,
      timestamp: '2026-11-27T09:30:00.000Z',
      object: { kind: 'refund', id: '1' },
      facts: { order_id: 4, return_id: 2, state: 'uncertain', payment_method: 'card', amount: 24.73, currency: 'USD' },
      data: { attempt_id: 1, order_id: 4, return_id: 2, state: 'uncertain', base_amount: 24.73 },
    },
  ],
  next: 42,
};

/** The feed of events (`docs/inside/events.md`). */
export const eventRoutes = (objects: EventObjects): readonly AnyRoute[] => [
  route({
    method: 'GET',
    path: eventsPath,
    acl: 'Vendor_Pos::locations',
    summary: 'What happened, as a feed',
    name: 'listEvents',
    description,
    outcomes: [eventsGone, unknownType],
    examples: [{ title: 'A refund in doubt', query: 'after=41&types=refund.uncertain&wait=25', response: example }],
    headers: {
      read: [
        { name: 'Last-Event-ID', description: 'Of server-sent events: the last one that was read.', example: '42' },
      ],
    },
    tells: reportedEvents,
    query: z.object({
      after: integerBetween(0, Number.MAX_SAFE_INTEGER).optional(),
      types: text(1_000).optional(),
      limit: integerBetween(1, mostEvents).optional(),
      wait: integerBetween(0, longestWaitSeconds).optional(),
    }),
    response: feedAnswer,

    async handle(context) {
      const { reader, query, header, store } = context;
      const types = typesFor(context, query.types, objects);
      const isStream = wantsEvents(eventsPath, header('accept'));
      const last = isStream ? placeIn(header('last-event-id')) : undefined;
      const after = last ?? query.after ?? (await newest(reader));
      await refuseGone(reader, after);
      const feed: Feed = { em: reader, types, limit: query.limit ?? usualEvents, store, render: objects.render };
      if (isStream) {
        const holds = (caller: Caller) =>
          caller.can('Vendor_Pos::locations') && mayReadAll(caller, types.length === 0 ? eventTypes : types, objects);
        return new EventStream(stream(feed, { from: after, mayGoOn: stillHolds(context, holds) }));
      }
      const waitMs = (query.wait ?? usualWaitSeconds) * 1_000;
      const { events, next } = await readOrWait(feed, { after, waitMs });
      return { events, next };
    },
  }),
];

interface Feed {
  em: EntityManager;
  types: readonly EventType[];
  limit: number;
  /** The view of the path. */
  store: StoreScope;
  render: EventObjects['render'];
}

/** The types that were asked for and may be seen; all that may be seen where none is named. */
function typesFor(
  { caller }: Pick<RouteContext, 'caller'>,
  request: string | undefined,
  { aclOf }: EventObjects,
): readonly EventType[] {
  const mayRead = (type: EventType) => objectOfType[type].some((kind) => caller.can(aclOf(kind)));
  const named = (request ?? '').split(',').flatMap((word) => (word.trim() === '' ? [] : [word.trim()]));
  const types: EventType[] = [];
  for (const word of named) {
    if (!isEventType(word)) throw invalidValue('types', word);
    if (!mayRead(word)) throw notPermitted(objectOfType[word].map(aclOf));
    types.push(word);
  }
  const seen = named.length > 0 ? types : eventTypes.filter(mayRead);
  if (seen.length === 0) throw notPermitted(['Vendor_Pos::locations']);
  // To the feed no type is every type.
  return seen.length === eventTypes.length ? [] : seen;
}

const mayReadAll = (caller: Caller, types: readonly EventType[], { aclOf }: EventObjects): boolean =>
  types.every((type) => objectOfType[type].some((kind) => caller.can(aclOf(kind))));

/** Refused with 400: an id that no stream gave, because what lies after it cannot be known. Browsers send none at first. */
function placeIn(id: string | undefined): number | undefined {
  if (id === undefined || id === '') return undefined;
  if (!/^\d{1,15}$/.test(id)) throw invalidValue('Last-Event-ID', id);
  return Number(id);
}

async function newest(em: EntityManager): Promise<number> {
  await givePlaces(em);
  return (await readFeedEnds(em)).newest;
}

async function refuseGone(em: EntityManager, after: number): Promise<void> {
  if (after === 0) return;
  const { gone } = await readFeedEnds(em);
  if (after < gone) throw eventsGone([String(gone)]);
}

/** The next page; where there is none yet, the first that comes in time. */
async function readOrWait(feed: Feed, { after, waitMs }: { after: number; waitMs: number }) {
  const until = performance.now() + waitMs;
  for (let from = after; ;) {
    await givePlaces(feed.em);
    const { newest: end } = await readFeedEnds(feed.em);
    const page = await readFeed(feed.em, { after: from, types: feed.types, limit: feed.limit });
    const last = page.at(-1);
    if (last) return { events: await feed.render(feed.em, page, feed.store), next: last.sequence };
    // What lies between are events of other types.
    from = Math.max(from, end);
    const left = until - performance.now();
    if (left <= 0) return { events: [], next: from };
    await roomOf(feed.em).untilAfter(from, left);
  }
}

/** A proxy closes a silent connection within a minute. */
const sayEveryMs = 5_000;
/** A stream ends then; the browser comes again automatically. */
const longestStreamMs = 300_000;
/** How long a stream may go on after its token was revoked or its rights changed. */
const checkTokenEveryMs = 5_000;

/** Whether the token of a request still opens these types: looked up at most each five seconds. */
function stillHolds(
  { reader, store, header }: Pick<RouteContext, 'reader' | 'store' | 'header'>,
  holds: (caller: Caller) => boolean,
): () => Promise<boolean> {
  const token = tokenIn(header('authorization'));
  let checkedAt = performance.now();
  return async () => {
    // A signed request has no bearer token: its stream ends by time.
    if (token === undefined || performance.now() - checkedAt < checkTokenEveryMs) return true;
    checkedAt = performance.now();
    return holds(await findCaller(reader, token, { now: new Date(), store }));
  };
}

async function* stream(
  feed: Feed,
  { from, mayGoOn }: { from: number; mayGoOn: () => Promise<boolean> },
): AsyncGenerator<string> {
  yield 'retry: 1000\n\n';
  const end = performance.now() + longestStreamMs;
  for (let after = from; performance.now() < end && (await mayGoOn());) {
    const { events, next } = await readOrWait(feed, { after, waitMs: sayEveryMs });
    after = next;
    yield events.length === 0
      ? `id: ${after}\n: nothing new\n\n`
      : events
          .map((event) => `id: ${event.sequence}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
          .join('');
  }
}

/** A doubtful refund is told to a till within a second; four looks a second cost less than a NOTIFY at every commit. */
const lookEveryMs = 250;

/** Everybody of this process who waits for the next event: one looks for all. */
class WaitingRoom {
  readonly #em: EntityManager;
  readonly #waiting = new Set<{ after: number; wake: () => void }>();
  #isLooking = false;

  constructor(em: EntityManager) {
    this.#em = em;
  }

  /** Resolves once there is an event after that place, or when the time is over. */
  async untilAfter(after: number, ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const guest = {
        after,
        wake: () => {
          clearTimeout(timer);
          this.#waiting.delete(guest);
          resolve();
        },
      };
      const timer = setTimeout(() => guest.wake(), ms);
      this.#waiting.add(guest);
      void this.#look();
    });
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      while (this.#waiting.size > 0) {
        await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
        if (this.#waiting.size > 0) this.#wakeAfter(await this.#newest());
      }
    } finally {
      this.#isLooking = false;
    }
  }

  async #newest(): Promise<number> {
    try {
      return await newest(this.#em);
    } catch {
      // The database is away: whoever waits asks again at its end, and hears it then.
      return 0;
    }
  }

  #wakeAfter(end: number): void {
    for (const { after, wake } of this.#waiting) if (after < end) wake();
  }
}

const roomOf = perDatabase((em) => new WaitingRoom(em));
