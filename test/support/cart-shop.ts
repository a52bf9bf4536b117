import { afterAll, beforeAll } from '@jest/globals';
import { testApi, type TestApi } from './api.ts';
import { booksOf } from './books.ts';
import { aCartShop } from './builders/cart.ts';

export let api: TestApi;

/** A shop that sells through carts, whose books hold at the end. */
export function opensACartShop(): void {
  beforeAll(async () => {
    api = await testApi();
    await aCartShop(api.orm.em.fork());
  });
  afterAll(async () => {
    await booksOf(() => api.orm).booksHold();
    await api.close();
  });
}
