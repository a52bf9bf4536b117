import { existsSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PageFile } from './docs-page.ts';

/**
 * The till of the demo shop, at `/demo/till`: a page on the client, whose files the browser loads one by one, without their
 * types. Only those that the till imports are served. A shop that sells for real has no such page.
 */
export function createDemoTill(isDemo: boolean): (path: string) => PageFile | undefined {
  if (!isDemo || !existsSync(join(root, entry))) return () => undefined;
  let modules: Map<string, string> | undefined;
  return (path) => {
    if (path === prefix || path === `${prefix}/`) return { type: 'text/html; charset=utf-8', body: read('till.html') };
    if (path === `${prefix}/till.css`) return { type: 'text/css; charset=utf-8', body: read('till.css') };
    if (!path.startsWith(`${prefix}/`)) return undefined;
    modules ??= modulesFrom(entry);
    const body = modules.get(path.slice(prefix.length + 1));
    return body === undefined ? undefined : { type: 'text/javascript; charset=utf-8', body };
  };
}

const prefix = '/demo/till';
const root = fileURLToPath(new URL('../../', import.meta.url));
const entry = 'client/till/till.ts';

const read = (name: string) => readFileSync(join(root, 'client/till', name), 'utf8');

/** The program and everything that it imports, by path, each without its types. */
function modulesFrom(start: string): Map<string, string> {
  const found = new Map<string, string>();
  const left = [start];
  for (let path = left.pop(); path !== undefined; path = left.pop()) {
    if (found.has(path)) continue;
    const file = join(root, path);
    const plain = stripTypeScriptTypes(readFileSync(file, 'utf8'));
    found.set(path, plain);
    for (const [, target = ''] of plain.matchAll(/\bfrom '(\.[^']+)'/g))
      left.push(relative(root, join(dirname(file), target)));
  }
  return found;
}
