import { afterAll, beforeAll } from '@jest/globals';
import { testApi, type TestApi } from '../../../support/api.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { booksOf } from '../../../support/books.ts';

export let api: TestApi;
export let stockId: number;

/** A shop with two sources. */
export function opensAShop(): void {
  beforeAll(async () => {
    api = await testApi();
    ({ stockId } = await aShop(fork()));
  });
  afterAll(() => api.close());
}

const { fork } = booksOf(() => api.orm);

export const get = (path: string) => api.call('GET', path, { token: api.tokens.admin });
export const set = (sourceItems: unknown) =>
  api.call('POST', '/V1/inventory/source-items', { token: api.tokens.admin, body: { sourceItems } });
