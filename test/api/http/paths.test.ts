import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { parseQuery } from '../../../api/http/query-string.ts';
import { route } from '../../../api/http/route.ts';
import { idParam } from '../../../api/wire/schemas.ts';
import { StoreView } from '../../../db/platform/stores/store-view.entity.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { aShop } from '../../support/builders/shop.ts';
import { rawRequest } from '../../support/raw-request.ts';

const answering = (
  path: `/V1/${string}`,
  answer: unknown,
  more: { isPrivate?: boolean; isDoubleEncoded?: boolean } = {},
) =>
  route({
    ...more,
    method: 'GET',
    path,
    acl: 'anonymous',
    summary: 'Answers',
    response: z.unknown(),
    handle: async () => answer,
  });

const routes = [
  answering('/V1/things/mine', 'literal'),
  route({
    method: 'GET',
    path: '/V1/things/:id',
    acl: 'anonymous',
    summary: 'By id',
    params: z.object({ id: idParam }),
    response: z.unknown(),
    handle: async ({ params, store, clientAddress, requestId }) => ({ ...params, store, clientAddress, requestId }),
  }),
  route({
    method: 'POST',
    path: '/V1/things/:id',
    acl: 'anonymous',
    summary: 'Post',
    params: z.object({ id: idParam }),
    response: z.unknown(),
    handle: async () => true,
  }),
  route({
    method: 'GET',
    path: '/V1/things/:id/parts/:part',
    acl: 'anonymous',
    summary: 'Part',
    params: z.object({ id: idParam, part: z.string() }),
    response: z.unknown(),
    handle: async ({ params }) => params,
  }),
];

let api: TestApi;
beforeAll(async () => {
  api = await testApi({ routes, settings: { TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8' } });
  await aShop(api.orm.em.fork());
});
afterAll(() => api.close());
const get = (path: string, headers: Record<string, string> = {}) => api.call('GET', path, { headers });

describe('paths', () => {
  test.each([
    ['/V1/things/mine', 'literal'],
    ['/V1/things/mine/', 'literal'],
    ['/V1/things/6%2e0', undefined, 400],
    ['/V1/things/7/parts/a%2Fb', { id: 7, part: 'a/b' }],
    ['/V1/things/7/parts/', undefined, 404],
    ['/V1/things/7/../8', undefined, 404],
    ['/V1/things//parts/x', undefined, 404],
    ['/V2/things/7', undefined, 404],
    ['/rest/nowhere/V1/things/7', undefined, 400],
    ['/rest/nowhere/V1/nothing', undefined, 400],
    ['/rest/ca/V1/nothing', undefined, 404],
    ['/rest/all/V1/nothing', undefined, 404],
    ['/rest/V1', undefined, 404],
    ['/rest/', undefined, 400],
    ['/rest/default', undefined, 400],
    ['/V1/things/7/parts/%', undefined, 400],
    ['/V1/things/7/parts/%00', undefined, 400],
    ['/V1/things/7/parts/%ed%a0%80', undefined, 400],
    ['/'],
    ['/restless/V1/things/7', undefined, 404],
    ['/index.php/rest/V1/things/mine', 'literal'],
    ['/index.php/rest/nowhere/V1/things/7', undefined, 400],
    ['/index.php/V1/things/mine', undefined, 404],
  ] as [string, unknown?, number?][])('%s', async (path, body, status = 200) => {
    // Fetch would tidy the path up.
    const whole = /^\/V\d/.test(path) ? `/rest${path}` : path;
    const answer = await rawRequest(api.url, `GET ${whole} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(answer.status).toBe(status);
    if (body !== undefined) expect(JSON.parse(answer.text)).toEqual(body);
  });

  test('a store code chooses the store view; without one it is the default', async () => {
    const store = async (prefix: string) => (await get(`/rest/${prefix}V1/things/1`)).body.store;
    expect(await store('')).toEqual({ storeId: 1, websiteId: 1, code: 'default' });
    expect(await store('ca/')).toEqual({ storeId: 2, websiteId: 1, code: 'ca' });
    expect(await store('all/')).toEqual({ storeId: 0, websiteId: 0, code: 'admin' });
  });

  test('a new store view is known at once', async () => {
    const em = api.orm.em.fork();
    em.create(StoreView, { storeId: 9, websiteId: 1, code: 'new', name: 'New', currencyCode: 'USD' });
    expect((await get('/rest/new/V1/things/1')).status).toBe(400);
    await em.flush();
    expect((await get('/rest/new/V1/things/1')).body.store.storeId).toBe(9);
  });
});

test('of a key that a query has twice the last one counts, and brackets without an index add up', () => {
  expect(parseQuery('a=1&b=2&a=3')).toEqual({ a: '3', b: '2' });
  expect(parseQuery('skus[]=A&skus[]=B&skus[]=A')).toEqual({ skus: ['A', 'B', 'A'] });
  expect(parseQuery('x[f][]=A&x[f][]=B&x[g][7]=C')).toEqual({ x: { f: ['A', 'B'], g: ['C'] } });
});

test('the client is the nearest address that is not a proxy of ours', async () => {
  const client = async (forwarded: string) =>
    (await get('/V1/things/1', forwarded === '' ? {} : { 'x-forwarded-for': forwarded })).body.clientAddress;
  expect(await client('')).toBe('127.0.0.1');
  expect(await client('203.0.113.9')).toBe('203.0.113.9');
  expect(await client('6.6.6.6, 203.0.113.9, 10.1.2.3')).toBe('203.0.113.9');
});
