import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { searchContent } from '../../../db/content/read-content.ts';
import { readPublishedByIdentifiers } from '../../../db/content/read-published.ts';
import { everything } from '../../../api/wire/criteria.ts';
import { booksOf } from '../../support/books.ts';
import { manyRecords } from '../../support/books/many-records.ts';
import { measure, rowsRead } from '../../support/books/rows-read.ts';
import { testDatabase } from '../../support/database.ts';
import { idsBefore } from '../../support/first-id.ts';

let orm: Awaited<ReturnType<typeof testDatabase>>;
beforeAll(async () => {
  orm = await testDatabase();
  const content = 'x'.repeat(500);
  const pages = manyRecords(20_000, (n) => ({ content, title: `Page ${n}` }));
  await books.insertAll(
    'content_item',
    pages.map((page, at) => ({
      ...{
        ...page,
        kind: 'page',
        identifier: `page-${at + 1}`,
        liveview: true,
        published_number: 1,
        changed_by: 'ada',
      },
    })),
  );
  const items = await books.find('content_item', {}, 'content_id');
  await books.insertAll(
    'content_publication',
    items.map((item, at) => ({ ...item, ...pages[at], number: 1, html: content, css: '', published_by: 'ada' })),
  );
  await measure(books, 'content_item', 'content_publication');
});
afterAll(() => orm.close());

const books = booksOf(() => orm);
const { fork } = books;
const scanned = () => rowsRead(books, 'content_');

const find = (field: string, value: string) =>
  searchContent(fork(), {
    kind: 'page',
    criteria: { ...everything, groups: [[{ field, value, condition: 'eq' }]], pageSize: 20 },
  });

test('one of 20,000 pages is found by an index: by its key, its title, its id; and read by its key', async () => {
  const before = await scanned();
  expect((await find('identifier', 'PAGE-17777')).rows).toMatchObject([{ title: 'Page 17777' }]);
  expect((await find('title', 'page 15000')).totalCount).toBe(1);
  expect((await find('page_id', String(idsBefore + 19_999))).totalCount).toBe(1);
  const read = { kind: 'page', identifiers: ['page-4', 'page-19998'], storeId: 1 } as const;
  expect(await readPublishedByIdentifiers(orm.em, read)).toHaveLength(2);
  expect((await scanned()) - before).toBeLessThan(100);
  // What has no index is seen to have none.
  await find('meta_title', 'x');
  expect((await scanned()) - before).toBeGreaterThan(19_999);
});
