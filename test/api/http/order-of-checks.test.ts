import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { createApp } from '../../../api/app.ts';
import { route } from '../../../api/http/route.ts';
import { createSeenOrigins } from '../../../api/http/middleware/sign-in.ts';
import { idParam } from '../../../api/wire/schemas.ts';
import { createIntegrationToken } from '../../../db/platform/access/create-signed-integration.ts';
import { digestOf } from '../../../db/platform/access/token-digest.ts';
import { invalid, notFound, unavailable } from '../../../domain/errors.ts';
import { everyResource } from '../../../domain/platform/access.ts';
import { parseSettings } from '../../../providers/settings.ts';
import { testApi } from '../../support/api.ts';
import { booksOf } from '../../support/books.ts';
import { anOrder } from '../../support/builders/order.ts';
import { useApi } from '../../support/fixtures.ts';
import { rawRequest } from '../../support/raw-request.ts';
import { eightAtOnce } from '../../support/rivals.ts';
import { afterwards, api, isReplay, keyed, memos, note, notes, opensTheNotes, post, rowOf } from './a-note-route.ts';

describe('answers', () => {
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

  const order = {
    entity_id: 5,
    items: [
      { sku: 'MUG', qty: 2, extension_attributes: { a: 1, b: 2 } },
      { sku: 'PLATE', qty: 1 },
    ],
    custom_attributes: [
      { attribute_code: 'color', value: '4' },
      { attribute_code: 'size', value: '9' },
    ],
  };

  const routes = [
    route({
      method: 'GET',
      path: '/V1/refused',
      acl: 'anonymous',
      summary: 'Refuses',
      response: z.unknown(),
      handle: () => Promise.reject(invalid('No.')),
    }),
    answering('/V1/answers/void', []),
    answering('/V1/answers/true', true),
    answering('/V1/answers/text', 'pending'),
    answering('/V1/answers/config', { a: { b: 'é' } }, { isDoubleEncoded: true, isPrivate: true }),
    answering('/V1/answers/order', order),
    route({
      method: 'GET',
      path: '/V1/tagged',
      acl: 'anonymous',
      summary: 'Tagged',
      response: z.unknown(),
      handle: async ({ setHeader }) => {
        setHeader('ETag', '"v1"');
        return { a: 1 };
      },
    }),
  ];

  const api = useApi({ routes });
  const get = (path: string, headers: Record<string, string> = {}) => api.call('GET', path, { headers });

  describe('answers', () => {
    test('void, true and text are bare JSON', async () => {
      expect((await get('/V1/answers/void')).body).toEqual([]);
      expect((await get('/V1/answers/true')).body).toBe(true);
      expect((await get('/V1/answers/text?fields=x')).body).toBe('pending');
    });

    test('they are of their caller alone, refusals too', async () => {
      for (const path of ['/V1/answers/true', '/V1/answers/nowhere'])
        expect((await get(path)).headers.get('cache-control')).toBe('private');
    });

    test('a double-encoded one is parsed twice, is never filtered and never stored', async () => {
      const { body, headers } = await get('/V1/answers/config?fields=zzz');
      expect(JSON.parse(body)).toEqual({ a: { b: 'é' } });
      expect([headers.get('content-type'), headers.get('cache-control')]).toEqual([
        'application/json; charset=utf-8',
        'no-store',
      ]);
    });

    test.each([
      ['entity_id', { entity_id: 5 }],
      [
        'items[sku,extension_attributes[b]],nothing',
        { items: [{ sku: 'MUG', extension_attributes: { b: 2 } }, { sku: 'PLATE' }] },
      ],
      ['items[qty]', { items: [{ qty: 2 }, { qty: 1 }] }],
      ['custom_attributes[size]', { custom_attributes: [{ attribute_code: 'size', value: '9' }] }],
      ['nothing', {}],
      ['__proto__,constructor', {}],
      ['items[sku', []],
      ['items]sku', []],
      ['[sku]', []],
      ['items{sku}', []],
      [`${'a['.repeat(40)}b${']'.repeat(40)}`, []],
    ])('fields=%s keeps just that', async (fields, expected) => {
      expect((await get(`/V1/answers/order?fields=${encodeURIComponent(fields)}`)).body).toEqual(expected);
    });

    test('what the caller has already is not sent again', async () => {
      // Fetch asks caches to keep out of it.
      const ask = (tag: string) =>
        rawRequest(
          api.url,
          `GET /rest/V1/tagged HTTP/1.1\r\nHost: x\r\nIf-None-Match: ${tag}\r\nConnection: close\r\n\r\n`,
        );
      expect(await ask('"v1"')).toEqual({ status: 304, text: '' });
      expect(await ask('"v0"')).toEqual({ status: 200, text: '{"a":1}' });
    });

    test('carry the request’s id: the caller’s where it can stand in a log, else a new one', async () => {
      const idFor = async (given: string) =>
        (await get('/V1/answers/true', { 'x-request-id': given })).headers.get('x-request-id');
      expect(await idFor('till-7:42')).toBe('till-7:42');
      for (const odd of ['a b', 'x'.repeat(65), '<script>']) expect(await idFor(odd)).toMatch(/^[0-9a-f-]{36}$/);
      expect((await get('/V1/refused', { 'x-request-id': 'r1' })).headers.get('x-request-id')).toBe('r1');
    });

    test('may not be run, framed or sniffed', async () => {
      const { headers } = await get('/V1/answers/true');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
      expect(headers.get('x-powered-by')).toBeNull();
    });
  });
});

describe('idempotency', () => {
  opensTheNotes();

  const { fork } = booksOf(() => api.orm);

  describe('the same key again', () => {
    test('refunds an order once, and answers the memo again', async () => {
      const { orderId, itemIds } = await anOrder(fork());
      const body = { items: [{ order_item_id: itemIds[0], qty: 1 }] };
      const key = randomUUID();
      const first = await post(`/V1/order/${orderId}/refund`, body, key);
      const second = await post(`/V1/order/${orderId}/refund`, body, key);

      expect(first).toMatchObject({ status: 200, body: expect.any(Number) });
      expect([second.status, second.body]).toEqual([200, first.body]);
      expect([isReplay(first), isReplay(second)]).toEqual([false, true]);
      expect(await memos(orderId)).toBe(1);
    });

    test('refunds an invoice once', async () => {
      const { invoiceId, orderId, itemIds } = await anOrder(fork(), { method: 'provider_a' });
      const body = { items: [{ order_item_id: itemIds[0], qty: 1 }] };
      const key = randomUUID();
      const answers = [];
      for (let time = 0; time < 3; time++) answers.push(await post(`/V1/invoice/${invoiceId}/refund`, body, key));

      expect(new Set(answers.map((answer) => answer.body)).size).toBe(1);
      expect(answers.map(isReplay)).toEqual([false, true, true]);
      expect(await memos(orderId)).toBe(1);
    });

    test('eight at once have one effect and one answer; an early repeat is asked to come again', async () => {
      const { orderId, itemIds } = await anOrder(fork());
      const body = { items: [{ order_item_id: itemIds[0], qty: 1 }] };
      const key = randomUUID();
      const answers = await eightAtOnce(() => post(`/V1/order/${orderId}/refund`, body, key));

      const done = answers.filter(({ status }) => status === 200);
      expect(new Set(done.map((answer) => answer.body)).size).toBe(1);
      expect(done.filter((answer) => !isReplay(answer))).toHaveLength(1);
      for (const early of answers.filter(({ status }) => status !== 200)) {
        expect(early).toMatchObject({ status: 409, body: { parameters: { outcome: 'idempotency_key_in_use' } } });
        expect(early.headers.get('retry-after')).toBe('1');
      }
      expect(await memos(orderId)).toBe(1);
      expect(await post(`/V1/order/${orderId}/refund`, body, key)).toMatchObject({ status: 200, body: done[0]!.body });
    });

    test('is refused with another body, path or query, and nothing is done', async () => {
      const key = randomUUID();
      await note('first words', key);
      const others = [
        await note('other words', key),
        await post('/V1/notes?fields=text', { text: 'first words' }, key),
        await post('/rest/all/V1/notes', { text: 'first words' }, key),
        await post('/V1/secret-notes', { text: 'first words' }, key),
      ];
      for (const { status, body } of others)
        expect([status, body.parameters]).toEqual([422, { outcome: 'idempotency_key_reused' }]);
      expect([await notes('first words'), await notes('other words')]).toEqual([1, 0]);
    });

    test('with its body in another order is the same request', async () => {
      const { orderId } = await anOrder(fork());
      const key = randomUUID();
      const adjusted = [
        { arguments: { shipping_amount: 0, adjustment_positive: 1 }, notify: false },
        { notify: false, arguments: { adjustment_positive: 1, shipping_amount: 0 } },
      ];
      const answers = [];
      for (const body of adjusted) answers.push(await post(`/V1/order/${orderId}/refund`, body, key));
      expect(answers.map(isReplay)).toEqual([false, true]);
    });

    test('of another caller is another request', async () => {
      const key = randomUUID();
      await note('mine', key);
      const theirs = await note('mine', key, await api.tokenFor('Vendor_Pos::locations'));
      expect([theirs.status, isReplay(theirs)]).toEqual([200, false]);
      expect(await notes('mine')).toBe(2);
    });

    test('gets the same refusal again, even if it would be permitted now', async () => {
      const key = randomUUID();
      afterwards.happens = () => Promise.reject(invalid('No %1 today.', ['notes']));
      const first = await note('refused', key);
      afterwards.happens = async () => undefined;
      const second = await note('refused', key);
      expect(first).toMatchObject({ status: 400, body: { message: 'No %1 today.', parameters: ['notes'] } });
      expect([second.status, second.body]).toEqual([400, first.body]);
      expect(isReplay(second)).toBe(true);
      expect(await notes('refused')).toBe(0);
    });

    test('gets a 404 of the handler again', async () => {
      const key = randomUUID();
      const refund = () => post('/V1/order/999999/refund', {}, key);
      const [first, second] = [await refund(), await refund()];
      expect([first.status, second.status, isReplay(second)]).toEqual([404, 404, true]);
      expect(second.body).toEqual(first.body);
    });
  });

  describe('a temporary answer is not kept', () => {
    test('a service that is away, and a fault, are tried again; nothing was written', async () => {
      const key = randomUUID();
      afterwards.happens = () => Promise.reject(unavailable('Away.'));
      expect((await note('later', key)).status).toBe(503);
      afterwards.happens = () => Promise.reject(new Error('the process fell over between the writes and the answer'));
      expect((await note('later', key)).status).toBe(500);
      expect(await notes('later')).toBe(0);
      afterwards.happens = async () => undefined;
      const done = await note('later', key);
      expect([done.status, isReplay(done), await notes('later')]).toEqual([200, false, 1]);
    });

    test('arguments that cannot be read leave the key free', async () => {
      const key = randomUUID();
      expect((await post('/V1/notes', { text: 5, other: [] }, key)).status).toBe(400);
      expect((await note('now well', key)).status).toBe(200);
    });
  });

  test('a handler that writes in two transactions writes both or none with a key', async () => {
    const key = randomUUID();
    afterwards.happens = () => Promise.reject(new Error('cut off'));
    await note('whole', key);
    afterwards.happens = async () => undefined;
    await note('whole', key);
    await note('whole', key);
    expect([await notes('whole'), await notes('whole, second')]).toEqual([1, 1]);
  });

  test('while a request is carried out its repeat gets 409, and other keys continue', async () => {
    const key = randomUUID();
    let release: (value: unknown) => void = () => undefined;
    const isThere = new Promise((resolve) => {
      afterwards.happens = () => {
        resolve(undefined);
        return new Promise((go) => (release = go));
      };
    });
    const slow = note('slow', key);
    await isThere;
    afterwards.happens = async () => undefined;
    expect(await note('slow', key)).toMatchObject({
      status: 409,
      body: { parameters: { outcome: 'idempotency_key_in_use' } },
    });
    expect((await note('quick', randomUUID())).status).toBe(200);
    release(undefined);
    expect((await slow).status).toBe(200);
    expect(await notes('slow')).toBe(1);
  });

  describe('a key', () => {
    test.each([
      ['', 400],
      ['x'.repeat(255), 200],
      ['x'.repeat(256), 400],
      ['tab\tin it', 400],
      ['"8e03978e-40d5-43e8-bc93-6894a57f9324"', 200],
      ['with blanks ~', 200],
    ])('%j is answered %i', async (key, status) => {
      const answer = await note('of any form', key);
      expect(answer.status).toBe(status);
      if (status === 400) expect(answer.body.parameters).toEqual({ outcome: 'idempotency_key_invalid' });
    });

    test('means nothing to a read, nor to a caller without a token', async () => {
      const { orderId } = await anOrder(fork());
      const key = randomUUID();
      const read = (path: string) => api.call('GET', path, { token: api.tokens.register, headers: keyed(key) });
      expect((await read(`/V1/orders/${orderId}`)).status).toBe(200);
      expect(isReplay(await read('/V1/orders/999999'))).toBe(false);
      const body = { username: 'test-admin', password: 'wrong' };
      for (let time = 0; time < 2; time++) {
        const answer = await api.call('POST', '/V1/integration/admin/token', { body, headers: keyed(key) });
        expect([answer.status, isReplay(answer)]).toEqual([401, false]);
      }
      expect((await note('the key is free', key)).status).toBe(200);
    });

    test('is not kept itself, and an answer with secrets is kept sealed', async () => {
      const key = `key-${randomUUID()}`;
      await note('kept in clear', key);
      const row = await rowOf('kept in clear');
      expect(row).toMatchObject({ state: 'done', status: 200, route: 'POST /V1/notes', caller_type: 'integration' });
      expect(JSON.stringify(row)).not.toContain(key);

      const sealed = randomUUID();
      const first = await post('/V1/secret-notes', { text: 'a secret' }, sealed);
      const second = await post('/V1/secret-notes', { text: 'a secret' }, sealed);
      expect([second.body, isReplay(second)]).toEqual([first.body, true]);
      expect(await rowOf('a secret')).toBeUndefined();
    });

    test('of an answer that is too long to be kept says that it was carried out', async () => {
      const key = randomUUID();
      afterwards.happens = async () => 'x'.repeat(1_048_577);
      expect((await note('long', key)).status).toBe(200);
      expect(await note('long', key)).toMatchObject({
        status: 409,
        body: { parameters: { outcome: 'idempotency_answer_not_kept' } },
      });
      expect(await notes('long')).toBe(1);
    });
  });
});

describe('order of checks', () => {
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

  const api = useApi({ routes });
  /** What the eager route has asked the database, or would have. */
  let reads = 0;
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
});

describe('seen origins', () => {
  const asked = (headers: Record<string, string>, remoteAddress = '::ffff:10.0.0.7') =>
    ({ headers: { host: 'api:8080', ...headers }, socket: { remoteAddress } }) as unknown as IncomingMessage;
  const forwarded = {
    'x-forwarded-proto': 'https, http',
    'x-forwarded-host': 'shop.example',
    'x-forwarded-port': '8443',
  };

  test.each([
    ['its own address', '', undefined, asked({}), ['http://api:8080']],
    ['nothing a stranger says', '10.0.0.8', undefined, asked(forwarded), ['http://api:8080']],
    ['what a trusted proxy says', '10.0.0.0/8', undefined, asked(forwarded), ['https://shop.example:8443']],
    [
      'a port that the host has already',
      '10.0.0.7',
      undefined,
      asked({ ...forwarded, 'x-forwarded-host': 'shop.example:444' }),
      ['https://shop.example:444'],
    ],
    [
      'the public address beside it',
      '',
      'https://shop.example',
      asked({}),
      ['http://api:8080', 'https://shop.example'],
    ],
  ])('a caller may have seen %s', (_what, trusted, publicBaseUrl, request, origins) => {
    const settings = parseSettings({ TRUSTED_PROXIES: trusted, PUBLIC_BASE_URL: publicBaseUrl });
    expect(createSeenOrigins(settings)(request)).toEqual(origins);
  });
});
