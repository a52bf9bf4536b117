import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { testApi, type TestApi } from '../../../support/api.ts';
import { booksOf } from '../../../support/books.ts';
import { aShop } from '../../../support/builders/shop.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
  await aShop(fork());
});
afterAll(() => api.close());

const { fork, configure, remove } = booksOf(() => api.orm);

const call = (method: string, path = '', body?: unknown) =>
  api.call(method, `/V1/customerGroups${path}`, { token: api.tokens.admin, body });
const settle = (scope: 'default' | 'websites' | 'stores', scopeId: number, value: string) =>
  configure('customer/create_account/default_group', value, scope, scopeId);
const absent = (fieldName: string, fieldValue: unknown) => ({
  status: 404,
  body: { message: 'No such entity with %fieldName = %fieldValue', parameters: { fieldName, fieldValue } },
});

let club: { id: number };
let clubs = 0;
beforeEach(async () => {
  await remove('config_value');
  club = (await call('POST', '', { group: { code: `Club ${++clubs}` } })).body;
});

test('the default group is "General" until another is set, and a store view may have its own', async () => {
  expect((await call('GET', '/default')).body.code).toBe('General');
  for (let time = 0; time < 2; time++)
    expect(await call('PUT', `/default/${club.id}`)).toMatchObject({ status: 200, body: club.id });
  await settle('stores', 2, '3');
  const ids = await Promise.all(
    ['/default', '/default/0', '/default/1', '/default/2'].map(async (path) => (await call('GET', path)).body.id),
  );
  expect(ids).toEqual([club.id, club.id, club.id, 3]);
  const { body } = await api.call('GET', '/rest/ca/V1/customerGroups/default', { token: api.tokens.admin });
  expect(body).toMatchObject({ id: 3, code: 'Retailer', tax_class_name: 'Retail Customer' });
});

test('the default group is what a new account gets', async () => {
  await call('PUT', `/default/${club.id}`);
  const customer = { email: `new${club.id}@example.com`, firstname: 'Ann', lastname: 'Lee' };
  expect((await api.call('POST', '/V1/customers', { body: { customer } })).body.group_id).toBe(club.id);
});

test('the default group is one there is, of a store view there is', async () => {
  expect(await call('PUT', '/default/0')).toMatchObject({
    status: 400,
    body: { parameters: { fieldName: 'id', value: 0 } },
  });
  expect(await call('PUT', '/default/9999')).toMatchObject(absent('id', 9_999));
  expect(await call('GET', '/default/9999')).toMatchObject(absent('storeId', 9_999));
  expect((await call('GET', '/default/first')).status).toBe(400);
  await settle('default', 0, 'none');
  expect(await call('GET', '/default')).toMatchObject({ status: 404, body: { parameters: { fieldValue: 'none' } } });
});
