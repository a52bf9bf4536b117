import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EntityManager } from '@mikro-orm/postgresql';
import { createRetentionActivities } from '../../../activities/retention/retention-activities.ts';
import { publishContent, unpublishContent } from '../../../db/content/publish-content.ts';
import { purgeVersions } from '../../../db/content/purge-versions.ts';
import { changeContent, createContent } from '../../../db/content/save-content.ts';
import { cancelSchedule, createSchedule } from '../../../db/content/save-schedule.ts';
import { versionsKeptOf } from '../../../domain/content/versions-kept.ts';
import { renderContent } from '../../../providers/content/render-content.ts';
import { joined } from '../../../db/support/transact.ts';
import { aShop } from '../../support/builders/shop.ts';
import { booksOf } from '../../support/books.ts';
import { testDatabase } from '../../support/database.ts';
import { twiceAtOnce } from '../../support/rivals.ts';

let orm: Awaited<ReturnType<typeof testDatabase>>;
let names = 0;
beforeAll(async () => {
  orm = await testDatabase();
  await aShop(fork());
});
afterAll(() => orm.close());
const { fork, configure, versionsOf } = booksOf(() => orm);
const by = { author: 'ada', now: new Date(), render: renderContent };

/** A block that was saved so often. */
async function aBlock(saves: number) {
  const wish = { identifier: `b-${++names}`, title: 'T', content: '1' };
  const contentId = await createContent(fork(), { kind: 'block', storeId: 0, author: 'ada', wish });
  const ref = { kind: 'block', contentId, ...by } as const;
  for (let n = 2; n <= saves; n++) await changeContent(fork(), { ...ref, wish: { content: `${n}` } });
  const versions = async () => (await versionsOf(contentId, 'number')).map(({ number }) => number);
  return { contentId, ref, versions };
}

test('the newest stay, and whatever was ever published; a repeat finds nothing', async () => {
  const { ref, versions } = await aBlock(8);
  await publishContent(fork(), { ...ref, number: 2 });
  await publishContent(fork(), { ...ref, number: 4 });
  await unpublishContent(fork(), ref);
  expect(await purgeVersions(fork(), { kept: 3, limit: 100 })).toBe(3);
  expect(await versions()).toEqual([2, 4, 6, 7, 8]);
  expect(await purgeVersions(fork(), { kept: 3, limit: 100 })).toBe(0);
  // It counts on, and what is there can be shown.
  await changeContent(fork(), { ...ref, wish: { content: '9' } });
  await publishContent(fork(), { ...ref, number: 2 });
  expect(await versions()).toEqual([2, 4, 6, 7, 8, 9]);
});

test('a version that a schedule waits to publish stays until the schedule is over', async () => {
  const { contentId, versions } = await aBlock(4);
  const plan = { action: 'publish', number: 1, dueAt: new Date('2040-01-01') } as const;
  const schedule = await createSchedule(fork(), { contentId, author: 'ada', wish: plan });
  await purgeVersions(fork(), { kept: 1, limit: 100 });
  expect(await versions()).toEqual([1, 4]);
  await cancelSchedule(fork(), schedule);
  await purgeVersions(fork(), { kept: 1, limit: 100 });
  expect(await versions()).toEqual([4]);
});

test('two nights at once remove each version once, batch by batch', async () => {
  await purgeVersions(fork(), { kept: 1, limit: 1_000 });
  const { versions } = await aBlock(12);
  const night = async () => {
    let removed = 0;
    for (let now = 1; now > 0; removed += now) now = await purgeVersions(fork(), { kept: 2, limit: 3 });
    return removed;
  };
  const nights = await twiceAtOnce(() => night());
  await night();
  expect(nights.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(10);
  expect(await versions()).toEqual([11, 12]);
});

test('a publication that is under way keeps its version', async () => {
  const { ref, versions } = await aBlock(2);
  let isRendering = () => {};
  const begun = new Promise<void>((resolve) => (isRendering = resolve));
  let goOn = () => {};
  const purged = new Promise<void>((resolve) => (goOn = resolve));
  const render: typeof renderContent = async (tx, given) => {
    isRendering();
    await purged;
    return renderContent(tx, given);
  };
  const publishing = publishContent(fork(), { ...ref, number: 1, render });
  await begun;
  await purgeVersions(fork(), { kept: 1, limit: 1_000 });
  goOn();
  await publishing;
  expect(await versions()).toEqual([1, 2]);
});

test('a plan that is being made keeps its version, and one that comes too late is told', async () => {
  const { contentId, versions } = await aBlock(3);
  const wish = (number: number) => ({ action: 'publish', number, dueAt: new Date('2040-01-01') }) as const;
  const plan = (tx: EntityManager, number: number) =>
    createSchedule(tx, { contentId, author: 'ada', wish: wish(number) });
  await fork().transactional(async (tx) => {
    await plan(joined(tx), 1);
    await purgeVersions(fork(), { kept: 1, limit: 1_000 });
  });
  expect(await versions()).toEqual([1, 3]);
  await expect(plan(fork(), 2)).rejects.toThrow('The version %1 does not exist.');
});

test('the night goes by the setting of the shop', async () => {
  const { versions } = await aBlock(5);
  const night = createRetentionActivities({ orm });
  await night.purgeLeftovers({ limit: 1_000 });
  expect(await versions()).toHaveLength(5);
  await configure('vendor_cms/versions/kept', '2');
  expect(await night.purgeLeftovers({ limit: 1_000 })).toMatchObject({ removed: { content_version: 3 }, isDone: true });
  expect(await versions()).toEqual([4, 5]);
});

test.each([
  [undefined, 100],
  ['7', 7],
  [' 7 ', 7],
  ['0', 1],
  ['-1', 100],
  ['many', 100],
  ['99999', 10_000],
])('a setting of %s keeps %i', (setting, kept) => {
  expect(versionsKeptOf(setting)).toBe(kept);
});
