import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { searchContent } from '../../../db/content/search-content.ts';
import { readPublishedByIdentifiers } from '../../../db/content/read-published.ts';
import { everything } from '../../../api/wire/search-criteria.ts';
import { booksOf } from '../../support/books.ts';
import { testDatabase } from '../../support/database.ts';

let orm: Awaited<ReturnType<typeof testDatabase>>;
beforeAll(async () => {
  orm = await testDatabase();
  await write(`insert into content_item (kind, identifier, title, content, liveview, published_number, changed_by)
    select 'page', 'page-' || n, 'Page ' || n, repeat('x', 500), true, 1, 'ada' from generate_series(1, 20000) n`);
  await write(`insert into content_publication (content_id, number, title, content, html, css, published_by)
    select content_id, 1, title, content, content, '', 'ada' from content_item`);
  await write('vacuum analyze content_item, content_publication');
}, 120_000);
afterAll(() => orm.close());

const { fork, rows, write } = booksOf(() => orm);

/** How many rows PostgreSQL has read of these tables, by an index or without. */
const scanned = async () => {
  await rows('select pg_stat_force_next_flush()');
  const [row] = await rows<{ n: string }>(
    `select sum(seq_tup_read + idx_tup_fetch)::text as n from pg_stat_user_tables where relname like 'content_%'`,
  );
  return Number(row?.n);
};

const find = (field: string, value: string) =>
  searchContent(fork(), {
    kind: 'page',
    criteria: { ...everything, groups: [[{ field, value, condition: 'eq' }]], pageSize: 20 },
  });

test('one of 20,000 pages is found by an index: by its key, its title, its id; and read by its key', async () => {
  const before = await scanned();
  expect((await find('identifier', 'PAGE-17777')).rows).toMatchObject([{ title: 'Page 17777' }]);
  expect((await find('title', 'page 15000')).totalCount).toBe(1);
  expect((await find('page_id', '19999')).totalCount).toBe(1);
  const read = { kind: 'page', identifiers: ['page-4', 'page-19998'], storeId: 1 } as const;
  expect(await readPublishedByIdentifiers(orm.em, read)).toHaveLength(2);
  expect((await scanned()) - before).toBeLessThan(100);
  // What has no index is seen to have none.
  await find('meta_title', 'x');
  expect((await scanned()) - before).toBeGreaterThan(19_999);
});
