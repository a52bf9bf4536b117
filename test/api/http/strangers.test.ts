import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { listen } from '../../../api/http/http-server.ts';
import { maxStrangersBytes } from '../../../api/http/middleware/body.ts';
import { route } from '../../../api/http/route.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { aCustomer } from '../../support/builders/wallet.ts';
import { aShop } from '../../support/builders/shop.ts';

const measure = (acl: 'anonymous' | 'self', path: `/V1/${string}`) =>
  route({
    method: 'POST',
    path,
    acl,
    summary: 'Measures a document',
    largestBody: 2_000_000,
    body: z.object({ document: z.string() }),
    response: z.number(),
    handle: async ({ body }) => body.document.length,
  });

let api: TestApi;
beforeAll(async () => {
  api = await testApi({ routes: [measure('anonymous', '/V1/documents'), measure('self', '/V1/documents/mine')] });
  await aShop(api.orm.em.fork());
});
afterAll(() => api.close());

const send = (path: string, letters: number, token?: string) =>
  api.call('POST', path, { body: { document: 'x'.repeat(letters) }, ...(token === undefined ? {} : { token }) });
const tooLarge = {
  status: 413,
  body: { message: 'The request body must not be larger than %1 bytes.', parameters: [maxStrangersBytes] },
};

test('who has no token of the shop sends 64 KB at most; whom the shop let in, as much as the route takes', async () => {
  const customer = await api.customerToken(await aCustomer(api.orm.em.fork()));
  for (const [path, token] of [
    ['/V1/documents', undefined],
    ['/V1/documents', 'nobody-has-this-token'],
    ['/V1/documents', customer],
    ['/V1/documents/mine', customer],
  ] as const) {
    expect(await send(path, maxStrangersBytes, token)).toMatchObject(tooLarge);
    expect(await send(path, maxStrangersBytes - 100, token)).toMatchObject({ status: 200 });
  }
  for (const token of [api.tokens.register, api.tokens.admin])
    expect(await send('/V1/documents', 1_500_000, token)).toMatchObject({ status: 200, body: 1_500_000 });
});

test('a caller beyond the most connections is turned away, and comes in when one has gone', async () => {
  const server = await listen((_request, response) => response.end('there'), { host: '127.0.0.1', port: 0 }, 2);
  const caller = () => {
    const socket = connect({ host: '127.0.0.1', port: server.port });
    socket.on('error', () => undefined);
    return socket;
  };
  const request = 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
  const said = (socket: ReturnType<typeof caller>) => {
    socket.write(request);
    return text(socket).catch(() => '');
  };
  const slow = [caller(), caller()];
  await Promise.all(slow.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
  expect(await said(caller())).toBe('');
  expect(await said(slow[0]!)).toMatch(/there$/);
  let answer = '';
  while (answer === '') answer = await said(caller());
  expect(answer).toMatch(/there$/);
  slow[1]!.destroy();
  await server.drain(50);
});
