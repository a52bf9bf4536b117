import type { Mutant } from './mutant.ts';

const feed = 'test/api/events/feed.test.ts';
const deliveries = 'test/activities/events/deliver-events.test.ts';
const sender = 'test/providers/webhooks/send-webhook.test.ts';
const tables = 'test/db/events/told-by-the-tables.test.ts';
const retention = 'test/db/retention/purge-leftovers.test.ts';
const restored = 'test/db/verdicts/verdicts.test.ts';
const many = 'test/db/events/many-events.test.ts';
const endpoints = 'test/api/events/endpoints.test.ts';

/** What the systems around are told. */
export const eventMutants: readonly Mutant[] = [
  {
    id: 'EV01',
    mistake: 'an event gets its place when it is written, and one that commits late is skipped',
    sql: `alter table pos_event alter column sequence set default nextval('pos_event_places')`,
    killedBy: [feed],
  },
  {
    id: 'EV02',
    mistake: 'a sale is not told',
    sql: 'drop trigger pos_told_in on sales_order',
    killedBy: [tables],
  },
  {
    id: 'EV03',
    mistake: 'an event is shown with the secrets of its object',
    patches: [
      {
        file: 'api/event-objects.ts',
        find: 'return withoutSecrets(await read(em, event, store));',
        replace: 'return await read(em, event);',
      },
    ],
    killedBy: [feed],
  },
  {
    id: 'EV04',
    mistake: 'types that the caller may not read come with the others',
    patches: [
      {
        file: 'api/events/events.ts',
        find: 'named.length > 0 ? types : eventTypes.filter(mayRead)',
        replace: 'named.length > 0 ? types : [...eventTypes]',
      },
    ],
    killedBy: [feed],
  },
  {
    id: 'EV05',
    mistake: 'an event overtakes the one before of its object',
    patches: [
      {
        file: 'db/events/deliveries.ts',
        find: "and state = 'waiting' and is_next and due_at <= now()",
        replace: "and state = 'waiting' and due_at <= now()",
      },
    ],
    killedBy: [deliveries],
  },
  {
    id: 'EV06',
    mistake: 'a delivery is sent before it is claimed',
    patches: [
      {
        file: 'db/events/deliveries.ts',
        find: 'due_at = now() + make_interval(secs => $leaseSeconds),\n    first_tried_at',
        replace: 'due_at = now() + make_interval(secs => $leaseSeconds * 0),\n    first_tried_at',
      },
    ],
    killedBy: [deliveries],
  },
  {
    id: 'EV07',
    mistake: 'an endpoint that takes nothing is called for ever',
    patches: [
      {
        file: 'db/events/deliveries.ts',
        find: "state = case when is_over then 'paused' else state end",
        replace: 'state = state',
      },
    ],
    killedBy: [deliveries],
  },
  {
    id: 'EV08',
    mistake: 'a name is looked up again for the call',
    patches: [
      {
        file: 'providers/webhooks.ts',
        find: 'if (!found.every(({ address }) => mayBeCalled(address, mayCallPrivate))) throw new Refused(notPublic);',
        replace: '',
      },
    ],
    killedBy: [sender],
  },
  {
    id: 'EV09',
    mistake: 'an IPv4 address inside an IPv6 one is taken for public',
    patches: [
      {
        file: 'providers/webhooks.ts',
        find: "return parsed.kind() === 'ipv4' || parsed.match(globalUnicast);",
        replace: 'return true;',
      },
    ],
    killedBy: [sender],
  },
  {
    id: 'EV10',
    mistake: 'the former secret signs for ever',
    patches: [
      {
        file: 'db/events/deliveries.ts',
        find: 'case when former_until > now() then sealed_former_secret end as sealed_former_secret',
        replace: 'sealed_former_secret',
      },
    ],
    killedBy: [deliveries],
  },
  {
    id: 'EV11',
    mistake: 'more endpoints than workers have places for',
    patches: [{ file: 'db/events/endpoints.ts', find: "await lockAdvisory(tx, 'webhook endpoints');", replace: '' }],
    killedBy: [endpoints],
  },
  {
    id: 'EV12',
    mistake: 'whoever was away too long is not told so',
    patches: [{ file: 'api/events/events.ts', find: 'if (after < gone) throw', replace: 'if (after < 0) throw' }],
    killedBy: [feed],
  },
  {
    id: 'EV13',
    mistake: 'the event behind one that was taken is never sent',
    patches: [
      {
        file: 'db/events/deliveries.ts',
        find: 'await passOn.run(tx, { deliveryId: String(deliveryId) });',
        replace: '',
      },
    ],
    killedBy: [deliveries],
  },
  {
    id: 'EV14',
    mistake: 'which delivery is next is said beside somebody who says it too',
    patches: [{ file: 'db/events/deliveries.ts', find: 'await lock.run(tx, { endpointId });', replace: '' }],
    killedBy: [deliveries],
  },
  {
    id: 'EV15',
    mistake: 'an object that cannot be shown keeps others back',
    patches: [
      {
        file: 'activities/events.ts',
        find: 'bodies.set(event.eventId, undefined);',
        replace: 'throw error;',
      },
    ],
    killedBy: [deliveries],
  },
  {
    id: 'EV16',
    mistake: 'events go from the middle of the feed, and whoever was away is not told',
    patches: [
      {
        file: 'db/retention.ts',
        find: 'and r.sequence < all (select o.sequence',
        replace: 'and r.sequence <> all (select o.sequence',
      },
    ],
    killedBy: [retention],
  },
  {
    id: 'EV17',
    mistake: 'a copy of the shop tells the systems of the shop',
    patches: [
      {
        file: 'db/verdicts/mark-restored.ts',
        find: 'const pausedEndpoints = await pauseEndpoints.run(tx);',
        replace: 'const pausedEndpoints = 1;',
      },
    ],
    killedBy: [restored],
  },
  {
    id: 'EV18',
    mistake: 'an id that was sent in the lost time is given to another event',
    sql: `create or replace function pos_leave_event_numbers() returns void language sql as 'select'`,
    killedBy: [restored],
  },
  {
    id: 'EV19',
    mistake: 'a page of rare types reads all events',
    patches: [
      {
        file: 'db/events/feed.ts',
        find: 'where sequence is not null and (type, sequence) > (t.wanted, $after)',
        replace: 'where (type, sequence) > (t.wanted, $after)',
      },
    ],
    killedBy: [many],
  },
];
