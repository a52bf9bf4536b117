import { afterAll, beforeAll } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { aShop } from '../../support/builders/shop.ts';
import { booksOf } from '../../support/books.ts';
import { testDatabase } from '../../support/database.ts';

export let orm: MikroORM;

/** A shop with an empty order book. */
export function opensAShop(): void {
  beforeAll(async () => {
    orm = await testDatabase();
    await aShop(fork());
  });
  afterAll(() => orm.close());
}

const { theOrder, fork } = booksOf(() => orm);
export const order = async (orderId: number) =>
  await theOrder(
    orderId,
    'state',
    'status',
    'pos_layaway_status',
    'total_paid',
    'total_refunded',
    'total_canceled',
    'total_invoiced',
  );
