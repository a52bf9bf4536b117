import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
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

  test('to where nobody listens says so', async () => {
    const gone = createServer();
    await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve));
    const { port } = gone.address() as AddressInfo;
    await new Promise((resolve) => gone.close(resolve));
    const sent = await createWebhookSender({ mayCallPrivate: true }).send(letter(`http://127.0.0.1:${port}/`));
    expect(sent).toMatchObject({ isTaken: false, failure: 'nobody listens there' });
  });
});
