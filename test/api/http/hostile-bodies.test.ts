import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { route } from '../../../api/http/route.ts';
import { integer, payload, text } from '../../../api/wire/schemas.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { rawRequest } from '../../support/raw-request.ts';

/** Keeps what it is sent in PostgreSQL, so that what PostgreSQL cannot bear would show. */
const keep = route({
  method: 'POST',
  path: '/V1/documents',
  acl: 'anonymous',
  summary: 'Keeps a document',
  body: z.object({
    document: z.unknown().optional(),
    thing: payload({ id: integer, name: text(50) }).optional(),
  }),
  response: z.unknown(),
  handle: async ({ body, em }) => {
    const [row] = await em.execute<{ kept: unknown }[]>('select ?::jsonb as kept', [JSON.stringify(body)]);
    return row?.kept;
  },
});

let api: TestApi;
beforeAll(async () => {
  api = await testApi({ routes: [keep] });
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  await api.close();
});

const post = (body: unknown, headers: Record<string, string> = {}) =>
  api.call('POST', '/V1/documents', { body, headers, token: api.tokens.admin });

describe('a body', () => {
  const decodingError = { status: 400, body: { message: 'Decoding error.' } };

  test.each([
    ['is no JSON', '{'],
    ['has a byte order mark', '\uFEFF{}'],
    ['is 200,000 levels deep', '['.repeat(200_000)],
    ['is deep inside and closed', `{"document":${'['.repeat(50)}${']'.repeat(50)}}`],
    ['has a NUL character', '{"document":"a\\u0000b"}'],
    ['has a NUL character in a key', '{"document":{"\\u0000":1}}'],
    ['has half of a surrogate pair', '{"document":["\\ud83d"]}'],
    ['has the other half', '{"document":"\\ude00"}'],
    ['is not UTF-8', new Uint8Array([0x22, 0xff, 0xfe, 0x22])],
    ['is compressed', gzipSync('{}')],
    ['is a bomb', gzipSync(Buffer.alloc(50_000_000))],
  ])('that %s is refused', async (_what, body) => {
    expect(await post(body, { 'content-encoding': 'gzip' })).toMatchObject(decodingError);
  });

  test('brackets and quotes inside strings are no depth', async () => {
    const document = `${'[{"\\'.repeat(100)}"`;
    expect((await post({ document })).body).toEqual({ document });
  });

  test('a whole surrogate pair is text like any other', async () => {
    expect((await post('{"document":"\\ud83d\\ude00"}')).body).toEqual({ document: '😀' });
  });

  test.each([
    [undefined, 'Content-Type header is empty.'],
    ['application/json;charset', 'Content-Type header is invalid.'],
    ['application/json; charset=utf-16', 'UTF-8 is the only supported charset.'],
    ['text/plain', 'Server cannot understand Content-Type HTTP header media type text/plain'],
    [
      'multipart/form-data; charset=utf-8',
      'Server cannot understand Content-Type HTTP header media type multipart/form-data',
    ],
  ])('of type %s is refused', async (type, message) => {
    const head = type === undefined ? '' : `Content-Type: ${type}\r\n`;
    const { status, text: answer } = await rawRequest(
      api.url,
      `POST /rest/V1/documents HTTP/1.1\r\nHost: x\r\n${head}Content-Length: 2\r\nConnection: close\r\n\r\n{}`,
    );
    expect([status, JSON.parse(answer)]).toEqual([400, { message }]);
  });

  test('its type may be written with a charset, and does not matter for an empty body', async () => {
    expect((await post('{}', { 'content-type': 'Application/JSON; charset=UTF-8' })).status).toBe(200);
    expect((await api.call('POST', '/V1/documents', { headers: { 'content-type': 'text/plain' } })).status).toBe(200);
  });

  test.each([
    ['Content-Length: 0', ''],
    ['Content-Type: text/plain\r\nContent-Length: 0', ''],
    ['Content-Encoding: gzip\r\nContent-Length: 0', ''],
    ['Transfer-Encoding: chunked', '0\r\n\r\n'],
    ['Content-Type: x\r\nTransfer-Encoding: chunked', '0\r\n\r\n'],
  ])('that is empty has no arguments, whatever its headers say: %j', async (head, body) => {
    const { status, text: answer } = await rawRequest(
      api.url,
      `POST /rest/V1/documents HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${head}\r\n\r\n${body}`,
    );
    expect([status, JSON.parse(answer)]).toEqual([200, {}]);
  });

  test('that is too large is refused for that, before its type is looked at', async () => {
    expect((await post('x'.repeat(1_100_000), { 'content-type': 'text/plain' })).status).toBe(413);
  });

  test.each(['[]', '5', '"text"', 'null', ''])('%j has no arguments', async (body) => {
    expect((await post(body)).body).toEqual({});
  });

  test('of more than 1 MB is refused without being kept in memory', async () => {
    const before = process.memoryUsage.rss();
    const answer = await post(`"${'x'.repeat(10_000_000)}"`).catch(() => ({ status: 413 }));
    expect(answer.status).toBe(413);
    const stream = new ReadableStream({
      start(controller) {
        for (let part = 0; part < 40; part++) controller.enqueue(new Uint8Array(100_000).fill(0x20));
        controller.close();
      },
    });
    const chunked = await fetch(`${api.url}/rest/V1/documents`, {
      method: 'POST',
      body: stream,
      headers: { 'content-type': 'application/json' },
      duplex: 'half',
    } as RequestInit).catch(() => ({ status: 413 }));
    expect(chunked.status).toBe(413);
    expect(process.memoryUsage.rss() - before).toBeLessThan(100_000_000);
  });

  test('that says two lengths at once is refused', async () => {
    const { status } = await rawRequest(
      api.url,
      'POST /rest/V1/documents HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ' +
        '2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    );
    expect(status).toBe(400);
  });

  test('a prototype is a key like any other', async () => {
    expect((await post('{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}}}')).body).toEqual(
      {},
    );
    expect((await post('{"thing":{"id":1,"name":"x","__proto__":{"id":2}}}')).status).toBe(400);
    expect((await post('{"thing":{"id":1,"name":"x","constructor":1}}')).status).toBe(400);
    expect(Object.hasOwn(Object.prototype, 'isAdmin')).toBe(false);
  });

  test('of two keys with one name the last counts', async () => {
    expect((await post('{"thing":{"id":1,"id":2,"name":"x"}}')).body).toEqual({ thing: { id: 2, name: 'x' } });
  });

  test.each(['{"$gt":0}', '[1]', '1e309', '{}'])('an id of %s is refused', async (id) => {
    expect((await post(`{"thing":{"id":${id},"name":"x"}}`)).status).toBe(400);
  });

  test('a method of another name does not help', async () => {
    const headers = { 'x-http-method-override': 'DELETE', 'x-method-override': 'PUT' };
    expect((await post({}, headers)).status).toBe(200);
    expect(
      (await rawRequest(api.url, 'TRACE /rest/V1/documents HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')).status,
    ).toBe(405);
  });
});
