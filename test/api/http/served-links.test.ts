import { existsSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { guideMenu } from '../../../api/http/guide/guide-menu.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { documentsOf } from '../../house/documents.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
});
afterAll(() => api.close());

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
  if (type === 'text/markdown') return [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
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

test('every page but a decision stands in the menu, once', () => {
  const listed = guideMenu().sections.flatMap(({ pages }) => pages.map(({ file }) => file));
  expect(new Set(listed).size).toBe(listed.length);
  const isDecision = (file: string) => /^docs\/inside\/decisions\/2/.test(file);
  expect(documentsOf('docs').filter((file) => !isDecision(file) && !listed.includes(file))).toEqual([]);
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
