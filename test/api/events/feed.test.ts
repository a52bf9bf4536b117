import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { testApi, type TestApi } from '../../support/api.ts';
import { aShop } from '../../support/builders/shop.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
  await aShop(api.orm.em.fork());
});
afterAll(() => api.close());

const feed = (query: string, token = api.tokens.register) => api.call('GET', `/V1/pos/events?${query}`, { token });

const typesOf = (events: { type: string }[]) => events.map(({ type }) => type);

test('a feed from the start tells what the shop was opened with', async () => {
  const { status, body } = await feed('after=0&wait=0');

  expect(status).toBe(200);
  expect(typesOf(body.events)).toContain('stock.moved');
});
