import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { moduleVersion } from '../../../domain/configuration/module-version.ts';
import { replayHeader } from '../../../api/http/mark-replayed.ts';
import { routes } from '../../../api/routes.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { aShop } from '../../support/builders/shop.ts';
import { documentsOf } from '../../house/documents.ts';
import { aCustomer } from '../../support/builders/wallet.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
  await aShop(api.orm.em.fork());
  await aCustomer(api.orm.em.fork());
});
afterAll(() => api.close());

test('llms.txt leads to every document, each as Markdown or JSON, without a token', async () => {
  const { headers, body } = await api.call('GET', '/llms.txt');
  const paths = [...String(body).matchAll(/\]\(([^)]+)\)/g)].map(([, path]) => path!);
  const answers = await Promise.all(paths.map((path) => api.call('GET', path)));

  expect(headers.get('content-type')).toBe('text/markdown; charset=utf-8');
  expect(paths).toEqual(['/docs/registers.md', '/docs/changelog.md', '/docs/routes.md', '/openapi.json']);
  expect(answers.map(({ status, headers: told }) => [status, told.get('content-type')?.split(';')[0]])).toEqual([
    ...paths.slice(0, -1).map(() => [200, 'text/markdown']),
    [200, 'application/json'],
  ]);
});

test('the documents for registers are served unchanged, and no others', async () => {
  expect((await api.call('GET', '/docs/registers.md')).body).toBe(readFileSync('docs/registers.md', 'utf8'));
  for (const path of [
    '/docs/inside/map.md',
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

const samples = documentsOf('docs').flatMap((file) =>
  [
    ...readFileSync(file, 'utf8').matchAll(
      /^```http\n(GET|POST) (\S+)\n(?:Idempotency-Key: (\S+)\n)?(\{.*\}\n)?(\d{3})(?: (.*))?\n```$/gm,
    ),
  ].map(([, method, path, key, body, status, header]) => ({
    method: method!,
    path: path!,
    headers: key === undefined ? {} : { 'idempotency-key': key },
    body,
    status: Number(status),
    header,
  })),
);

test('the samples of the page for registers work, sent unchanged one after the other', async () => {
  expect(samples.length).toBeGreaterThan(1);
  for (const { method, path, headers, body, status, header } of samples) {
    const call = { token: api.tokens.admin, headers, ...(body === undefined ? {} : { body }) };
    const answer = await api.call(method, path, call);
    const told = answer.headers.get(replayHeader);
    expect([path, answer.status, told === null ? undefined : `${replayHeader}: ${told}`]).toEqual([
      path,
      status,
      header,
    ]);
  }
});

/** Those that say what the interface has, or what is not there. */
const namesMore = (file: string) => file.startsWith('docs/interface/') || file === 'docs/reference/limits.md';

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
