import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createApp } from '../../../api/app.ts';
import { route } from '../../../api/http/route.ts';
import { idParam } from '../../../api/wire/schemas.ts';
import { createIntegrationToken } from '../../../db/platform/access/create-integration-token.ts';
import { digestOf } from '../../../db/platform/access/token-digest.ts';
import { notFound } from '../../../domain/errors.ts';
import { everyResource } from '../../../domain/platform/access/acl.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { booksOf } from '../../support/books.ts';

const { fork, change } = booksOf(() => api.orm);

const routes = [
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
    path: '/V1/guarded',
    acl: ['Platform_Sales::create', 'Platform_Sales::ship'],
    summary: 'Guarded',
    response: z.unknown(),
    handle: async () => true,
  }),
  route({
    method: 'GET',
    path: '/V1/eager/:id',
    acl: 'Platform_Sales::create',
    summary: 'Read ahead of the token',
    params: z.object({ id: idParam }),
    response: z.unknown(),
    readAhead: async ({ params }) => {
      reads++;
      if (params.id === 0) throw notFound('Nothing is there.');
      return params.id * 2;
    },
    handle: async ({ ahead }) => ahead,
  }),
];

let api: TestApi;
/** What the eager route has asked the database, or would have. */
let reads = 0;
beforeAll(async () => {
  api = await testApi({ routes });
});
afterAll(() => api.close());
const get = (path: string, headers: Record<string, string> = {}) => api.call('GET', path, { headers });

test('a handler that takes too long is given up, and the answer says that it may still be at work', async () => {
  const endless = route({
    method: 'GET',
    path: '/V1/endless',
    acl: 'anonymous',
    summary: 'Never answers',
    response: z.unknown(),
    handle: () => new Promise<unknown>(() => {}),
  });
  const impatient = await testApi({ routes: [endless], requestTimeoutMs: 20 });
  expect(await impatient.call('GET', '/V1/endless')).toMatchObject({
    status: 504,
    body: { message: 'The request took too long. It may still be carried out; read again before repeating it.' },
  });
  await impatient.close();
});

describe('before a route runs', () => {
  test('method, path, token and arguments are checked in this order', async () => {
    const cases = [
      await api.call('PATCH', '/V1/nowhere'),
      await get('/V1/nowhere'),
      await api.call('PUT', '/V1/guarded'),
      await get('/V1/guarded'),
      await get('/V1/things/abc'),
    ];
    expect(cases.map(({ status, body }) => [status, body])).toMatchInlineSnapshot(`
[
  [
    405,
    {
      "message": "The PATCH HTTP method is not supported.",
    },
  ],
  [
    404,
    {
      "message": "Request does not match any route.",
    },
  ],
  [
    404,
    {
      "message": "Request does not match any route.",
    },
  ],
  [
    401,
    {
      "message": "The consumer isn't authorized to access %resources.",
      "parameters": {
        "resources": "Platform_Sales::create, Platform_Sales::ship",
      },
    },
  ],
  [
    400,
    {
      "message": "The "abc" value's type is invalid. The "int" type was expected. Verify and try again.",
    },
  ],
]
`);
  });

  test('405 says what is allowed, 401 what is needed', async () => {
    expect((await api.call('PATCH', '/V1/things/5')).headers.get('allow')).toBe('GET, POST');
    expect((await api.call('OPTIONS', '/V1/nowhere')).headers.get('allow')).toBe('GET, POST, PUT, DELETE');
    const head = await api.call('HEAD', '/V1/things/5');
    expect([head.status, head.body]).toEqual([405, '']);
    expect((await get('/V1/guarded')).headers.get('www-authenticate')).toBe('Bearer');
  });

  test('every resource of a route is needed', async () => {
    const both = ['Platform_Sales::create', 'Magento_Sales::ship'] as const;
    expect((await api.call('GET', '/V1/guarded', { token: await api.tokenFor(both[0]) })).status).toBe(401);
    expect((await api.call('GET', '/V1/guarded', { token: await api.tokenFor(...both) })).status).toBe(200);
  });

  test('only JSON can be asked for', async () => {
    expect((await get('/V1/things/1', { accept: 'application/xml' })).status).toBe(406);
    expect((await get('/V1/things/1', { accept: 'text/html, */*;q=0.1' })).status).toBe(200);
  });
});

describe('reading ahead of the token', () => {
  test('is the handler’s, once the caller may have it', async () => {
    const token = await api.tokenFor('Platform_Sales::create');
    const answers = await Promise.all(['5', '0', 'abc'].map((id) => api.call('GET', `/V1/eager/${id}`, { token })));
    expect(answers.map(({ status, body }) => [status, body.message ?? body])).toEqual([
      [200, 10],
      [404, 'Nothing is there.'],
      [400, expect.stringContaining('type is invalid')],
    ]);
  });

  test('reveals nothing to other callers, not even that it failed', async () => {
    const answers = await Promise.all(
      ['5', '0', 'abc'].flatMap((id) => [
        get(`/V1/eager/${id}`),
        api.call('GET', `/V1/eager/${id}`, { token: api.tokens.nothing }),
      ]),
    );
    expect(new Set(answers.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(401);
    expect(api.faults).toEqual([]);
  });

  test('is not begun for strangers, and for one who was let in until it is turned away', async () => {
    const readsOf = async (headers: { token?: string; headers?: Record<string, string> }) => {
      const before = reads;
      const { status } = await api.call('GET', '/V1/eager/6', headers);
      return [status, reads - before];
    };
    expect(await readsOf({ token: api.tokens.admin })).toEqual([200, 1]);
    const stranger = { headers: { authorization: 'Bearer of-nobody' } };
    for (const who of [{}, stranger, stranger, { token: api.tokens.nothing }])
      expect(await readsOf(who)).toEqual([401, 0]);

    const { token } = await createIntegrationToken(fork(), { name: 'A till', resources: [everyResource] });
    expect(await readsOf({ token })).toEqual([200, 1]);
    expect(await readsOf({ token })).toEqual([200, 1]);
    await change('access_token', { digest: digestOf(token) }, { revoked_at: new Date() });
    expect(await readsOf({ token })).toEqual([401, 1]);
    expect(await readsOf({ token })).toEqual([401, 0]);
  });

  test('waits for no body, so a route that takes one cannot have it', () => {
    const { orm, settings, providers, log } = api;
    const hasty = route({
      method: 'POST',
      path: '/V1/hasty',
      acl: 'anonymous',
      summary: 'Hasty',
      response: z.unknown(),
      readAhead: async () => 1,
      handle: async () => true,
    });
    const workflows = {
      ask: never,
      signal: never,
      start: never,
      refuseWhileAway: async () => undefined,
      isReachable: never,
    };
    const parts = { orm, settings, providers, log, workflows, clock: () => new Date() };
    expect(() => createApp({ ...parts, routes: [hasty] })).toThrow('POST /V1/hasty cannot read ahead');
  });
});

const never = () => {
  throw new Error('nobody asks a workflow here');
};
