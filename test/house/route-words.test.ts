import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { routes } from '../../api/routes.ts';
import type { AnyRoute } from '../../api/http/route.ts';

/**
 * Routes that do not yet explain themselves, a line each. The list only gets shorter: a route that gets its words loses its
 * line, a new route never gets one.
 */
const listed = readFileSync(new URL('routes-without-words.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter(Boolean);

const lineOf = ({ method, path }: AnyRoute) => `${method} ${path}`;

const isExplained = ({ name, description, outcomes, examples }: AnyRoute) =>
  name !== undefined && description !== undefined && outcomes !== undefined && (examples ?? []).length > 0;

const mute = routes
  .filter((route) => !isExplained(route))
  .map(lineOf)
  .toSorted();

test('a route has a name, a description, its outcomes and an example', () => {
  expect(mute.filter((line) => !listed.includes(line))).toEqual([]);
});

test('every route on the list of those without words still lacks some', () => {
  expect(listed.filter((line) => !mute.includes(line))).toEqual([]);
  expect(listed).toEqual(listed.toSorted());
});

test('no two routes have one name', () => {
  const names = routes.flatMap(({ name }) => name ?? []);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test('an example is what its route takes and answers', () => {
  for (const route of routes) {
    for (const { body, response } of route.examples ?? []) {
      const faults = { body: route.body?.safeParse(body).error, response: route.response.safeParse(response).error };
      expect({ route: lineOf(route), ...faults }).toEqual({ route: lineOf(route) });
    }
  }
});
