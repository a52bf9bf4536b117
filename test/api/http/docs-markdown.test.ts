import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { moduleVersion } from '../../../domain/configuration/module-version.ts';
import { routes } from '../../../api/routes.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { aShop } from '../../support/builders/shop.ts';
import { documentsOf } from '../../house/documents.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
  await aShop(api.orm.em.fork());
});
afterAll(() => api.close());

/** Every document but the decisions, as it is served. */
const isListed = (file: string) => !/decisions\/2/.test(file);
const guide = [...documentsOf('docs').filter(isListed), 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'].map(
  (file) => `/${file}`,
);

test('llms.txt leads to every document, each as Markdown or JSON, without a token', async () => {
  const { headers, body } = await api.call('GET', '/llms.txt');
  const paths = [...String(body).matchAll(/\]\(([^)]+)\)/g)].map(([, path]) => path!);
  const answers = await Promise.all(paths.map((path) => api.call('GET', path)));

  expect(headers.get('content-type')).toBe('text/markdown; charset=utf-8');
  expect(paths.toSorted()).toEqual([...guide, '/docs/routes.md', '/openapi.json'].toSorted());
  const typeOf = (path: string) => (path.endsWith('.md') ? 'text/markdown' : 'application/json');
  expect(answers.map(({ status, headers: received }) => [status, received.get('content-type')?.split(';')[0]])).toEqual(
    paths.map((path) => [200, typeOf(path)]),
  );
  // What the guide's first page says of a page is said here too.
  expect(body).toContain('- [/docs/registers/hold.md](/docs/registers/hold.md): Hold a cart: parked, listed');
});

test('the documents are served unchanged, also under the names that clients know, and no others', async () => {
  const served = async (path: string) => (await api.call('GET', path)).body;
  for (const page of guide) expect(await served(page)).toBe(readFileSync(page.slice(1), 'utf8'));
  expect(await served('/docs/registers.md')).toBe(readFileSync('docs/registers/README.md', 'utf8'));
  expect(await served('/docs/changelog.md')).toBe(readFileSync('CHANGELOG.md', 'utf8'));
  for (const path of [
    '/docs/README.md',
    '/docs/../README.md',
    '/docs/%2e%2e/README.md',
    '/llms.txt/',
    '/docs/nothing.md',
  ])
    expect((await api.call('GET', path)).status).toBe(404);
});

test('the list of routes has every route with its arguments', async () => {
  const { body } = await api.call('GET', '/docs/routes.md');
  for (const { method, path, summary } of routes) expect(body).toContain(`| ${method} | \`${path}\` | ${summary} |`);
});

/** Those that say what the interface has, or what is not there. */
const namesMore = (file: string) =>
  file.startsWith('docs/interface/') ||
  ['docs/reference/limits.md', 'docs/reference/platform-routes.md'].includes(file);

test('the routes that the documents name exist', () => {
  const documents = [...documentsOf('docs').filter((file) => !namesMore(file)), 'CHANGELOG.md'];
  const text = documents.map((file) => readFileSync(file, 'utf8')).join('\n');
  const named = [...text.matchAll(/`(GET|POST|PUT|DELETE) (\/V1\/[\w/:-]+)`/g)].map(([, method, path]) => [
    method,
    path,
  ]);
  expect(named.length).toBeGreaterThan(8);
  const shapeOf = (path = '') => path.replaceAll(/:\w+|(?<=\/)\d+(?=\/|$)/g, ':id');
  const known = new Set(routes.map(({ method, path }) => `${method} ${shapeOf(path)}`));
  expect(named.filter(([method, path]) => !known.has(`${method} ${shapeOf(path)}`))).toEqual([]);
});

test('the module version that registers get has its entry', () => {
  expect(readFileSync('CHANGELOG.md', 'utf8')).toMatch(
    new RegExp(`^## ${moduleVersion.replaceAll('.', '\\.')}\\b`, 'm'),
  );
});
