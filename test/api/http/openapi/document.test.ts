import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { openApiOf } from '../../../../api/http/openapi/document.ts';
import { routes } from '../../../../api/routes.ts';
import { route } from '../../../../api/http/route.ts';

const document = openApiOf(routes, { title: 'Point of sale', version: '1.3.0' });
const text = JSON.stringify(document);

interface Operation {
  operationId: string;
  summary: string;
  security: unknown[];
  parameters: { name: string; in: string; required: boolean; schema: object }[];
  requestBody?: { content: { 'application/json': { schema: object } } };
  responses: Record<string, object>;
}
const all = document['paths'] as Record<string, Record<string, Operation>>;
const isLater = ([path]: readonly [string, unknown]) => path.startsWith('/rest/async/');
const paths = Object.fromEntries(Object.entries(all).filter((one) => !isLater(one)));
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

test('every route is in the document, once, and nothing else is', () => {
  // Routes of one path may call its variables differently; the document has one name for each.
  const written = operations
    .map(({ path, method }) => `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '{}')}`)
    .toSorted();
  const mounted = routes.map(({ path, method }) => `${method} /rest${path.replaceAll(/:\w+/g, '{}')}`).toSorted();
  expect(written).toEqual(mounted);
  expect(document['openapi']).toBe('3.1.0');
});

test('goodwill and fees say whose currency they are in: of the order at the counter, of the base in the platform', () => {
  const described = [
    ...text.matchAll(/"adjustment(?:Positive|Negative|_positive|_negative)":\{"description":"([^"]*)"/g),
  ].map(([, said]) => said!);
  expect(described.filter((said) => said.endsWith("in the order's currency"))).toHaveLength(4);
  // The platform's two refunds share one shape.
  expect(described.filter((said) => said.endsWith('in the base currency'))).toHaveLength(2);
});

test('what a page fills in by itself is a search that is taken: half a filter is refused', () => {
  const { parameters } = document['components'] as { parameters: Record<string, Record<string, unknown>> };
  const filledIn = Object.values(parameters).filter(
    ({ in: where, example, schema }) =>
      where === 'query' && (example !== undefined || Object(schema).default !== undefined),
  );
  expect(filledIn.map(({ name }) => name)).toEqual(['searchCriteria[page_size]', 'searchCriteria[current_page]']);
});

test('what is carried out later is described once, for all routes that write', () => {
  const later = Object.entries(all).filter(isLater);
  expect(later.map(([path]) => path)).toEqual(['/rest/async/V1/{route}', '/rest/async/bulk/V1/{route}']);
  for (const [, { post }] of later)
    expect(Object.keys(post!.responses)).toEqual(['202', '400', '401', '404', 'default']);
});

test('every reference leads somewhere, and every named shape is referred to', () => {
  const lookUp = (reference: string) =>
    reference
      .slice(2)
      .split('/')
      .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], document);
  const references = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => reference!);
  expect(references.filter((reference) => !reference.startsWith('#/') || lookUp(reference) === undefined)).toEqual([]);

  const named = Object.keys(lookUp('#/components/schemas') ?? {}).map((name) => `#/components/schemas/${name}`);
  expect(named.filter((reference) => !references.includes(reference))).toEqual([]);
});

test('an operation has a name of its own, a summary, its variables and an answer', () => {
  const names = operations.map(({ operation }) => operation.operationId);
  expect(new Set(names).size).toBe(names.length);
  for (const { path, operation } of operations) {
    expect(operation.summary).not.toBe('');
    expect(operation.summary).not.toMatch(/\.$/);
    const variables = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
    const described = operation.parameters.filter((one) => one.in === 'path' && one.required).map(({ name }) => name);
    expect({ path, described: described.toSorted() }).toEqual({ path, described: variables.toSorted() });
    expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['200', 'default']));
  }
});

test('every write that has a caller takes an Idempotency-Key, and tells a replay by a header', () => {
  const keyed = operations.filter(({ operation }) =>
    operation.parameters.some((one) => '$ref' in one && one.$ref === '#/components/parameters/IdempotencyKey'),
  );
  const writes = operations.filter(
    ({ method, operation }) => /^(post|put)$/.test(method) && operation.security.length > 0,
  );
  expect(keyed.map(({ path }) => path)).toEqual(writes.map(({ path }) => path));
  for (const { operation } of keyed) {
    expect(operation.responses['200']).toMatchObject({ headers: { 'Idempotent-Replayed': expect.any(Object) } });
    expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['409', '422']));
  }
});

test('a path with two names for its variable has the one of the route that reads', () => {
  expect(Object.keys(paths)).toEqual(
    expect.arrayContaining(['/rest/V1/orders/{id}', '/rest/V1/categories/{categoryId}']),
  );
  expect(Object.keys(paths['/rest/V1/orders/{id}'] ?? {}).toSorted()).toEqual(['get', 'put']);
});

test('an answer says when to come back only where it is sent: with every 503, and with a key in use', () => {
  for (const { path, method, operation } of operations) {
    const described = Object.entries(operation.responses).filter(
      ([, answer]) => 'headers' in answer && 'Retry-After' in Object(answer.headers),
    );
    const sent = Object.entries(operation.responses).filter(
      ([status, answer]) => status === '503' || JSON.stringify(answer).includes('"outcome":"idempotency_key_in_use"'),
    );
    expect({ path, method, described: described.map(([status]) => status) }).toEqual({
      path,
      method,
      described: sent.map(([status]) => status),
    });
  }
});

test('a body is described, not just announced', () => {
  for (const { path, operation } of operations) {
    const schema = operation.requestBody?.content['application/json'].schema;
    if (schema) expect({ path, schema }).toEqual({ path, schema: { $ref: expect.any(String) } });
  }
});

test('what contains itself is described once and refers to itself', () => {
  const item = z.object({ sku: z.string(), parentItem: z.lazy((): z.ZodType => item).optional() });
  const [one, other] = (['/V1/one', '/V1/other'] as const).map((path) =>
    route({
      method: 'POST',
      path,
      acl: 'anonymous',
      summary: 'Takes an item',
      body: z.object({ item, note: path === '/V1/one' ? z.string() : z.int() }),
      response: item,
      handle: async ({ body }) => body.item,
    }),
  );
  const { components } = openApiOf([one!, other!], { title: 'x', version: '1' });
  expect((components as { schemas: object }).schemas).toMatchObject({
    PostOneAnswer: {
      properties: { sku: { type: 'string' }, parentItem: { $ref: '#/components/schemas/PostOneAnswer' } },
    },
    PostOneRequest0: { properties: { parent_item: { $ref: '#/components/schemas/PostOneRequest0' } } },
    PostOtherRequest0: { properties: { parent_item: { $ref: '#/components/schemas/PostOtherRequest0' } } },
  });
});
