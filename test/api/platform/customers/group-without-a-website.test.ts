import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApi, type TestApi } from '../../../support/api.ts';
import { aShop } from '../../../support/builders/shop.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
  await aShop(api.orm.em.fork());
});
afterAll(() => api.close());

const call = (method: string, path = '', group?: object) =>
  api.call(method, `/V1/customerGroups${path}`, {
    token: api.tokens.admin,
    ...(group === undefined ? {} : { body: { group } }),
  });
const without = (...websiteIds: number[]) => ({ extension_attributes: { exclude_website_ids: websiteIds } });

test('a group keeps the websites it is not for, and is sent back as it was read', async () => {
  const { body: group } = await call('POST', '', { code: 'Trade', ...without(1) });
  expect(group).toMatchObject(without(1));

  expect((await call('PUT', `/${group.id}`, group)).body).toEqual(group);
  expect((await call('PUT', `/${group.id}`, { code: 'Trade' })).body).toEqual(group);
  const found = await call(
    'GET',
    '/search?searchCriteria[filter_groups][0][filters][0][field]=code' +
      '&searchCriteria[filter_groups][0][filters][0][value]=Trade',
  );
  expect(found.body.items).toEqual([group]);
});

test('a group that is for every website says nothing of them', async () => {
  const { body: group } = await call('POST', '', { code: 'Staff', ...without(1) });

  const { body: open } = await call('PUT', `/${group.id}`, { code: 'Staff', ...without() });
  expect(open).not.toHaveProperty('extension_attributes');
  expect((await call('GET', '/1')).body).not.toHaveProperty('extension_attributes');
});
