import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { routes } from '../../api/routes.ts';
import { platformRoutesPage } from './platform-routes.ts';

/**
 * Every route that platform facts 5 to 12 name, a line each: the section, the route, and `served`, or `missing` with
 * the reason. A line without a section is of the platform's own description alone. `UPDATE_ROUTES=1` writes what is
 * served anew, and the reference page.
 */
const file = new URL('documented-routes.txt', import.meta.url);
const text = readFileSync(file, 'utf8');
const lines = text.split('\n').filter(Boolean);

/** Variables have other names in other versions: only their place counts. */
const shapeOf = (method: string, path: string) => `${method} ${path.replaceAll(/:\w+/g, ':')}`;
const served = new Set(routes.map(({ method, path }) => shapeOf(method, path)));

const statusNow = (line: string): string => {
  const [section = '', method = '', path = '', ...status] = line.split(/ +/);
  const is = served.has(shapeOf(method, path)) ? 'served' : status.join(' ').replace(/^served$/, 'missing:');
  return `${section} ${method} ${path} ${is}`;
};
const now = lines.map(statusNow);

test('what is served of the documented routes is as it was written down', () => {
  if (process.env['UPDATE_ROUTES'] === '1') writeFileSync(file, `${now.join('\n')}\n`);
  expect(process.env['UPDATE_ROUTES'] === '1' ? now : lines).toEqual(now);
});

test('a documented route that is missing says why', () => {
  expect(now.filter((line) => !/ (?:served|missing: \S.*)$/.test(line))).toEqual([]);
});

test('no route is listed twice', () => {
  const shapes = now.map((line) => line.split(' ').slice(1, 3).join(' '));
  expect(shapes.filter((shape, at) => shapes.indexOf(shape) !== at)).toEqual([]);
});

const page = 'docs/reference/platform-routes.md';

test('the reference page says what is served and what is not', () => {
  const missing = now.flatMap((line) => {
    const [, method = '', path = '', why] = /^\S+ (\S+) (\S+) missing: (.+)$/.exec(line) ?? [];
    return why === undefined ? [] : [{ method, path, why }];
  });
  const made = platformRoutesPage(routes, missing);
  if (process.env['UPDATE_ROUTES'] === '1') writeFileSync(page, made);
  expect(readFileSync(page, 'utf8')).toBe(made);
});
