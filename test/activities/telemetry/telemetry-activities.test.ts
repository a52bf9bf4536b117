import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createTelemetryActivities, type TelemetryActivities } from '../../../activities/nights.ts';
import { dayOf } from '../../../domain/telemetry.ts';
import { someTelemetry } from '../../support/builders/telemetry.ts';
import { booksOf } from '../../support/books.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { eightAtOnce, atOnce } from '../../support/rivals.ts';
import { like } from '../../support/books/which.ts';
import { daysAgo } from '../../support/moments.ts';

/** A night far from today's, so that the database's clock does not disturb it. */
let now = new Date();
const day = (ago: number) => dayOf(now, -ago);

const orm = useDatabase();
let activities: TelemetryActivities;
beforeAll(async () => {
  activities = createTelemetryActivities({ orm });
});
beforeEach(async () => {
  now = new Date();
  for (const table of ['pos_telemetry_batch', 'pos_telemetry_summary']) await remove(table);
  await purgeAll(dayOf(now, 30));
});

const { find, fork, rows, howMany, insert, remove, configure } = booksOf(() => orm);
const sums = () => find('pos_telemetry_summary', {}, 'day', 'location_id', 'event_name', 'event_count', 'value_sum');
const eventsOf = (of: string) => howMany('pos_telemetry_event', { recorded_on: of });
const partitions = async () =>
  (
    await rows(
      `select relname from pg_class where relname ~ '^pos_telemetry_event_[0-9]{8}$' and relkind = 'r' order by 1`,
    )
  ).map(({ relname }) => String(relname));
const purgeAll = async (before: string, limit = 10_000) => {
  for (let batch = 1; ; batch++) if ((await activities.purgeTelemetry({ before, limit })).isDone) return batch;
};

test('due are the days that are over and got something since they were summed up', async () => {
  await someTelemetry(fork(), { day: day(100), count: 1 });
  await someTelemetry(fork(), { day: day(90), count: 1 });
  await someTelemetry(fork(), { day: day(2), count: 1, receivedAt: `${day(2)}T13:00:00Z` });
  await someTelemetry(fork(), { day: day(1), count: 1 });
  await someTelemetry(fork(), { day: day(0), count: 1 });
  const due = async () => (await activities.planTelemetry()).dueDays;

  expect(await due()).toEqual([day(90), day(2), day(1)]);

  for (const one of await due()) await activities.summariseDay({ day: one });
  // What came within the last hour may have been under way while it was summed up.
  expect(await due()).toEqual([day(90), day(1)]);
  await someTelemetry(fork(), { day: day(2), count: 1 });
  expect(await due()).toEqual([day(90), day(2), day(1)]);
});

test('the shop says how long telemetry is kept', async () => {
  expect((await activities.planTelemetry()).keptFrom).toBe(day(90));
  await configure('vendor_pos_advanced/telemetry/retention_days', '7');
  expect((await activities.planTelemetry()).keptFrom).toBe(day(7));
  await remove('config_value', { path: like('%retention_days') });
});

test('a day is summed up by location and name; twice and eight at once come to the same', async () => {
  await someTelemetry(fork(), { day: day(1), count: 3 });
  await someTelemetry(fork(), { day: day(1), count: 2, eventName: 'opened' });
  await someTelemetry(fork(), { day: day(1), count: 4, locationId: 2 });
  await activities.summariseDay({ day: day(1) });
  const once = await sums();

  const answers = await eightAtOnce(() => activities.summariseDay({ day: day(1) }));

  expect(answers).toEqual(Array.from({ length: 8 }, () => 3));
  expect(once).toMatchObject([
    { day: day(1), location_id: 1, event_name: 'checkout_completed', event_count: 3, value_sum: '3.000000' },
    { location_id: 1, event_name: 'opened', event_count: 2 },
    { location_id: 2, event_name: 'checkout_completed', event_count: 4 },
  ]);
  expect(await sums()).toEqual(once);

  await someTelemetry(fork(), { day: day(1), count: 1 });
  await activities.summariseDay({ day: day(1) });
  expect((await sums())[0]).toMatchObject({ event_count: 4, value_sum: '4.000000' });
});

test('sums at once with events that still come end at what is there', async () => {
  await atOnce<unknown>(24, (n) =>
    n % 3 === 0 ? activities.summariseDay({ day: day(1) }) : someTelemetry(fork(), { day: day(1), count: 5 }),
  );
  expect((await activities.planTelemetry()).dueDays).toEqual([day(1)]);
  await eightAtOnce(() => activities.summariseDay({ day: day(1) }));
  expect(await sums()).toMatchObject([{ event_count: 80 }]);
});

test('days get a place of their own once, with what came before there was one', async () => {
  await someTelemetry(fork(), { day: day(0), count: 5 });
  const days = [day(0), day(-1)];

  const opened = await Promise.all([
    ...Array.from({ length: 4 }, () => activities.openTelemetryDays({ days })),
    ...Array.from({ length: 8 }, () => someTelemetry(fork(), { day: day(0), count: 5 })),
  ]);

  expect(opened.reduce<number>((sum, count) => sum + (count ?? 0), 0)).toBe(2);
  expect(await partitions()).toHaveLength(2);
  expect(await eventsOf(day(0))).toBe(45);
  expect(await howMany('pos_telemetry_event_other')).toBe(0);
});

test('what is older than the shop keeps goes in batches, whole days at a time, and nothing else', async () => {
  await activities.openTelemetryDays({ days: [day(95), day(91), day(90)] });
  for (const ago of [99, 95, 91, 90, 1]) {
    await someTelemetry(fork(), { day: day(ago), count: 10 });
    await activities.summariseDay({ day: day(ago) });
  }
  await insert('pos_telemetry_batch', { digest: 'old', received_at: daysAgo(91) });
  await insert('pos_telemetry_batch', { digest: 'new', received_at: new Date() });

  expect(await activities.purgeTelemetry({ before: day(90), limit: 4 })).toEqual({ rows: 8, days: 1, isDone: false });
  expect(await purgeAll(day(90), 4)).toBe(2);

  expect(await Promise.all([99, 95, 91, 90, 1].map((ago) => eventsOf(day(ago))))).toEqual([0, 0, 0, 10, 10]);
  expect((await sums()).map((sum) => sum['day'])).toEqual([day(90), day(1)]);
  expect(await find('pos_telemetry_batch', {}, 'digest')).toEqual([{ digest: 'new' }]);
  expect(await partitions()).toEqual([`pos_telemetry_event_${day(90).replaceAll('-', '')}`]);
  expect(await activities.purgeTelemetry({ before: day(90), limit: 4 })).toEqual({ rows: 0, days: 0, isDone: true });
});

test('eight who purge at once remove each thing once, while registers go on telling', async () => {
  await activities.openTelemetryDays({ days: [day(93), day(92), day(91), day(0)] });
  for (const ago of [94, 93, 92, 91]) await someTelemetry(fork(), { day: day(ago), count: 50 });

  await Promise.all([
    ...Array.from({ length: 8 }, () => purgeAll(day(90), 7)),
    ...Array.from({ length: 8 }, () => someTelemetry(fork(), { day: day(0), count: 5 })),
  ]);
  await purgeAll(day(90));

  expect(await howMany('pos_telemetry_event')).toBe(40);
  expect(await eventsOf(day(0))).toBe(40);
});
