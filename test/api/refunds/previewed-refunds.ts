import { afterAll, beforeAll } from '@jest/globals';
import { testApi, type TestApi } from '../../support/api.ts';
import { aShop } from '../../support/builders/shop.ts';
import { booksOf } from '../../support/books.ts';

export let api: TestApi;
export let locationId: number;

/** A shop with full shelves. */
export function opensAShop(): void {
  beforeAll(async () => {
    api = await testApi();
    ({ locationId } = await aShop(fork()));
    // Whatever is drawn, the shelves hold it.
    await fillShelves();
  });
  afterAll(() => api.close());
}

const { fork, fillShelves } = booksOf(() => api.orm);

export const preview = (body: object) =>
  api.call('POST', '/V1/pos/refunds/preview', { token: api.tokens.register, body });
