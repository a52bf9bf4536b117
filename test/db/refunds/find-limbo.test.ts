import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MikroORM } from '@mikro-orm/postgresql';
import { findLimbo } from '../../../db/refunds/find-limbo.ts';
import { aReturn } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { booksOf } from '../../support/books.ts';
import { testDatabase } from '../../support/database.ts';
import { minutesAgo, daysAgo } from '../../support/moments.ts';

let orm: MikroORM;
let locationId: number;
beforeAll(async () => {
  orm = await testDatabase();
  ({ locationId } = await aShop(fork()));
});
afterAll(() => orm.close());

const { fork, change, insertAll } = booksOf(() => orm);

test('a return that was cut off is found, however many older ones are held until a person closes them', async () => {
  const { returnId, orderId } = await aReturn(orm, { locationId });
  const held = { order_id: orderId, is_auto_approved: true, is_ready: false, updated_at: daysAgo(1) };
  await insertAll(
    'sale_return',
    Array.from({ length: 250 }, (_, at) => ({ increment_id: `held-${at}`, ...held })),
  );
  await change('sale_return', { return_id: returnId }, { updated_at: minutesAgo(1) });

  let sweeps = 0;
  let isFound = false;
  while (!isFound && sweeps++ < 100) isFound = (await findLimbo(fork())).returnIds.includes(returnId);

  expect(isFound).toBe(true);
});
