import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApi, type TestApi } from '../../support/api.ts';
import { booksOf } from '../../support/books.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi({ routes: [] });
});
afterAll(() => api.close());
const get = (path: string, headers: Record<string, string> = {}) => api.call('GET', path, { headers });

describe('outside /rest', () => {
  test('the process is alive, and ready when database and Temporal answer', async () => {
    expect((await get('/health/live')).body).toEqual({ status: 'ok' });
    expect(await get('/health/ready')).toMatchObject({ status: 200, body: { status: 'ok' } });
  });

  test('what is missing is named', async () => {
    const other = await testApi({
      routes: [],
      workflows: {
        ask: noOne,
        signal: noOne,
        start: noOne,
        refuseWhileAway: async () => undefined,
        isReachable: async () => false,
      },
    });
    await booksOf(() => other.orm).remove('schema_migration', { name: 'Migration20261121999999_rules' });
    const { status, body } = await other.call('GET', '/health/ready');
    expect(status).toBe(503);
    expect(body).toEqual({
      status: 'not ready',
      missing: [
        expect.stringContaining('migrations are pending: Migration20261121999999_rules'),
        'Temporal does not answer',
      ],
    });
    expect((await other.call('GET', '/')).body).toContain('; Temporal does not answer.');
    await other.close();
  });

  test('the door says what this is, how the service is, and where each reader goes on', async () => {
    const { headers, body } = await get('/');
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'; script-src 'self';/);
    expect(body).toContain('Ready: the database and Temporal answer.');
    for (const door of ['You build a register', 'You run the shop', 'You run the servers', 'You change the code'])
      expect(body).toContain(`<h2>${door}</h2>`);
  });

  test('no page of ours has a script or a handler in it', async () => {
    for (const path of ['/', '/docs', '/docs/guide', '/docs/guide/registers/first-sale', '/docs/graphql'])
      expect((await get(path)).body).not.toMatch(/<script(?![^>]* src=)|\son\w+="|javascript:/);
  });

  test.each(['/docs', '/docs/graphql'])('the page %s needs nothing from elsewhere', async (at) => {
    const page = await get(at);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    // A link to a place on the page itself is fine; an address in an example is not a link.
    const linked = [...String(page.body).matchAll(/(?:src|href)="([^"#][^"]*)"/g)].map(([, file]) => file!);
    for (const file of new Set(linked)) {
      expect(file).toMatch(/^\/(?!\/)/);
      expect((await get(file)).status).toBe(200);
    }
    for (const path of [
      '/docs/index.html',
      '/docs/../package.json',
      '/docs/%2e%2e/package.json',
      '/docs/constructor',
      '/docs/graphql/constructor',
      '/docs/graphql/../../package.json',
      '/docs/graphqlx',
    ])
      expect((await get(path)).status).toBe(404);
  });
});

test('the page of published content asks our own GraphQL, and its styles bring their fonts along', async () => {
  expect((await get('/docs')).body).toContain('href="/docs/graphql"');
  expect((await get('/docs/graphql/start.js')).body).toContain("createFetcher({ url: '/graphql' })");
  expect((await get('/docs/graphql/graphiql.min.js')).body).toContain('createFetcher');
  expect((await get('/docs/graphql/graphiql.min.css')).body).not.toMatch(/url\(["']?(?!["']?data:)|@import/);
  expect((await get('/docs/graphql')).headers.get('content-security-policy')).toContain("connect-src 'self'");
});

const noOne = () => Promise.reject(new Error('nobody asks'));
