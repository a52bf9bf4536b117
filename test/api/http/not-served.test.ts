import { afterAll, beforeAll, expect, test } from 'vitest';
import { routes } from '../../../api/routes.ts';
import { notServed } from '../../../api/http/not-served.ts';
import { aShop } from '../../support/builders/shop.ts';
import { testApi, type TestApi } from '../../support/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
  await aShop(api.orm.em.fork());
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

test.each(['links', 'cost', 'media', 'options'])('a product may be called %s', async (sku) => {
  const call = (method: string, path: string, body?: object) =>
    api.call(method, path, { token: api.tokens.admin, body });
  await call('POST', '/V1/products', { product: { sku, name: 'Cup', price: 1 } });
  expect((await call('GET', `/V1/products/${sku}`)).body).toMatchObject({ sku, name: 'Cup' });
  expect((await call('PUT', `/V1/products/${sku}`, { product: { name: 'Mug' } })).body).toMatchObject({
    sku,
    name: 'Mug',
  });
  const types = await call('GET', `/V1/products/${sku}/types`);
  // The types of options and of links are routes of their own.
  const isServed = !here(`/V1/products/${sku}/types`);
  expect(types.body).toEqual(isServed ? expect.any(Array) : { message: 'Request does not match any route.' });
  expect((await call('DELETE', `/V1/products/${sku}`)).body).toBe(true);
});
