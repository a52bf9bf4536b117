import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { docsChapter, docsIndex, docsSearch } from './docs-index.ts';
import { indexScript } from './docs-index-look.ts';
import { chapterPage, docsFile, type PageFile } from './docs-page.ts';
import { chapterDocument, slugOf } from './openapi/chapter-document.ts';
import { chapterOf } from './openapi/chapters.ts';
import { openApiOf } from './openapi/document.ts';
import type { AnyRoute } from './route.ts';

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
  const kept = new Map<string, PageFile>();

  const make = async (path: string): Promise<PageFile | undefined> => {
    if (path === '/docs' || path === '/docs/') return { type: html, body: docsIndex(routes) };
    if (path === '/docs/index.js') return { type: 'text/javascript; charset=utf-8', body: indexScript };
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
      const known = kept.get(path);
      if (known) return known;
      const page = await make(path);
      if (page) kept.set(path, page);
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
