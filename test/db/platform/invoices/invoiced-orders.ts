import { expect } from '@jest/globals';
import { anOrder, type WantedOrder } from '../../../support/builders/order.ts';
import { booksOf } from '../../../support/books.ts';
import { outcomesAtOnce } from '../../../support/rivals.ts';
import { orm } from '../../../support/order-book.ts';

export { orm, opensAShop } from '../../../support/order-book.ts';

const { theOrder, moneyInOf } = booksOf(() => orm);
export const orderRow = (orderId: number) => theOrder(orderId);
export const moneyIn = (orderId: number) => moneyInOf(orderId, 'kind', 'reference', 'amount');

export const placed = (wanted: WantedOrder = {}) => anOrder(orm.em, { paid: false, shipped: false, ...wanted });

/** How many of eight at once were carried out. */
export async function carriedOutOfEight(attempt: () => Promise<unknown>) {
  const { done, refused } = await outcomesAtOnce(8, attempt);
  for (const refusal of refused) expect(refusal).toMatchObject({ status: 400 });
  return done.length;
}
