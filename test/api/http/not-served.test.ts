import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { routes } from '../../../api/routes.ts';
import { notServed } from '../../../api/http/not-served.ts';
import { testApi, type TestApi } from '../../support/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
});
afterAll(() => api.close());

const here = (path: string) => !routes.some((route) => route.method === 'GET' && route.path === path);

test.each(notServed.filter(here))('%s is no route, and never read as the name of something', async (path) => {
  expect(await api.call('GET', path, { token: api.tokens.admin })).toMatchObject({
    status: 404,
    body: { message: 'Request does not match any route.' },
  });
});

test.each(['/V1/customers/me', '/V1/customers/validate', '/V1/products/types'])(
  'DELETE %s deletes nothing',
  async (path) => {
    expect((await api.call('DELETE', path, { token: api.tokens.admin })).body).toEqual({
      message: 'Request does not match any route.',
    });
  },
);
