import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { chapterOf, elsewhere, examplesOf, recordedNames } from '../../api/http/openapi/meaning.ts';
import { wordOf } from '../../api/http/openapi/field-words.ts';
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

/** Who shares a sentence that is written without a shape. */
const sharedFile = 'test/house/shared-words.txt';

/**
 * Every key with the shape that it stands in: of a named schema, of what stands in place in an operation, and of a
 * query.
 */
function placesOfKeys(): { shape: string; key: string; description: unknown }[] {
  const within = (shape: string, schema: unknown) =>
    keysOf(schema, shape).map(([way, { description }]) => ({ shape, key: way.split('.').at(-1) ?? '', description }));
  const { schemas } = document['components'] as { schemas: Record<string, Json> };
  const operations = Object.values(document['paths'] as Record<string, Record<string, Json>>).flatMap(Object.values);
  return [
    ...Object.entries(schemas).flatMap(([name, schema]) => within(name, schema)),
    ...operations.flatMap(({ operationId, parameters, requestBody, responses }: Json) => {
      const name = String(operationId).replace(/^./, (letter) => letter.toUpperCase());
      const asked = (parameters as Json[]).filter((one) => one['in'] === 'query');
      return [
        ...within(`${name}Request`, requestBody),
        ...within(`${name}Answer`, responses),
        ...asked.map((one) => ({ shape: `${name}Query`, key: String(one['name']), description: one['description'] })),
      ];
    }),
  ];
}

test('a key has words of its own, or is listed with the shapes whose sentence it shares', () => {
  const sharing = placesOfKeys().filter(({ shape, key, description }) => {
    const word = wordOf(shape, key);
    return word?.isShared === true && String(description).startsWith(word.text);
  });
  const byKey = Map.groupBy(sharing, ({ key }) => key);
  const now = [...byKey]
    .map(([key, places]) => `${key}: ${[...new Set(places.map(({ shape }) => shape))].toSorted().join(' ')}`)
    .toSorted();
  if (process.env['UPDATE_WORDS'] === '1') writeFileSync(sharedFile, `${now.join('\n')}\n`);
  const listed = new Map(
    readFileSync(sharedFile, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => [line.split(': ')[0] ?? '', line.split(': ')[1]?.split(' ') ?? []]),
  );
  const isListed = ({ shape, key }: { shape: string; key: string }) => listed.get(key)?.includes(shape) === true;
  expect(sharing.length).toBeGreaterThan(1_000);
  expect(
    sharing
      .filter((place) => !isListed(place))
      .map(
        ({ shape, key, description }) =>
          `${shape}.${key} would say "${String(description)}", as other shapes do: write '${shape}.${key}' into a file of api/http/openapi/words. UPDATE_WORDS=1 shares the sentence, where it is right`,
      ),
  ).toEqual([]);
});

test('a new key of a shape has no sentence of another shape', () => {
  expect(wordOf('TaxRate', 'note')).toMatchObject({ isShared: true });
  expect(wordOf('TaxRate', 'id')).toMatchObject({ isShared: false });
  expect(wordOf('TaxRate', 'no_such_key')).toBeUndefined();
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
