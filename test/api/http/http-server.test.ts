import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { listen } from '../../../api/http/http-server.ts';

const at = { host: '127.0.0.1', port: 0 };

test('a drain lets what runs finish and takes nothing new', async () => {
  const arrived = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<void>();
  const server = await listen((_request, response) => {
    arrived.resolve();
    void finish.promise.then(() => response.end('done'));
  }, at);
  const url = `http://127.0.0.1:${server.port}`;
  const running = fetch(url).then((answer) => answer.text());
  await arrived.promise;

  const drained = server.drain(10_000);
  await expect(fetch(url)).rejects.toThrow();
  finish.resolve();

  expect(await running).toBe('done');
  await drained;
});

test('what does not finish in time is cut off', async () => {
  const arrived = Promise.withResolvers<void>();
  const server = await listen(() => arrived.resolve(), at);
  const running = fetch(`http://127.0.0.1:${server.port}`);
  const refused = expect(running).rejects.toThrow();
  await arrived.promise;

  await server.drain(50);
  await refused;
});

const whole = 'GET /receipt/x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n';
test.each([
  [400, 'no HTTP at all', 'NONSENSE\r\n\r\n'],
  [400, 'no host', 'GET /receipt/x HTTP/1.1\r\n\r\n'],
  [400, 'two hosts', `${whole}hOST: b\r\n\r\n`],
  [400, 'two hosts of HTTP 1.0', 'GET /receipt/x HTTP/1.0\r\nHost: a\r\nHost: a\r\n\r\n'],
  [400, 'two lengths', `${whole}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`],
  [431, 'a long header', `${whole}X-Long: ${'x'.repeat(20_000)}\r\n\r\n`],
  [431, 'a long address', `GET /receipt/${'x'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`],
  [200, 'an unknown expectation', `${whole}Expect: tea\r\n\r\n`],
])('%i for %s, and no address is passed on', async (status, _what, request) => {
  const server = await listen(
    (_request, response) => response.setHeader('Referrer-Policy', 'no-referrer').end('there'),
    at,
  );
  const socket = connect({ host: at.host, port: server.port, allowHalfOpen: true });
  socket.write(request);
  const answer = await text(socket);
  socket.destroy();
  await server.drain(50);

  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} [A-Z]`));
  expect(answer.match(/^Referrer-Policy: no-referrer\r$/gm)).toHaveLength(1);
  if (status === 200) return;
  expect(answer).toContain('Content-Type: application/json; charset=utf-8\r\n');
  expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toEqual({ message: expect.stringMatching(/^[A-Z].*\.$/) });
});

test.each([
  ['one request', 1],
  ['the second of two requests', 2],
])(
  'garbage behind an answer that is under way, behind %s, breaks it off, and is no second answer',
  async (_what, count) => {
    const begun = Promise.withResolvers<void>();
    let arrived = 0;
    const server = await listen((_request, response) => {
      if (++arrived === 1) response.write('half of it');
      if (arrived === count) begun.resolve();
    }, at);
    const socket = connect({ host: at.host, port: server.port });
    socket.on('error', () => undefined);
    const said: Buffer[] = [];
    socket.on('data', (bytes) => said.push(bytes));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(count));
    await begun.promise;
    socket.write('\u0001 nonsense\r\n\r\n');
    await closed;
    await server.drain(50);

    expect(
      Buffer.concat(said)
        .toString()
        .match(/HTTP\/1\.1/g) ?? [],
    ).toHaveLength(1);
  },
);
