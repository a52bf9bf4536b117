import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { findLimbo } from '../../../db/refunds/find-limbo.ts';
import { aReturn } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { booksOf } from '../../support/books.ts';
import { testDatabase } from '../../support/database.ts';

let orm: MikroORM;
let locationId: number;
beforeAll(async () => {
  orm = await testDatabase();
  ({ locationId } = await aShop(fork()));
});
afterAll(() => orm.close());

const { fork } = booksOf(() => orm);

test('a return that was cut off is found, however many older ones are held until a person closes them', async () => {
  const { returnId } = await aReturn(orm, { locationId });
  const em = fork();
  await em.execute(
    `insert into sale_return (increment_id, order_id, is_auto_approved, is_ready, updated_at)
     select 'held-' || number, order_id, true, false, now() - interval '1 day'
     from sale_return, generate_series(1, 250) number where return_id = ?`,
    [returnId],
  );
  await em.execute(`update sale_return set updated_at = now() - interval '1 minute' where return_id = ?`, [returnId]);

  let sweeps = 0;
  let isFound = false;
  while (!isFound && sweeps++ < 100) isFound = (await findLimbo(fork())).returnIds.includes(returnId);

  expect(isFound).toBe(true);
});
