import { afterAll, beforeAll, expect } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { anOrder, type WantedOrder } from '../../../support/builders/order.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { booksOf } from '../../../support/books.ts';
import { testDatabase } from '../../../support/database.ts';
import { outcomesAtOnce } from '../../../support/rivals.ts';

export let orm: MikroORM;

/** A shop with an empty order book. */
export function opensAShop(): void {
  beforeAll(async () => {
    orm = await testDatabase();
    await aShop(fork());
  });
  afterAll(() => orm.close());
}

const { moneyInOf, fork, rows } = booksOf(() => orm);
export const one = async <Row extends object>(sql: string, parameters: unknown[] = []) =>
  (await rows<Row>(sql, ...parameters))[0]!;
export const orderRow = (orderId: number) =>
  one<Record<string, unknown>>('select * from sales_order where entity_id = ?', [orderId]);
export const moneyIn = (orderId: number) => moneyInOf(orderId, 'kind', 'reference', 'amount');

export const placed = (wanted: WantedOrder = {}) => anOrder(orm.em, { paid: false, shipped: false, ...wanted });

/** How many of eight at once were carried out. */
export async function carriedOutOfEight(attempt: () => Promise<unknown>) {
  const { done, refused } = await outcomesAtOnce(8, attempt);
  for (const refusal of refused) expect(refusal).toMatchObject({ status: 400 });
  return done.length;
}
