import { afterAll, beforeAll } from 'vitest';
import { unavailable } from '../../../domain/errors.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { aShop } from '../../support/builders/shop.ts';

/** What a create refuses and what it answers while no workflow can be told. The rest is in test/workflows/returns. */
export let api: TestApi;
export let locationId: number;

/** A shop whose workflows are away. */
export function opensAReturnDesk(): void {
  beforeAll(async () => {
    const away = () => Promise.reject(unavailable('Workflows are away.'));
    api = await testApi({
      workflows: {
        ask: away,
        signal: away,
        start: away,
        refuseWhileAway: async () => undefined,
        isReachable: () => Promise.resolve(false),
      },
    });
    ({ locationId } = await aShop(api.orm.em.fork()));
  });
  afterAll(() => api.close());
}

export const call = (method: string, path: string, body?: unknown) =>
  api.call(method, path, { token: api.tokens.register, ...(body === undefined ? {} : { body }) });

export const rows = (...items: object[]) => JSON.stringify(items);
