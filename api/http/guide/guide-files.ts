import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import type { PageFile } from '../docs-page.ts';
import { guideScript, guideStyle } from './guide-look.ts';
import { filesBelow, guideMenu, guidePath, readDocument } from './guide-menu.ts';

const root = new URL('../../../', import.meta.url);

const types: Readonly<Record<string, string>> = {
  '.md': 'text/markdown; charset=utf-8',
  '.png': 'image/png',
  '.json': 'application/json; charset=utf-8',
};
const html = 'text/html; charset=utf-8';

/** The guide as pages, and the files behind them; undefined for an unknown path. */
export async function guideFile(path: string): Promise<PageFile | undefined> {
  if (path === '/docs/guide.css') return { type: 'text/css; charset=utf-8', body: guideStyle };
  if (path === '/docs/guide.js') return { type: 'text/javascript; charset=utf-8', body: guideScript };
  if (path === guidePath || path.startsWith(`${guidePath}/`)) return guideHtml(path);
  return rawFile(path);
}

async function guideHtml(path: string): Promise<PageFile | undefined> {
  // Loaded by the first reader: an API that nobody reads about does without them.
  const [{ renderPage }, { contentsPage, guidePage }] = await Promise.all([
    import('./guide-markdown.ts'),
    import('./guide-page.ts'),
  ]);
  if (path === guidePath) return { type: html, body: contentsPage() };
  const page = guideMenu().byPath.get(path);
  return page && { type: html, body: guidePage(page, renderPage(page, readDocument(page.file))) };
}

let known: ReadonlySet<string> | undefined;

/** A document as it lies in the repository, so that links between documents work; no other file is served. */
async function rawFile(path: string): Promise<PageFile | undefined> {
  const file = path.slice(1);
  known ??= new Set([...guideMenu().byFile.keys(), ...filesBelow('docs', /\.(?:png|json)$/)]);
  if (!known.has(file)) return undefined;
  return { type: types[extname(file)] ?? 'text/plain', body: await readFile(new URL(file, root)) };
}
