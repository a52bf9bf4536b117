import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MikroORM } from '@mikro-orm/postgresql';
import { growOrders } from '../../../bench/grow-orders.ts';
import { orderListPages } from '../../../bench/measure-order-lists.ts';
import { booksOf } from '../../support/books.ts';
import { countBlocks } from '../../../bench/support/count-blocks.ts';
import { readSearchCriteria } from '../../../api/wire/read-search-criteria.ts';
import { testDatabase } from '../../support/database.ts';

const { fork, insert } = booksOf(() => orm);

const sizes = [500, 20_000] as const;
/** Deeper indexes, and the rows of one customer or product that a bigger shop has more of. */
const mostMoreBlocks = 400;

let orm: MikroORM;
const blocks = new Map<string, number[]>();
beforeAll(async () => {
  orm = await testDatabase();
  await insert('website', {
    website_id: 1,
    code: 'base',
    name: 'Main',
    base_currency_code: 'USD',
    is_default: true,
    default_group_id: 1,
  });
  await insert('store_group', { group_id: 1, website_id: 1, code: 'main', name: 'Main', default_store_id: 1 });
  await insert('store_view', {
    store_id: 1,
    website_id: 1,
    store_group_id: 1,
    code: 'default',
    name: 'Default',
    currency_code: 'USD',
  });
  for (const [at, size] of sizes.entries()) {
    await growOrders({ em: fork(), say: () => undefined }, at === 0 ? 0 : sizes[0], size);
    for (const { name, asked } of orderListPages(size)) {
      const criteria = readSearchCriteria(asked.searchCriteria);
      const counted = await countBlocks(fork(), (em) => asked.find(em, criteria));
      blocks.set(name, [...(blocks.get(name) ?? []), counted.blocks]);
    }
  }
});
afterAll(() => orm.close());

test('a page of a list looks at as few blocks in a shop of 20,000 orders as in one of 500', () => {
  const grown = [...blocks].filter(([, [few = 0, many = Infinity]]) => many > few + mostMoreBlocks);
  expect(blocks.size).toBeGreaterThan(80);
  expect(grown).toEqual([]);
});
