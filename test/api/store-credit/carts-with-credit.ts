import { afterAll, beforeAll } from '@jest/globals';
import { testApi, type TestApi } from '../../support/api.ts';
import { aCartShop, type Shopper } from '../../support/builders/cart.ts';
import { booksOf } from '../../support/books.ts';

export let api: TestApi;

/** A shop that gives store credit. */
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

const { fork, booksHold } = booksOf(() => api.orm);
export const admin = (method: string, path: string, body?: object) =>
  api.call(method, path, { token: api.tokens.admin, ...(body ? { body } : {}) });
export const orderOf = async (id: number) => (await admin('GET', `/V1/orders/${id}`)).body;
export const apply = ({ call }: Shopper) => call('POST', '/store-credit/apply');
export const remove = ({ call }: Shopper) => call('POST', '/store-credit/remove');
export const look = async ({ call }: Shopper) => (await call('GET', '/store-credit')).body;
