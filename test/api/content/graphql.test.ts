import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { serverAudits } from 'graphql-http';
import { testApi, type TestApi } from '../../support/api.ts';
import { aShop } from '../../support/builders/shop.ts';
import { draftContent, publishedContent } from '../../support/builders/published-content.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi({ routes: [] });
  await aShop(api.orm.em.fork());
});
afterAll(() => api.close());

const audits = serverAudits({ url: () => `${api.url}/graphql` });

describe('GraphQL over HTTP, by the audit of its authors', () => {
  test.each(audits.map(({ id, name, fn }) => ({ id, name, fn })))('$id $name', async ({ fn }) => {
    const { status, ...reason } = await fn();
    expect([status, reason]).toEqual(['ok', expect.anything()]);
  });
});
