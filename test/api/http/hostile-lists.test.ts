import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { hasTag } from '../../../api/http/entity-tag.ts';
import { guideMenu } from '../../../api/http/guide/guide-menu.ts';
import { listen } from '../../../api/http/http-server.ts';
import { route } from '../../../api/http/route.ts';
import { idParam, listAnswer } from '../../../api/wire/schemas.ts';
import { everything, renderList, searchCriteria } from '../../../api/wire/criteria.ts';
import { StoreView } from '../../../db/platform/stores/store.entity.ts';
import { search } from '../../../db/support/search.ts';
import { documentsOf } from '../../house/documents.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { aShop } from '../../support/builders/shop.ts';
import { useApi } from '../../support/fixtures.ts';
import { rawRequest } from '../../support/raw-request.ts';

describe('entity tag', () => {
  test.each(['"v1"', 'W/"v1"', '"v0", "v1"', 'W/"v0" ,W/"v1"', '*', ' * '])('who says %s has version 1', (header) => {
    expect(hasTag(header, '"v1"')).toBe(true);
    expect(hasTag(header, 'W/"v1"')).toBe(true);
  });

  test.each([undefined, '', '"v2"', 'v1', '"v1', '"*"'])('who says %s has not', (header) => {
    expect(hasTag(header, '"v1"')).toBe(false);
  });
});

describe('hostile lists', () => {
  const listProducts = route({
    method: 'GET',
    path: '/V1/products',
    acl: 'anonymous',
    summary: 'Lists products',
    query: z.object({ searchCriteria }),
    response: listAnswer(z.object({ sku: z.string() })),
    async handle({ em, query }) {
      const { rows, totalCount } = await search<{ sku: string }>(em, query.searchCriteria, {
        table: 'product p',
        columns: 'p.sku',
        fields: {
          sku: { column: 'p.sku', type: 'code' },
          name: { column: 'p.name', type: 'text' },
          price: { column: 'p.price', type: 'decimal' },
        },
        order: 'p.sku',
      });
      return renderList(
        query.searchCriteria,
        rows.map(({ sku }) => ({ sku })),
        totalCount,
      );
    },
  });

  const listAll = route({
    ...listProducts,
    path: '/V1/optional',
    query: z.object({ searchCriteria: searchCriteria.default(everything) }),
  });

  let api: TestApi;
  beforeAll(async () => {
    api = await testApi({ routes: [listProducts, listAll] });
    await aShop(api.orm.em.fork());
  });
  afterAll(async () => {
    expect(api.faults).toEqual([]);
    await api.close();
  });

  describe('a list', () => {
    const list = (query: string, path = '/V1/products') => api.call('GET', `${path}?${query}`);
    const filter = (field: string, value: string, type = 'eq', at = 0) =>
      `searchCriteria[filter_groups][${at}][filters][0][field]=${field}&searchCriteria[filter_groups][${at}][filters][0][value]=${encodeURIComponent(value)}&searchCriteria[filter_groups][${at}][filters][0][condition_type]=${type}`;

    test('repeats the criteria as they were sent', async () => {
      const { body } = await list(
        'search_criteria[filterGroups][a][filters][7][field]=sku' +
          '&search_criteria[filterGroups][a][filters][7][value]=mug&search_criteria[sortOrders][0][field]=sku' +
          '&search_criteria[sortOrders][0][direction]=asc&search_criteria[pageSize]=2' +
          '&search_criteria[current_page]=1',
      );
      expect(body).toEqual({
        items: [{ sku: 'MUG' }],
        search_criteria: {
          filter_groups: [{ filters: [{ field: 'sku', value: 'mug', condition_type: 'eq' }] }],
          sort_orders: [{ field: 'sku', direction: 'ASC' }],
          page_size: 2,
          current_page: 1,
        },
        total_count: 1,
      });
      expect(
        (
          await list(
            'searchCriteria[filter_groups][0][filters][0][field]=name' +
              '&searchCriteria[filter_groups][0][filters][0][condition_type]=notnull',
          )
        ).body,
      ).toMatchObject({
        search_criteria: { filter_groups: [{ filters: [{ field: 'name', value: null, condition_type: 'notnull' }] }] },
        total_count: 3,
      });
    });

    test('takes any index, be it a large number or a word, and goes by the order they appear in', async () => {
      const sorts = (...keys: string[]) =>
        ['price', 'name', 'sku']
          .map((field, at) => `searchCriteria[sortOrders][${keys[at]}][field]=${field}`)
          .join('&');
      for (const keys of [
        ['0', '1', '2'],
        ['100', '99', '1700000000000'],
        ['b', '7', 'a'],
        ['%23x', '0', '-1'],
      ]) {
        const query = `searchCriteria%5Bfilter_groups%5D%5B2147483648%5D%5Bfilters%5D%5B100%5D%5Bfield%5D=sku&searchCriteria[filter_groups][2147483648][filters][100][value]=mug`;
        expect((await list(`${query}&${sorts(...keys)}`)).body).toMatchObject({
          search_criteria: {
            filter_groups: [{ filters: [{ field: 'sku', value: 'mug' }] }],
            sort_orders: [{ field: 'price' }, { field: 'name' }, { field: 'sku' }],
          },
          total_count: 1,
        });
      }
    });

    test('needs its criteria, be they empty, unless it says otherwise', async () => {
      expect(await list('')).toMatchObject({
        status: 400,
        body: {
          message: '"%fieldName" is required. Enter and try again.',
          parameters: { fieldName: 'searchCriteria' },
        },
      });
      for (const empty of ['searchCriteria', 'searchCriteria=', 'searchCriteria=all', 'search_criteria='])
        expect((await list(empty)).body).toMatchObject({ search_criteria: { filter_groups: [] }, total_count: 3 });
      expect((await list('', '/V1/optional')).body.total_count).toBe(3);
    });

    test.each([
      [
        'searchCriteria[filter_groups][0][filters][0][value][]=1' +
          '&searchCriteria[filter_groups][0][filters][0][field]=sku',
        'Error occurred during "filter_groups" processing. Error occurred during "filters" processing. Error ' +
          'occurred during "value" processing. The "array" value\'s type is invalid. The "string" type was ' +
          'expected. Verify and try again.',
      ],
      [
        'searchCriteria[filterGroups][0][filters][0][value][$ne]=' +
          '&searchCriteria[filterGroups][0][filters][0][field]=sku',
        'Error occurred during "filterGroups" processing. Error occurred during "filters" processing. Error ' +
          'occurred during "value" processing. The "array" value\'s type is invalid. The "string" type was ' +
          'expected. Verify and try again.',
      ],
      [
        'searchCriteria[filter_groups]=1',
        'Error occurred during "filter_groups" processing. The "1" value\'s type is invalid. The "array" type ' +
          'was expected. Verify and try again.',
      ],
      [
        'searchCriteria[filter_groups][0][filters]=',
        'Error occurred during "filter_groups" processing. Error occurred during "filters" processing. The "" ' +
          'value\'s type is invalid. The "array" type was expected. Verify and try again.',
      ],
      ['searchCriteria[filter_groups][0][filters][0][value]=1', '"%fieldName" is required. Enter and try again.'],
      [
        'searchCriteria[page_size]=x',
        'Error occurred during "page_size" processing. The "x" value\'s type is invalid. The "int" type was ' +
          'expected. Verify and try again.',
      ],
      [
        'searchCriteria[currentPage]=1e9',
        'Error occurred during "currentPage" processing. The "1e9" value\'s type is invalid. The "int" type was ' +
          'expected. Verify and try again.',
      ],
      [
        'searchCriteria[sortOrders][0][field]=sku&searchCriteria[sortOrders][0][direction]=up',
        'The sort order has to be specified as %1 for ascending order or %2 for descending order.',
      ],
      ['searchCriteria[sortOrders][0][field]=sku%3Bdrop', 'Sort order field %1 contains restricted symbols'],
      ['searchCriteria[sortOrders][0][field]=password', 'Invalid attribute name: %1'],
      [filter('toString', 'x'), 'Invalid attribute name: %1'],
      [filter('sku', 'x', 'regexp'), 'Invalid value of "%value" provided for the %fieldName field.'],
      [filter('name', '%a'.repeat(60), 'like'), 'Invalid value of "%value" provided for the %fieldName field.'],
      ['searchCriteria[wish]=1', 'The "%fieldName" field is not known here. Correct its name and try again.'],
      ['searchCriteria[a][b][c][d][e][f][g][h]=1', 'The query has too many or too deeply nested parameters.'],
      [
        Array.from({ length: 450 }, (_, at) => `p${at}=1`).join('&'),
        'The query has too many or too deeply nested parameters.',
      ],
      [
        Array.from({ length: 450 }, (_, at) => `a[${at + 1_000}]=1`).join('&'),
        'The query has too many or too deeply nested parameters.',
      ],
      ['searchCriteria[filter_groups][0][filters][0][field]=sk%00u', 'Specified request cannot be processed.'],
    ])('refuses what does not fit (%#)', async (query, message) => {
      expect(await list(query)).toMatchObject({ status: 400, body: { message } });
    });

    test.each([
      ['a page nobody reaches', 'searchCriteria[pageSize]=2147483647&searchCriteria[currentPage]=2147483647', 0],
      ['a page size of -1', 'searchCriteria[pageSize]=-1', 3],
      ['a prototype', 'searchCriteria[__proto__][x]=1&searchCriteria[pageSize]=1', 1],
      ['thirty groups', Array.from({ length: 30 }, (_, at) => filter('sku', 'mug', 'eq', at)).join('&'), 1],
      ['the last index there is', filter('sku', 'mug', 'eq', Number.MAX_SAFE_INTEGER), 1],
      ['a thousand values', filter('sku', `${'x,'.repeat(1_000)}MUG`, 'in'), 1],
      ['a thousand wildcards in a row', filter('name', `${'%'.repeat(200)}ug`, 'like'), 1],
      ['SQL', filter('name', "x') or 1=1 --"), 0],
    ])('bears %s', async (_what, query, found) => {
      const { status, body } = await list(query);
      expect({ status, found: body.items.length }).toEqual({ status: 200, found });
    });
  });
});

describe('http server', () => {
  const at = { host: '127.0.0.1', port: 0 };

  test('a drain lets what runs finish and takes nothing new', async () => {
    const arrived = Promise.withResolvers<void>();
    const finish = Promise.withResolvers<void>();
    const server = await listen((_request, response) => {
      arrived.resolve();
      void finish.promise.then(() => response.end('done'));
    }, at);
    const url = `http://127.0.0.1:${server.port}`;
    const running = fetch(url).then((answer) => answer.text());
    await arrived.promise;

    const drained = server.drain(10_000);
    await expect(fetch(url)).rejects.toThrow();
    finish.resolve();

    expect(await running).toBe('done');
    await drained;
  });

  test('from the goodbye on it still answers, and every answer is the last of its connection', async () => {
    const arrived = Promise.withResolvers<void>();
    const finish = Promise.withResolvers<void>();
    const server = await listen((request, response) => {
      if (request.url === '/new') return void response.end('new');
      arrived.resolve();
      void finish.promise.then(() => response.end('done'));
    }, at);
    const url = `http://127.0.0.1:${server.port}`;
    const kept = await fetch(`${url}/new`);
    const running = fetch(`${url}/running`);
    await arrived.promise;

    server.sayGoodbye();
    const answered = await fetch(`${url}/new`);
    finish.resolve();
    const last = await running;
    await server.drain(10_000);

    const connections = [kept, answered, last].map(({ headers }) => headers.get('connection'));
    expect(connections).toEqual(['keep-alive', 'close', 'close']);
    expect([await answered.text(), await last.text()]).toEqual(['new', 'done']);
  });

  test('what does not finish in time is cut off', async () => {
    const arrived = Promise.withResolvers<void>();
    const server = await listen(() => arrived.resolve(), at);
    const running = fetch(`http://127.0.0.1:${server.port}`);
    const refused = expect(running).rejects.toThrow();
    await arrived.promise;

    await server.drain(50);
    await refused;
  });

  const whole = 'GET /receipt/x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n';
  test.each([
    [400, 'no HTTP at all', 'NONSENSE\r\n\r\n'],
    [400, 'no host', 'GET /receipt/x HTTP/1.1\r\n\r\n'],
    [400, 'two hosts', `${whole}hOST: b\r\n\r\n`],
    [400, 'two hosts of HTTP 1.0', 'GET /receipt/x HTTP/1.0\r\nHost: a\r\nHost: a\r\n\r\n'],
    [400, 'two lengths', `${whole}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`],
    [431, 'a long header', `${whole}X-Long: ${'x'.repeat(20_000)}\r\n\r\n`],
    [431, 'a long address', `GET /receipt/${'x'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`],
    [200, 'an unknown expectation', `${whole}Expect: tea\r\n\r\n`],
  ])('%i for %s, and no address is passed on', async (status, _what, request) => {
    const server = await listen(
      (_request, response) => response.setHeader('Referrer-Policy', 'no-referrer').end('there'),
      at,
    );
    const socket = connect({ host: at.host, port: server.port, allowHalfOpen: true });
    socket.write(request);
    const answer = await text(socket);
    socket.destroy();
    await server.drain(50);

    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} [A-Z]`));
    expect(answer.match(/^Referrer-Policy: no-referrer\r$/gm)).toHaveLength(1);
    if (status === 200) return;
    expect(answer).toContain('Content-Type: application/json; charset=utf-8\r\n');
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toEqual({ message: expect.stringMatching(/^[A-Z].*\.$/) });
  });

  test.each([
    ['one request', 1],
    ['the second of two requests', 2],
  ])(
    'garbage behind an answer that is under way, behind %s, breaks it off, and is no second answer',
    async (_what, count) => {
      const begun = Promise.withResolvers<void>();
      let arrived = 0;
      const server = await listen((_request, response) => {
        if (++arrived === 1) response.write('half of it');
        if (arrived === count) begun.resolve();
      }, at);
      const socket = connect({ host: at.host, port: server.port });
      socket.on('error', () => undefined);
      const said: Buffer[] = [];
      socket.on('data', (bytes) => said.push(bytes));
      const closed = new Promise((resolve) => socket.once('close', resolve));
      socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(count));
      await begun.promise;
      socket.write('\u0001 nonsense\r\n\r\n');
      await closed;
      await server.drain(50);

      expect(
        Buffer.concat(said)
          .toString()
          .match(/HTTP\/1\.1/g) ?? [],
      ).toHaveLength(1);
    },
  );
});

describe('paths', () => {
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
      path: '/V1/asked',
      acl: 'anonymous',
      summary: 'Answers what it was asked',
      query: z.record(z.string(), z.unknown()),
      response: z.unknown(),
      handle: async ({ query }) => query,
    }),
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
      method: 'POST',
      path: '/V1/things/mine/parts/:part',
      acl: 'anonymous',
      summary: 'Post a part of mine',
      params: z.object({ part: z.string() }),
      response: z.unknown(),
      handle: async () => 'posted',
    }),
    route({
      method: 'GET',
      path: '/V1/things/:id/parts/:part',
      acl: 'anonymous',
      summary: 'Part',
      params: z.object({ id: z.union([idParam, z.literal('mine')]), part: z.string() }),
      response: z.unknown(),
      handle: async ({ params }) => params,
    }),
    answering('/V1/things/:id/parts/best', 'the best part'),
    answering('/V1/things/7/parts/:part', 'a part of 7'),
  ];

  const api = useApi({ routes, settings: { TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8' } });
  beforeAll(() => aShop(api.orm.em.fork()));
  const get = (path: string, headers: Record<string, string> = {}) => api.call('GET', path, { headers });

  describe('paths', () => {
    test.each([
      ['/V1/things/mine', 'literal'],
      ['/V1/things/mine/', 'literal'],
      ['/V1/things/6%2e0', undefined, 400],
      ['/V1/things/8/parts/a%2Fb', { id: 8, part: 'a/b' }],
      ['/V1/things/8/parts/a%252Fb', { id: 8, part: 'a%2Fb' }],
      ['/V1/things/8/parts/best', 'the best part'],
      ['/V1/things/7/parts/best', 'a part of 7'],
      ['/V1/%74hings/%6dine', 'literal'],
      ['/V1/things/mine//', undefined, 404],
      ['/V1/Things/mine', undefined, 404],
      ['/V1/things/Mine', undefined, 400],
      ['/V1/things/mine/parts/x', { id: 'mine', part: 'x' }],
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
    ] as [string, unknown?, number?][])('%s', async (path, ...[body, status = 200]) => {
      // Jest hands "done" to whoever names more than the row has.
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

  describe('a query', () => {
    const asked = async (query: string) => (await get(`/V1/asked?${query}`)).body;

    test('of a key that a query has twice the last one counts, and brackets without an index add up', async () => {
      expect(await asked('a=1&b=2&a=3')).toEqual({ a: '3', b: '2' });
      expect(await asked('skus[]=A&skus[]=B&skus[]=A')).toEqual({ skus: ['A', 'B', 'A'] });
      expect(await asked('x[f][]=A&x[f][]=B&x[g][7]=C')).toEqual({ x: { f: ['A', 'B'], g: ['C'] } });
    });

    test('lists its elements as they are written, whatever their numbers', async () => {
      expect(await asked('x[9][f]=A&x[2][f]=B&x[1000000]=C')).toEqual({ x: [{ f: 'A' }, { f: 'B' }, 'C'] });
      expect(await asked('x%5B9%5D=A&x%5b2%5d=B')).toEqual({ x: ['A', 'B'] });
    });

    test.each([
      ['is too deep', `a${'[b]'.repeat(9)}=1`],
      ['has too many parameters', 'a=1&'.repeat(500)],
      ['has a NUL character', 'a=%00'],
    ])('that %s is refused', async (_what, query) => {
      expect((await get(`/V1/asked?${query}`)).status).toBe(400);
    });
  });

  test('the client is the nearest address that is not a proxy of ours', async () => {
    const client = async (forwarded: string) =>
      (await get('/V1/things/1', forwarded === '' ? {} : { 'x-forwarded-for': forwarded })).body.clientAddress;
    expect(await client('')).toBe('127.0.0.1');
    expect(await client('203.0.113.9')).toBe('203.0.113.9');
    expect(await client('6.6.6.6, 203.0.113.9, 10.1.2.3')).toBe('203.0.113.9');
  });
});

describe('served links', () => {
  const api = useApi();

  interface Served {
    status: number;
    type: string;
    text: string;
  }

  const opened = new Map<string, Promise<Served>>();
  const open = (path: string) => {
    const known = opened.get(path) ?? fetchPage(path);
    opened.set(path, known);
    return known;
  };
  async function fetchPage(path: string): Promise<Served> {
    const { status, headers, body } = await api.call('GET', path);
    const type = headers.get('content-type')?.split(';')[0] ?? '';
    return { status, type, text: typeof body === 'string' ? body : JSON.stringify(body) };
  }

  const unescaped = (text: string) =>
    text.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&#x3D;', '=');
  const withoutCode = (text: string) => text.replaceAll(/```[\s\S]*?```/g, '').replaceAll(/`[^`\n]*`/g, '');

  /** What a page leads to: in HTML every address in it, in Markdown its links. */
  function linksIn({ type, text }: Served): string[] {
    if (type === 'text/html')
      return [...text.matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, link = '']) => unescaped(link));
    if (type === 'text/markdown')
      return [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
    return [];
  }

  /** As GitHub makes it of a heading; a page of HTML says it itself. */
  function anchorsIn({ type, text }: Served): string[] {
    if (type === 'text/html') return [...text.matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id);
    return [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) =>
      heading
        .trim()
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(/\s/g, '-'),
    );
  }

  const origin = 'http://shop.example';
  /** A script writes what is below these addresses. */
  const isMadeByScript = (path: string, hash: string) => path === '/docs/graphql' || hash.startsWith('/');

  /** Follows every link from the first page, as a reader who has all day. */
  async function walk(from: string): Promise<{ seen: Set<string>; dead: string[] }> {
    const seen = new Set<string>([from]);
    const dead: string[] = [];
    const queue = [from];
    for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
      const page = await open(path);
      for (const link of linksIn(page)) {
        const to = new URL(link, `${origin}${path}`);
        if (to.origin !== origin) continue;
        const target = await open(to.pathname);
        const hash = decodeURIComponent(to.hash.slice(1));
        if (target.status !== 200) dead.push(`${path} → ${link} (${target.status})`);
        else if (hash !== '' && !isMadeByScript(to.pathname, hash) && !anchorsIn(target).includes(hash))
          dead.push(`${path} → ${link} (no such place on it)`);
        if (seen.has(to.pathname)) continue;
        seen.add(to.pathname);
        if (target.status === 200) queue.push(to.pathname);
      }
    }
    return { seen, dead };
  }

  test('every link that the service serves leads somewhere, from its first page to the last', async () => {
    const { seen, dead } = await walk('/');
    expect(dead).toEqual([]);
    expect(seen.size).toBeGreaterThan(150);
    // Nobody has to know an address: every page can be reached by links.
    expect([...guideMenu().byPath.keys()].filter((path) => !seen.has(path))).toEqual([]);
    for (const path of ['/docs', '/docs/sell.html', '/docs/sell', '/openapi.json', '/llms.txt', '/docs/graphql'])
      expect(seen.has(path)).toBe(true);
  });

  test('every document of the repository is a page, and its file is served beside it', async () => {
    const files = documentsOf('docs');
    expect(files.filter((file) => !guideMenu().byFile.has(file))).toEqual([]);
    const { path } = guideMenu().byFile.get('docs/registers/return.md')!;
    expect(path).toBe('/docs/guide/registers/return');
    expect(await open('/docs/registers/return.md')).toMatchObject({ status: 200, type: 'text/markdown' });
    expect(await open(path)).toMatchObject({ status: 200, type: 'text/html' });
  });

  test('every page stands in the menu, once', () => {
    const listed = guideMenu().sections.flatMap(({ pages }) => pages.map(({ file }) => file));
    expect(new Set(listed).size).toBe(listed.length);
    expect(documentsOf('docs').filter((file) => !listed.includes(file))).toEqual([]);
  });

  test('no other file of the machine is served', async () => {
    for (const path of [
      ...['/package.json', '/README.md/', '/docs/../package.json', '/docs/guide/../../package.json'],
      ...[
        '/docs/guide/constructor',
        '/docs/guide/registers/nothing',
        '/docs/%2e%2e/package.json',
        '/api/main.ts',
        '/docs/',
      ],
    ]) {
      const { status, type } = await open(path);
      if (path === '/docs/') expect(status).toBe(200);
      else expect([path, status, type]).toEqual([path, 404, 'application/json']);
    }
    expect(existsSync('package.json')).toBe(true);
  });
});
