import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { createWebhookSender, isPublic, urlFault } from '../../../providers/webhooks.ts';

/** What the receiver does with a call. */
let answer: (path: string) => { status: number; body?: string; headers?: Record<string, string> };
let server: Server;
let base: string;
const heard: { path: string; headers: Record<string, string>; body: string }[] = [];

beforeAll(async () => {
  server = createServer((request, response) => void hear(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

async function hear(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  heard.push({ path: request.url ?? '', headers, body });
  const given = answer(request.url ?? '');
  response.writeHead(given.status, given.headers).end(given.body);
}

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const letter = (url: string) => ({ url, id: 'evt_7', body: '{"type":"order.placed"}', secrets: [secret] });

describe('addresses', () => {
  test.each([
    ...['127.0.0.1', '10.1.2.3', '172.16.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '0.0.0.0', '224.0.0.1'],
    ...[
      '255.255.255.255',
      '192.0.2.1',
      '198.18.0.1',
      '240.0.0.1',
      '::1',
      '::',
      'fe80::1',
      'fc00::1',
      'fd12::1',
      'ff02::1',
    ],
    ...[
      '::ffff:10.0.0.1',
      '::ffff:7f00:1',
      '::a00:1',
      '64:ff9b::a00:1',
      '2002:a00:1::',
      '2001::1',
      '2001:db8::1',
      'fec0::1',
    ],
  ])('%s is none that the shop calls', (address) => {
    expect(isPublic(address)).toBe(false);
  });

  test.each(['168.63.129.16', '::ffff:168.63.129.16', '100.100.100.200', '2001:0:7f00:1::', '2002:7f00:1::1'])(
    '%s leads into the network or the host of a cloud, and is not called',
    (address) => {
      expect(isPublic(address)).toBe(false);
    },
  );

  test.each([
    'http://168.63.129.16/',
    'http://169.254.169.254/latest',
    'http://[fd00:ec2::254]/',
    'http://0xA83F8110/',
  ])('%s is refused where the own network may be called, too', (url) => {
    expect(urlFault(url, true)).toBe('its address is not a public one');
  });

  test.each(['8.8.8.8', '93.184.215.14', '2606:4700::1111'])('%s is public', (address) => {
    expect(isPublic(address)).toBe(true);
  });

  test.each([
    ['http://shop.example/hook', 'it must begin with https://'],
    ['https://127.0.0.1/hook', 'its address is not a public one'],
    ['https://2130706433/hook', 'its address is not a public one'],
    ['https://0x7f.1/hook', 'its address is not a public one'],
    ['https://[::1]/hook', 'its address is not a public one'],
    ['https://[::ffff:169.254.169.254]/hook', 'its address is not a public one'],
    ['https://user:word@shop.example/hook', 'it must have no user name and no password'],
    ['file:///etc/passwd', 'it must begin with https://'],
    ['hook', 'it is no address such as https://shop.example/hooks'],
    ['https://shop.example/hook', undefined],
  ])('%s: %s', (url, fault) => {
    expect(urlFault(url, false)).toBe(fault);
  });

  test('a name that leads into the own network is refused when it is called, and nothing is sent', async () => {
    const before = heard.length;
    const { port } = new URL(base);
    const sent = await createWebhookSender({ mayCallPrivate: false }).send(letter(`https://localhost:${port}/`));
    expect(sent).toMatchObject({ isTaken: false, status: null, failure: 'its address is not a public one' });
    expect(heard).toHaveLength(before);
  });
});

describe('a call', () => {
  const send = (path: string, timeoutMs = 2_000) =>
    createWebhookSender({ mayCallPrivate: true, timeoutMs }).send(letter(`${base}${path}`));

  test('carries a signature that the standard’s own library accepts', async () => {
    answer = () => ({ status: 200, body: 'thanks' });
    expect(await send('/signed')).toMatchObject({ isTaken: true, status: 200, failure: null, answer: 'thanks' });
    const { headers, body } = heard.at(-1)!;
    expect(new Webhook(secret).verify(body, headers)).toEqual({ type: 'order.placed' });
    expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow('No matching signature');
  });

  test('follows no redirect', async () => {
    answer = (path) =>
      path === '/moved' ? { status: 307, headers: { location: `${base}/elsewhere` } } : { status: 200 };
    expect(await send('/moved')).toMatchObject({ isTaken: false, status: 307 });
    expect(heard.at(-1)?.path).toBe('/moved');
  });

  test('keeps the first kilobyte of a long answer, without what no table can hold', async () => {
    answer = () => ({ status: 500, body: `\0${'x'.repeat(5_000)}` });
    const { answer: kept, status } = await send('/long');
    expect(status).toBe(500);
    expect(kept).toBe('x'.repeat(1_023));
  });

  test('ends by its time, whatever the receiver does', async () => {
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
    const sent = await createWebhookSender({ mayCallPrivate: true, timeoutMs: 50 }).send(letter(url));
    silent.closeAllConnections();
    await new Promise((resolve) => silent.close(resolve));
    expect(sent).toMatchObject({ isTaken: false, status: null, failure: 'no whole answer in time' });
  });

  /** A server that writes these bytes once a request came, and may end the connection. */
  async function raw<Result>(
    answered: (socket: Socket) => void,
    work: (url: string) => Promise<Result>,
  ): Promise<Result> {
    const sockets = new Set<Socket>();
    const tcp = createTcpServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined).once('data', () => answered(socket));
    });
    await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve));
    try {
      return await work(`http://127.0.0.1:${(tcp.address() as AddressInfo).port}/`);
    } finally {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => tcp.close(resolve));
    }
  }
  const sendTo = (url: string, timeoutMs = 1_000) =>
    createWebhookSender({ mayCallPrivate: true, timeoutMs }).send(letter(url));

  test.each<[string, (socket: Socket) => void, object]>([
    [
      'a change of the protocol',
      (socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
      { isTaken: false, status: 101, failure: 'it changed the protocol, which is not followed' },
    ],
    ['a close without an answer', (socket) => socket.end(), { isTaken: false, status: null }],
    ['a reset', (socket) => socket.resetAndDestroy(), { isTaken: false, status: null }],
    ['half a status line', (socket) => socket.end('HTTP/1.1 2'), { isTaken: false, status: null }],
    ['no HTTP', (socket) => socket.end('hello\r\n\r\n'), { isTaken: false, status: null }],
    ['headers without end', (socket) => socket.write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}`), { status: null }],
    ['100 and nothing more', (socket) => socket.write('HTTP/1.1 100 Continue\r\n\r\n'), { status: null }],
    [
      'a body that breaks off',
      (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nthan'),
      { isTaken: true, status: 200, answer: 'than' },
    ],
    [
      'a body that never ends',
      (socket) => socket.write('HTTP/1.1 202 Accepted\r\nContent-Length: 9\r\n\r\nthan'),
      { isTaken: true, status: 202, answer: 'than' },
    ],
  ])('%s ends the call, within its time, with what is known', async (_what, answered, result) => {
    const began = performance.now();
    expect(await raw(answered, (url) => sendTo(url, 300))).toMatchObject(result);
    expect(performance.now() - began).toBeLessThan(2_000);
  });

  test.each([
    ['40', 40],
    [new Date(Date.now() + 60_000).toUTCString(), expect.any(Number)],
    ['Thu, 01 Jan 2026 00:00:00 GMT', 0],
    ['soon', undefined],
    ['-5', undefined],
  ])('a Retry-After of %s is read', async (header, seconds) => {
    answer = () => ({ status: 429, headers: { 'retry-after': header } });
    expect((await send('/busy')).retryAfterSeconds).toEqual(seconds);
  });

  test('an event that is taken asks for no pause', async () => {
    answer = () => ({ status: 200, headers: { 'retry-after': '40' } });
    expect(await send('/well')).not.toHaveProperty('retryAfterSeconds');
  });

  test('every address of a name is tried, and a name with one that may not be called is refused whole', async () => {
    answer = () => ({ status: 200 });
    const { port } = new URL(base);
    const found = (...addresses: string[]) =>
      createWebhookSender({
        ...{ mayCallPrivate: true, timeoutMs: 2_000 },
        lookUp: async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      }).send(letter(`http://two.example:${port}/two`));
    expect(await found('127.0.0.9', '::1', '127.0.0.1')).toMatchObject({ isTaken: true, status: 200 });
    expect(heard.at(-1)?.headers['host']).toBe(`two.example:${port}`);
    expect(await found('127.0.0.8', '127.0.0.9')).toMatchObject({ isTaken: false, failure: 'nobody listens there' });
    const before = heard.length;
    expect(await found('127.0.0.1', '168.63.129.16')).toMatchObject({ failure: 'its address is not a public one' });
    expect(await found()).toMatchObject({ failure: 'its name has no address' });
    expect(heard).toHaveLength(before);
  });

  test('an address that takes the event is the last one that is called, whatever it answers', async () => {
    answer = () => ({ status: 500 });
    const { port } = new URL(base);
    const before = heard.length;
    const sender = createWebhookSender({
      ...{ mayCallPrivate: true, timeoutMs: 2_000 },
      lookUp: async () => [
        { address: '127.0.0.1', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ],
    });
    expect(await sender.send(letter(`http://two.example:${port}/once`))).toMatchObject({ status: 500 });
    expect(heard).toHaveLength(before + 1);
  });

  test('to where nobody listens says so', async () => {
    const gone = createServer();
    await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve));
    const { port } = gone.address() as AddressInfo;
    await new Promise((resolve) => gone.close(resolve));
    const sent = await createWebhookSender({ mayCallPrivate: true }).send(letter(`http://127.0.0.1:${port}/`));
    expect(sent).toMatchObject({ isTaken: false, failure: 'nobody listens there' });
  });
});
