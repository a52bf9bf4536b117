import { expect, test } from '@jest/globals';
import { openApiOf } from '../../../api/support/openapi.ts';
import { routes } from '../../../api/routes.ts';

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
const paths = document['paths'] as Record<string, Record<string, Operation>>;
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

test('every route is in the document, once, and nothing else is', () => {
  const written = operations.map(({ path, method }) => `${method.toUpperCase()} ${path}`).toSorted();
  const mounted = routes.map(({ path, method }) => `${method} /rest${path.replaceAll(/:(\w+)/g, '{$1}')}`).toSorted();
  expect(written).toEqual(mounted);
  expect(document['openapi']).toBe('3.1.0');
});

test('every reference leads somewhere', () => {
  const lookUp = (reference: string) =>
    reference
      .slice(2)
      .split('/')
      .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], document);
  const references = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => reference!);
  expect(references.filter((reference) => !reference.startsWith('#/') || lookUp(reference) === undefined)).toEqual([]);
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
    expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['200', '400', 'default']));
  }
});

test('a body is described, not just announced', () => {
  for (const { path, operation } of operations) {
    const schema = operation.requestBody?.content['application/json'].schema;
    if (schema) expect({ path, schema }).toMatchObject({ schema: { type: 'object', properties: expect.any(Object) } });
  }
});
