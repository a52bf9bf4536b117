import { beforeAll, describe, expect, test } from '@jest/globals';
import '../../../db/retention.ts';
import { listEndpoints, mostCounted } from '../../../db/events/endpoints.ts';
import { hasWork, mendDeliveries } from '../../../db/events/deliveries.ts';
import { readFeed, readFeedState, readLast } from '../../../db/events/feed.ts';
import { eventInvariants } from '../../../books/verify/invariants/events.ts';
import { statements } from '../../../db/support/statement.ts';
import { booksOf } from '../../support/books.ts';
import { anOrder } from '../../support/builders/order.ts';
import { aShop } from '../../support/builders/shop.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { firstId } from '../../support/first-id.ts';

/**
 * What a look costs in pages of the database, not in time: the same after a thousand events and after many. By hand
 * with a million: `FLAT_EVENTS=1000000 npm test -- test/db/events/many-events`.
 */
const few = 1_000;
const many = Number(process.env['FLAT_EVENTS'] ?? 50_000);

const orm = useDatabase();
beforeAll(async () => {
  await aShop(orm.em.fork());
  await anOrder(fork(), { paid: false, shipped: false });
  await write('delete from pos_event');
  await write(`insert into webhook_endpoint (url, sealed_secret, state, held_until) values
    ('https://well.example', 'x', 'on', null), ('https://pile.example', 'x', 'on', null),
    ('https://dead.example', 'x', 'on', now() + interval '1 hour'), ('https://off.example', 'x', 'off', null)`);
});

const { fork, write, rows } = booksOf(() => orm);
const [well, pile, dead, late] = [firstId, firstId + 1, firstId + 2, firstId + 3] as const;

/**
 * Events from one place to another, most of them of stock, one in a thousand a doubtful refund. All are delivered to
 * the first endpoint. The second has one object that is tried again later and all others of it behind; the third has
 * all of them, none due.
 */
async function tell(from: number, to: number): Promise<void> {
  const places = `generate_series(${from}, ${to}) n`;
  await write(`
    insert into pos_event (event_id, sequence, type, object_kind, object_id, facts, occurred_at)
    select n, n, case when n % 1000 = 0 then 'refund.uncertain' when n % 4 = 0 then 'order.placed' else 'stock.moved'
      end,
      case when n % 1000 = 0 then 'refund' when n % 4 = 0 then 'order' else 'stock' end, n::text,
      '{"quantity": 1, "sku": "MUG", "source_code": "floor"}', now() - interval '1 day' + n * interval '1 millisecond'
    from ${places}`);
  await write(`
    insert into webhook_delivery (endpoint_id, event_id, sequence, object_key, state, is_next, tries, due_at)
    select ${well}, n, n, 'stock ' || n, 'delivered', true, 1, now() from ${places}
    union all select ${pile}, n, n, 'stock MUG', 'waiting', n = 1, (n = 1)::int,
      now() + (n = 1)::int * interval '1 hour' from ${places}
    union all select ${dead}, n, n, 'stock ' || n, 'waiting', true, 1, now() + interval '1 hour' from ${places}`);
  await write(`
    insert into webhook_attempt (delivery_id, endpoint_id, at, status, took_ms, answer)
    select delivery_id, endpoint_id, now() - interval '1 day', 204, 7, '' from webhook_delivery
    where endpoint_id = ${well} and sequence between ${from} and ${to}`);
  await write(`update webhook_endpoint set planned_up_to = case when endpoint_id = ${late} then 1 else ${to} end`);
  await write(`select setval('pos_event_event_id_seq', ${to} + 100000000), setval('pos_event_places', ${to})`);
  for (const table of ['pos_event', 'webhook_delivery', 'webhook_attempt', 'webhook_endpoint'])
    await write(`vacuum analyze ${table}`);
}

interface Plan {
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  'Subplan Name'?: string;
  Plans?: Plan[];
}

/** What a `with` writes is done after the rest, and is not among the pages of the whole. */
const pagesIn = (plan: Plan, isCounted = true): number =>
  (isCounted ? plan['Shared Hit Blocks'] + plan['Shared Read Blocks'] : 0) +
  (plan.Plans ?? []).reduce((sum, part) => sum + pagesIn(part, part['Subplan Name']?.startsWith('CTE') === true), 0);

/** Orders, one in ten of them cancelled, for the rules to compare. */
async function sell(many: number): Promise<void> {
  const columns = (
    await rows<{
      name: string;
    }>(`select string_agg(quote_ident(column_name), ', ') as name from information_schema.columns
      where table_name = 'sales_order' and is_generated = 'NEVER' and column_name not in ('entity_id', 'increment_id',
        'state')`)
  )[0]?.name;
  await write(`insert into sales_order (increment_id, state, ${columns})
    select 'MANY-' || n, case when n % 10 = 0 then 'canceled' else o.state end, ${columns}
    from (select * from sales_order order by entity_id limit 1) o, generate_series(1, ${many}) n
    on conflict do nothing`);
  await write('delete from pos_event where sequence is null');
}

/**
 * Pages that are read, the more of the two ways in which the database may go about it: for these values, and for any.
 */
async function pagesOf(sql: string, values: readonly Value[] = []): Promise<number> {
  const em = fork();
  const pages: number[] = [];
  await em.begin();
  try {
    await em.execute(`prepare look as ${sql}`);
    const given = values.length === 0 ? '' : `(${values.map(literal).join(', ')})`;
    for (const way of ['force_custom_plan', 'force_generic_plan']) {
      await em.execute(`savepoint before`);
      await em.execute(`set local plan_cache_mode = ${way}`);
      const [row] = await em.execute<{ 'QUERY PLAN': { Plan: Plan }[] }[]>(
        `explain (analyze, buffers, format json) execute look${given}`,
      );
      const [plan] = row?.['QUERY PLAN'] ?? [];
      pages.push(plan ? pagesIn(plan.Plan) : NaN);
      await em.execute(`rollback to before`);
    }
    return Math.max(...pages);
  } finally {
    await em.rollback();
    await em.execute('deallocate all');
  }
}

type Value = number | string | null | undefined | readonly string[];

const literal = (value: Value): string => {
  if (typeof value === 'string') return `'${value}'`;
  return Array.isArray(value) ? `'{${value.join(',')}}'` : String(value ?? null);
};

/** Of a statement of the product, by words that only it has. */
function pagesOfStatement(words: string, values: Readonly<Record<string, Value>> = {}): Promise<number> {
  const all = words.split(' … ');
  const found = [...statements.values()].filter(({ text }) =>
    all.every((some) => text.replaceAll(/\s+/g, ' ').includes(some)),
  );
  const [said] = found;
  if (!said || found.length > 1) throw new Error(`${found.length} statements have “${words}”`);
  return pagesOf(
    said.text,
    said.takes.map(({ name }) => values[name]),
  );
}

const counted = 'the list of endpoints, with what waits';

const tried = { tookMs: 7, status: 204, failure: null, answer: '', leaseSeconds: 30, many: 5 };

/** What is looked up or written often, in the middle of all that was told. */
const looks: Readonly<Record<string, (all: number) => Promise<number>>> = {
  'a page of the feed': (all) =>
    pagesOfStatement('as occurred_at from pos_event where sequence > $', { after: all / 2, limit: 50 }),
  'a page of rare types': () =>
    pagesOfStatement('as wanted) t … order by type, sequence limit', {
      ...{ after: 1, types: ['refund.uncertain', 'refund.decided'], limit: 5 },
    }),
  'the last of a type that never came': () =>
    pagesOfStatement('as wanted) t … order by e.sequence desc', { types: ['content.published'], limit: 20 }),
  'where the feed begins and ends': () => pagesOfStatement('as gone,'),
  'whether an event has no place': () =>
    pagesOfStatement('select exists (select from pos_event where sequence is null) as'),
  'how the feed does': () => pagesOfStatement('as overdue_seconds … as without_place'),
  'a look after an endpoint': () => pagesOfStatement('as has_events', { endpointId: pile, many: 5 }),
  'events become deliveries': () => pagesOfStatement('), made as (', { endpointId: late, most: 100 }),
  'a claim where nothing is due': () =>
    pagesOfStatement('due_at <= now() order by … update webhook_delivery d set tries', {
      endpointId: dead,
      limit: 4,
      leaseSeconds: 30,
    }),
  'a claim beside a pile of one object': () =>
    pagesOfStatement('due_at <= now() order by … update webhook_delivery d set tries', {
      endpointId: pile,
      limit: 4,
      leaseSeconds: 30,
    }),
  'whether there is work beside a pile': () => pagesOfStatement(`or w.state <> 'on' as is_there`, { endpointId: pile }),
  'a delivery that was taken': () =>
    pagesOfStatement(`set state = 'delivered', delivered_at = now()`, {
      ...tried,
      deliveryId: firstId + 1,
      endpointId: pile,
    }),
  'the next one of its object': () => pagesOfStatement('set is_next = true where not is_next', { deliveryId: 2 }),
  'a delivery that failed': () =>
    pagesOfStatement('later as (', {
      ...{ ...tried, deliveryId: firstId + 1, endpointId: pile, pauseSeconds: 5, triedForSeconds: 9 },
    }),
  [counted]: () => pagesOfStatement('as waiting, w.created_at', { endpointId: null }),
  'the last tries of an endpoint': () =>
    pagesOfStatement('from webhook_attempt a join webhook_delivery d using', {
      endpointId: well,
      before: null,
      limit: 3,
    }),
  'a night in which no event is too old': () => pagesOfStatement('delete from pos_event t', { days: 30, limit: 100 }),
  'a night in which a hundred are': () => pagesOfStatement('delete from pos_event t', { days: 0, limit: 100 }),
  'a night in which no try is too old': () =>
    pagesOfStatement('delete from webhook_attempt t', { days: 30, limit: 100 }),
};

describe('after many events', () => {
  const costs = new Map<string, number[]>();
  const rules = new Map<string, number[]>();
  const note = (kept: Map<string, number[]>, name: string, pages: number) =>
    kept.set(name, [...(kept.get(name) ?? []), pages]);

  beforeAll(async () => {
    for (const [from, to] of [
      [1, few],
      [few + 1, many],
    ] as const) {
      await sell(to / 10);
      await tell(from, to);
      await write('vacuum analyze sales_order');
      for (const [name, look] of Object.entries(looks)) {
        await look(to);
        note(costs, name, await look(to));
      }
      for (const { id, sql } of eventInvariants) note(rules, id, await pagesOf(sql));
    }
    if (process.env['FLAT_EVENTS']) console.log(Object.fromEntries([...costs, ...rules]));
  }, 600_000);

  test.each(Object.keys(looks))('%s costs as little as after a thousand', (name) => {
    const [before = NaN, after = NaN] = costs.get(name) ?? [];
    // The tree of an index is a page or two higher, each time it is entered. A thousand that wait are not yet ten
    // thousand.
    expect(after).toBeLessThanOrEqual(before * 3 + 60 + (name === counted ? (2 * mostCounted) / 5 : 0));
  });

  test.each(eventInvariants.map(({ id }) => id))(
    'the rule %s reads each event a few times, not each for each',
    (id) => {
      const [before = NaN, after = NaN] = rules.get(id) ?? [];
      expect(after).toBeLessThanOrEqual((before + 20) * (many / few) * 3);
    },
  );

  test('a register that asks for doubtful refunds alone gets the oldest of them, and a person the last', async () => {
    const page = { types: ['refund.uncertain'] as const, limit: 2 };
    expect((await readFeed(fork(), { ...page, after: 0 })).map(({ sequence }) => sequence)).toEqual([1_000, 2_000]);
    expect((await readLast(fork(), page)).map(({ sequence }) => sequence)).toEqual([many - 1_000, many]);
  });

  test('more than ten thousand that wait are not counted', async () => {
    const waiting = (await listEndpoints(fork())).map((one) => one.waiting);
    expect(waiting).toEqual([0, mostCounted, mostCounted, 0]);
  });

  test('what waits behind an object that is tried again later is no work', async () => {
    expect(await hasWork(fork(), pile)).toBe(false);
    expect(await readFeedState(fork())).toMatchObject({ newest: many, overdueSeconds: 0 });
  });

  test('after the first of a pile was purged with its event, the one behind it is the next', async () => {
    await write('delete from pos_event where event_id = 1');
    await mendDeliveries(fork());
    const next = await rows(`select sequence::int from webhook_delivery where endpoint_id = ${pile} and is_next`);
    expect(next).toEqual([{ sequence: 2 }]);
    expect(await hasWork(fork(), pile)).toBe(true);
  });
});
