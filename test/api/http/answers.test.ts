import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { route } from '../../../api/http/route.ts';
import { invalid } from '../../../domain/errors.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { rawRequest } from '../../support/raw-request.ts';

const answering = (
  path: `/V1/${string}`,
  answer: unknown,
  more: { isPrivate?: boolean; isDoubleEncoded?: boolean } = {},
) =>
  route({
    ...more,
    method: 'GET',
    path,
    acl: 'anonymous',
    summary: 'Answers',
    response: z.unknown(),
    handle: async () => answer,
  });

const order = {
  entity_id: 5,
  items: [
    { sku: 'MUG', qty: 2, extension_attributes: { a: 1, b: 2 } },
    { sku: 'PLATE', qty: 1 },
  ],
  custom_attributes: [
    { attribute_code: 'color', value: '4' },
    { attribute_code: 'size', value: '9' },
  ],
};

const routes = [
  route({
    method: 'GET',
    path: '/V1/refused',
    acl: 'anonymous',
    summary: 'Refuses',
    response: z.unknown(),
    handle: () => Promise.reject(invalid('No.')),
  }),
  answering('/V1/answers/void', []),
  answering('/V1/answers/true', true),
  answering('/V1/answers/text', 'pending'),
  answering('/V1/answers/config', { a: { b: 'é' } }, { isDoubleEncoded: true, isPrivate: true }),
  answering('/V1/answers/order', order),
  route({
    method: 'GET',
    path: '/V1/tagged',
    acl: 'anonymous',
    summary: 'Tagged',
    response: z.unknown(),
    handle: async ({ setHeader }) => {
      setHeader('ETag', '"v1"');
      return { a: 1 };
    },
  }),
];

let api: TestApi;
beforeAll(async () => {
  api = await testApi({ routes });
});
afterAll(() => api.close());
const get = (path: string, headers: Record<string, string> = {}) => api.call('GET', path, { headers });

describe('answers', () => {
  test('void, true and text are bare JSON', async () => {
    expect((await get('/V1/answers/void')).body).toEqual([]);
    expect((await get('/V1/answers/true')).body).toBe(true);
    expect((await get('/V1/answers/text?fields=x')).body).toBe('pending');
  });

  test('they are of their caller alone, refusals too', async () => {
    for (const path of ['/V1/answers/true', '/V1/answers/nowhere'])
      expect((await get(path)).headers.get('cache-control')).toBe('private');
  });

  test('a double-encoded one is parsed twice, is never filtered and never stored', async () => {
    const { body, headers } = await get('/V1/answers/config?fields=zzz');
    expect(JSON.parse(body)).toEqual({ a: { b: 'é' } });
    expect([headers.get('content-type'), headers.get('cache-control')]).toEqual([
      'application/json; charset=utf-8',
      'no-store',
    ]);
  });

  test.each([
    ['entity_id', { entity_id: 5 }],
    [
      'items[sku,extension_attributes[b]],nothing',
      { items: [{ sku: 'MUG', extension_attributes: { b: 2 } }, { sku: 'PLATE' }] },
    ],
    ['items[qty]', { items: [{ qty: 2 }, { qty: 1 }] }],
    ['custom_attributes[size]', { custom_attributes: [{ attribute_code: 'size', value: '9' }] }],
    ['nothing', {}],
    ['__proto__,constructor', {}],
    ['items[sku', []],
    ['items]sku', []],
    ['[sku]', []],
    ['items{sku}', []],
    [`${'a['.repeat(40)}b${']'.repeat(40)}`, []],
  ])('fields=%s keeps just that', async (fields, expected) => {
    expect((await get(`/V1/answers/order?fields=${encodeURIComponent(fields)}`)).body).toEqual(expected);
  });

  test('what the caller has already is not sent again', async () => {
    // Fetch asks caches to keep out of it.
    const ask = (tag: string) =>
      rawRequest(
        api.url,
        `GET /rest/V1/tagged HTTP/1.1\r\nHost: x\r\nIf-None-Match: ${tag}\r\nConnection: close\r\n\r\n`,
      );
    expect(await ask('"v1"')).toEqual({ status: 304, text: '' });
    expect(await ask('"v0"')).toEqual({ status: 200, text: '{"a":1}' });
  });

  test('carry the request’s id: the caller’s where it can stand in a log, else a new one', async () => {
    const idFor = async (given: string) =>
      (await get('/V1/answers/true', { 'x-request-id': given })).headers.get('x-request-id');
    expect(await idFor('till-7:42')).toBe('till-7:42');
    for (const odd of ['a b', 'x'.repeat(65), '<script>']) expect(await idFor(odd)).toMatch(/^[0-9a-f-]{36}$/);
    expect((await get('/V1/refused', { 'x-request-id': 'r1' })).headers.get('x-request-id')).toBe('r1');
  });

  test('may not be run, framed or sniffed', async () => {
    const { headers } = await get('/V1/answers/true');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(headers.get('x-powered-by')).toBeNull();
  });
});
