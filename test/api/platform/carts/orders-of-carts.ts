import { afterAll, beforeAll } from '@jest/globals';
import { testApi, type TestApi } from '../../../support/api.ts';
import { aCartShop } from '../../../support/builders/cart.ts';
import { booksOf } from '../../../support/books.ts';

export let api: TestApi;

/** A shop whose books hold at the end. */
export function opensAShop(): void {
  beforeAll(async () => {
    api = await testApi();
    await aCartShop(fork());
  });
  afterAll(async () => {
    await booksHold();
    await api.close();
  });
}

const { fork, rows, booksHold } = booksOf(() => api.orm);
export const ordersOf = (customerId: number) =>
  rows<object>('select entity_id, quote_id from sales_order where customer_id = ?', customerId);
