import { afterAll, beforeAll } from '@jest/globals';
import { testApi, type TestApi } from '../../support/api.ts';
import { aShop } from '../../support/builders/shop.ts';

/** What a create refuses, and what it answers. The rest is in test/workflows/returns. */
export let api: TestApi;
export let locationId: number;

/** A shop with a worker. */
export function opensAReturnDesk(): void {
  beforeAll(async () => {
    api = await testApi();
    ({ locationId } = await aShop(api.orm.em.fork()));
  });
  afterAll(() => api.close());
}

export const call = (method: string, path: string, body?: unknown) =>
  api.call(method, path, { token: api.tokens.register, ...(body === undefined ? {} : { body }) });

export const rows = (...items: object[]) => JSON.stringify(items);
