import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MikroORM } from '@mikro-orm/postgresql';
import { searchAuditLog } from '../../../api/audit/search-audit-log.ts';
import { readSearchCriteria } from '../../../api/wire/read-search-criteria.ts';
import { growTrail } from '../../../bench/audit-trail.ts';
import { growShop } from '../../../bench/grow-shop.ts';
import type { ListAsked } from '../../../bench/measure-list.ts';
import { shopListPages } from '../../../bench/measure-shop-lists.ts';
import { pageCriteria } from '../../../bench/page-criteria.ts';
import { countBlocks } from '../../../bench/support/count-blocks.ts';
import { countGrowing } from '../../../db/support/count-growing.ts';
import { auditLog } from '../../../db/support/counted-list.ts';
import { aShop } from '../../support/builders/shop.ts';
import { booksOf } from '../../support/books.ts';
import { testDatabase } from '../../support/database.ts';

const sizes = [500, 20_000] as const;
/** Deeper indexes, the counts of a trail that is not long enough to be counted, and a city or name that more have. */
const mostMoreBlocks = 400;

const { fork, write } = booksOf(() => orm);

let orm: MikroORM;
const blocks = new Map<string, number[]>();
beforeAll(async () => {
  orm = await testDatabase();
  await aShop(fork());
  for (const [at, size] of sizes.entries()) {
    const from = at === 0 ? 0 : sizes[0];
    await growShop({ em: fork(), say: () => undefined }, from, size);
    await growTrail({ execute: write, say: () => undefined }, from, size);
    while (await countGrowing(fork(), auditLog));
    for (const { name, asked } of [...shopListPages(size, false).filter(isEven), ...trail]) {
      const criteria = readSearchCriteria(asked.searchCriteria);
      const counted = await countBlocks(fork(), (em) => asked.find(em, criteria));
      blocks.set(name, [...(blocks.get(name) ?? []), counted.blocks]);
    }
  }
}, 300_000);
afterAll(() => orm.close());

const isEven = ({ growsWithShop }: { growsWithShop: boolean }) => !growsWithShop;

const trail = ['log_id', 'created_at'].flatMap((field) =>
  (['ASC', 'DESC'] as const).map((direction): { name: string; asked: ListAsked } => ({
    name: `lines of the audit trail by ${field} ${direction}`,
    asked: {
      path: '/V1/pos/audit-log',
      find: searchAuditLog,
      searchCriteria: pageCriteria({ sort: [field, direction] }),
    },
  })),
);

test('a page of a list looks at as few blocks in a shop with 20,000 of everything as in one with 500', () => {
  const grown = [...blocks].filter(([, [few = 0, many = Infinity]]) => many > few + mostMoreBlocks);
  expect(blocks.size).toBeGreaterThan(200);
  expect(grown).toEqual([]);
});
