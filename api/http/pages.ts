import { existsSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, extname, join, posix, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Context, Middleware } from 'koa';
import { noSuchRoute } from '../../domain/refusals/platform.ts';
import { version } from '../../providers/release.ts';
import type { ApiParts } from './api-parts.ts';
import { indexScript } from './docs-index-look.ts';
import { docsChapter, docsIndex, docsSearch } from './docs-index.ts';
import { chapterPage, docsFile, htmlPage, type Page, type PageFile } from './docs-page.ts';
import { graphiqlFile } from './graphiql-page.ts';
import { frontPage, guideFile } from './guide/front-page.ts';
import { guideMenu, readDocument, type GuidePage } from './guide/guide-menu.ts';
import { createHealth, type HealthWatch } from './health.ts';
import { brunoCollection, zipOf } from './openapi/bruno.ts';
import { openApiOf } from './openapi/document.ts';
import { chapterDocument, slugOf } from './openapi/json.ts';
import { chapterOf } from './openapi/meaning.ts';
import type { AnyRoute } from './route.ts';
import { formHeaders, jsonHeaders, jsonType, pageHeaders, setAll } from './write-answer.ts';

/** Addresses that clients know from earlier releases. */
const aliases: Readonly<Record<string, string>> = {
  '/docs/registers.md': 'docs/registers/README.md',
  '/docs/changelog.md': 'CHANGELOG.md',
};

const routesPath = '/docs/routes.md';

/** What is made for machine readers: an index, the routes, documents under old names; undefined for an unknown path. */
function markdownOf(path: string, routes: readonly AnyRoute[]): string | undefined {
  if (path === '/llms.txt') return index();
  if (path === routesPath) return routeTable(routes);
  const known = Object.hasOwn(aliases, path) ? aliases[path] : undefined;
  return known === undefined ? undefined : readDocument(known);
}

const index = () =>
  [
    '# Point of sale',
    '',
    '> The server side of a retail register: configuration, staff, held carts, orders, credits, layaways, returns and',
    '> refunds through card processors. JSON over HTTP under `/rest`, with a bearer token.',
    '',
    '## The interface',
    '',
    `- [${routesPath}](${routesPath}): every route, what it takes and who may call it`,
    '- [/openapi.json](/openapi.json): the same as OpenAPI 3.1, with every schema',
    '- [/docs/bruno.zip](/docs/bruno.zip): the same as a Bruno collection, with an example of each request',
    ...guideMenu().sections.flatMap(({ name, pages }) => ['', `## ${name}`, '', ...pages.map(line)]),
    '',
  ].join('\n');

const line = (page: GuidePage) => `- [/${page.file}](/${page.file}): ${saysOf(page)}`;

/** What the first page of the folder says of it in its table, else its title. */
function saysOf({ file, title }: GuidePage): string {
  const first = guideMenu().byFile.get(posix.join(posix.dirname(file), 'README.md'));
  if (!first) return title;
  // `| [Hold a cart](/docs/registers/hold.md) | parked, listed … |`
  const rows = readDocument(first.file)
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()));
  const [, , says] = rows.find(([, link = '']) => link.endsWith(`](/${file})`)) ?? [];
  return says === undefined ? title : `${title}: ${says}`;
}

const routeTable = (routes: readonly AnyRoute[]) =>
  [
    '# Routes',
    '',
    'Under `/rest`, or `/rest/<store code>`. Schemas are in [/openapi.json](/openapi.json).',
    '',
    '| Method | Path | What it does | Who may call it |',
    '| --- | --- | --- | --- |',
    ...routes.map(
      ({ method, path, summary, acl }) => `| ${method} | \`${path}\` | ${cell(summary)} | ${[acl].flat().join(', ')} |`,
    ),
    '',
  ].join('\n');

const cell = (text: string) => text.replaceAll('|', '\\|');

/**
 * The till of the demo shop, at `/demo/till`: a page on the client, whose files the browser loads one by one, without
 * their types. Only those that the till imports are served. A shop that sells for real has no such page.
 */
function createDemoTill(isDemo: boolean): (path: string) => PageFile | undefined {
  if (!isDemo || !existsSync(join(root, entry))) return () => undefined;
  let modules: Map<string, string> | undefined;
  return (path) => {
    if (path === prefix || path === `${prefix}/`)
      return { type: 'text/html; charset=utf-8', body: readTillFile('till.html') };
    if (path === `${prefix}/till.css`) return { type: 'text/css; charset=utf-8', body: readTillFile('till.css') };
    if (!path.startsWith(`${prefix}/`)) return undefined;
    modules ??= modulesFrom(entry);
    // The page names its sources, also where they are built and import each other by another ending.
    const body = modules.get(path.slice(prefix.length + 1).replace(/\.[jt]s$/v, ''));
    return body === undefined ? undefined : { type: 'text/javascript; charset=utf-8', body };
  };
}

const prefix = '/demo/till';
const root = fileURLToPath(new URL('../../', import.meta.url));
const ending = extname(import.meta.filename);
const entry = `client/till/till${ending}`;

const readTillFile = (name: string) => readFileSync(join(root, 'client/till', name), 'utf8');

/** The program and everything that it imports, by path without its ending, each without its types. */
function modulesFrom(start: string): Map<string, string> {
  const found = new Map<string, string>();
  const left = [start];
  for (let path = left.pop(); path !== undefined; path = left.pop()) {
    const name = path.slice(0, -ending.length);
    if (found.has(name)) continue;
    const file = join(root, path);
    const text = readFileSync(file, 'utf8');
    const plain = ending === '.ts' ? stripTypeScriptTypes(text) : text;
    found.set(name, plain);
    for (const [, target = ''] of plain.matchAll(/\bfrom '(\.[^']+)'/g))
      left.push(relative(root, join(dirname(file), target)));
  }
  return found;
}

export interface DocsSite {
  openApi: () => string;
  /** Undefined: unknown page. */
  page: (path: string) => Promise<PageFile | undefined>;
}

/**
 * The API document as pages: `/docs`, a page and a document for each chapter, and the whole document. Made at the first
 * request.
 */
export function createDocsSite(routes: readonly AnyRoute[], info: { title: string; version: string }): DocsSite {
  let made: ReturnType<typeof openApiOf> | undefined;
  const document = () => (made ??= openApiOf(routes, info));
  let text: string | undefined;
  const bySlug = new Map(routes.map(({ path }) => [slugOf(chapterOf(path)), chapterOf(path)]));
  const stored = new Map<string, PageFile>();

  const make = async (path: string): Promise<PageFile | undefined> => {
    if (path === '/docs' || path === '/docs/') return { type: html, body: docsIndex(routes) };
    if (path === '/docs/index.js') return { type: 'text/javascript; charset=utf-8', body: indexScript };
    if (path === '/docs/bruno.zip') return { type: 'application/zip', body: zipOf(brunoCollection(document())) };
    if (path === '/docs/search.json') return { type: json, body: docsSearch(routes) };
    const [, slug = '', ending] = /^\/docs\/([a-z-]+)(\.json|\.html)?$/.exec(path) ?? [];
    const chapter = bySlug.get(slug);
    if (chapter === undefined) return path.startsWith('/docs/') ? docsFile(path) : undefined;
    if (ending === undefined) return { type: html, body: chapterPage(slug) };
    if (ending === '.html') {
      const own = chapterDocument(document(), chapter);
      return { type: html, body: docsChapter(routes, slug, own) ?? '' };
    }
    return { type: json, body: JSON.stringify(chapterDocument(document(), chapter)) };
  };
  return {
    openApi: () => (text ??= JSON.stringify(document())),
    async page(path) {
      const known = stored.get(path);
      if (known) return known;
      const page = await make(path);
      if (page) stored.set(path, page);
      return page;
    },
  };
}

const html = 'text/html; charset=utf-8';
const json = 'application/json; charset=utf-8';

const withBrotli = promisify(brotliCompress);
const withGzip = promisify(gzip);

export type Encoding = 'br' | 'gzip';

/** What the caller takes, the smaller first. */
export function encodingOf(accepted = ''): Encoding | undefined {
  const named = accepted.split(',').map((one) => one.split(';').map((part) => part.trim()));
  const taken = new Set(named.filter(([, weight]) => weight !== 'q=0').map(([name]) => name));
  return (['br', 'gzip'] as const).find((one) => taken.has(one));
}

/** Compresses each page once, by path and encoding: pages do not change while the process lives. */
export function createCompression() {
  const made = new Map<string, Promise<Buffer>>();
  return (path: string, body: string | Buffer, encoding: Encoding): Promise<Buffer> => {
    const key = `${encoding} ${path}`;
    const known = made.get(key) ?? compressBy[encoding](body);
    made.set(key, known);
    return known;
  };
}

const compressBy: Readonly<Record<Encoding, (body: string | Buffer) => Promise<Buffer>>> = {
  br: (body) => withBrotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
  gzip: (body) => withGzip(body),
};

/** In bytes; what is shorter fits into one packet as it is. */
const leastCompressed = 1_400;

/**
 * What is outside `/rest` and needs no token: health, the API document, its page and what is written about it. Refused
 * with 404: the rest.
 */
export function pages(parts: ApiParts): Middleware {
  const site = createDocsSite(parts.routes, { title: 'Point of sale', version });
  const compressed = createCompression();
  const till = createDemoTill(parts.settings.POS_DEMO);
  const health = parts.health ?? createHealth(parts);

  const answers: Record<string, () => Promise<{ status: number; body: string }>> = {
    '/health/live': async () => ({ status: 200, body: '{"status":"ok"}' }),
    '/health/ready': async () => {
      if (parts.isEnding?.()) return { status: 503, body: '{"status":"draining"}' };
      const found = await health.read();
      return { status: found.status === 'not ready' ? 503 : 200, body: JSON.stringify(found) };
    },
    '/openapi.json': async () => ({ status: 200, body: site.openApi() }),
  };

  const fileAt = async (path: string): Promise<PageFile | undefined> => {
    const text = markdownOf(path, parts.routes);
    if (text !== undefined) return { type: 'text/markdown; charset=utf-8', body: text };
    return (await guideFile(path)) ?? (await graphiqlFile(path)) ?? till(path) ?? site.page(path);
  };

  return async (ctx) => {
    const { path, headers } = ctx.state;
    setAll(ctx, headers);
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
    if (isRead && path === '/') return openGuide(ctx, health);
    const answer = isRead && Object.hasOwn(answers, path) ? await answers[path]?.() : undefined;
    const file = isRead && !answer ? await fileAt(path) : undefined;
    if (!answer && !file) throw noSuchRoute();
    setAll(ctx, answer ? jsonHeaders : pageHeaders);
    ctx.status = answer?.status ?? 200;
    ctx.res.setHeader('Content-Type', file?.type ?? jsonType);
    const body = answer?.body ?? file?.body ?? '';
    ctx.res.setHeader('Vary', 'Accept-Encoding');
    const encoding =
      answer?.status !== 503 && body.length > leastCompressed
        ? encodingOf(ctx.req.headers['accept-encoding'])
        : undefined;
    if (encoding !== undefined) ctx.res.setHeader('Content-Encoding', encoding);
    ctx.body = encoding === undefined ? body : await compressed(path, body, encoding);
  };
}

/** The first page says how the service is now: it is made for each reader, and kept by nobody. */
async function openGuide(ctx: Context, health: HealthWatch): Promise<void> {
  const found = await health.read();
  setAll(ctx, pageHeaders);
  ctx.status = 200;
  ctx.res.setHeader('Content-Type', 'text/html; charset=utf-8');
  ctx.res.setHeader('Cache-Control', 'no-store');
  ctx.body = frontPage(found);
}

/** Answers with a page behind the link of a mail: it may not be stored, framed or indexed. */
export function writePage(ctx: Context, page: Page, status: number): void {
  setAll(ctx, ctx.state.headers);
  setAll(ctx, formHeaders);
  ctx.status = status;
  ctx.res.setHeader('Content-Type', 'text/html; charset=utf-8');
  ctx.body = htmlPage(page);
}

/**
 * Paths of the platform that are not served, or not by every verb, where one of our routes has a variable. Without
 * this list `GET /V1/products/types` would be answered as an unknown product, and `DELETE /V1/products/attributes`
 * would look for one to delete (platform facts 2.3). Words that only begin longer paths, such as `media/types`, are
 * not listed: a product's sku may be such a word, and none of our routes has a variable there.
 */
export const reservedWords: readonly string[] = [
  '/V1/products/attributes',
  '/V1/products/attributes/types',
  '/V1/products/attributes/metadata',
  '/V1/products/types',
  '/V1/products/attribute-sets',
  '/V1/products/attribute-sets/sets',
  '/V1/products/attribute-sets/groups',
  '/V1/products/attribute-sets/attributes',
  '/V1/products/base-prices',
  '/V1/products/special-price',
  '/V1/products/tier-prices',
  '/V1/products/downloadable-links',
  '/V1/products-render-info',
  '/V1/customerGroups/default',
  '/V1/customers/validate',
  '/V1/customers/isEmailAvailable',
  '/V1/customers/confirm',
  '/V1/customers/password',
  '/V1/customers/addresses',
  '/V1/customers/resetPassword',
  '/V1/customers/me',
  '/V1/shipment/track',
];
