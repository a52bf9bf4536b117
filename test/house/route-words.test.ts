import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { chapterOf, elsewhere, examplesOf, recordedNames } from '../../api/http/openapi/meaning.ts';
import { openApiOf } from '../../api/http/openapi/document.ts';
import { propertiesOf, type Json } from '../../api/http/openapi/json.ts';
import { routes } from '../../api/routes.ts';
import type { AnyRoute } from '../../api/http/route.ts';

const lineOf = ({ method, path }: AnyRoute) => `${method} ${path}`;

/** What is always refused has no answer to show. */
const isAlwaysRefused = ({ response }: AnyRoute) => response instanceof z.ZodNever;

test('a route has a name, a description, its outcomes and an example', () => {
  const mute = routes.filter(
    (route) =>
      route.name === undefined ||
      route.description === undefined ||
      route.outcomes === undefined ||
      (examplesOf(route).length === 0 && !isAlwaysRefused(route)),
  );
  expect(mute.map(lineOf)).toEqual([]);
});

test('no two routes have one name', () => {
  const names = routes.flatMap(({ name }) => name ?? []);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test('every route is in a chapter', () => {
  expect(routes.filter(({ path }) => chapterOf(path) === elsewhere).map(lineOf)).toEqual([]);
});

test('an example is what its route takes and answers', () => {
  for (const route of routes) {
    for (const { body, response } of examplesOf(route)) {
      const faults = { body: route.body?.safeParse(body).error, response: route.response.safeParse(response).error };
      expect({ route: lineOf(route), ...faults }).toEqual({ route: lineOf(route) });
    }
  }
});

test('nothing was recorded for a route that is not there, or that shows examples of its own', () => {
  const without = routes.filter(({ examples }) => examples === undefined).map(({ name }) => name);
  expect(recordedNames().filter((name) => !without.includes(name))).toEqual([]);
});

const document = openApiOf(routes, { title: 'Point of sale', version: '1.3.0' });

/** Every key of every schema, also of those that stand in place, with the way to it. */
const keysOf = (schema: unknown, way: string): [way: string, key: Json][] =>
  typeof schema !== 'object' || schema === null
    ? []
    : [
        ...Object.entries(propertiesOf(schema as Json)).map(([key, inner]): [string, Json] => [`${way}.${key}`, inner]),
        ...Object.entries(schema).flatMap(([key, inner]) =>
          key === 'example' || key === 'examples' ? [] : keysOf(inner, key === 'properties' ? way : `${way}.${key}`),
        ),
      ];

test('every key that is sent or answered says what it means', () => {
  const all = [...keysOf(document['components'], ''), ...keysOf(document['paths'], '')];
  expect(all.length).toBeGreaterThan(2_500);
  expect(all.filter(([, { description }]) => description === undefined || description === '')).toEqual([]);
});

test('every variable of a path, key of a query and header says what it means', () => {
  const operations = Object.entries(
    document['paths'] as Record<string, Record<string, { parameters: Json[] }>>,
  ).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters }]) => ({ way: `${method} ${path}`, parameters })),
  );
  const mute = operations.flatMap(({ way, parameters }) =>
    parameters
      .filter((one) => !('$ref' in one) && one['description'] === undefined)
      .map(({ name }) => `${way} ${String(name)}`),
  );
  expect(mute).toEqual([]);
});
