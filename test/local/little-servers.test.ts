import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { startLittleServer } from '../../local/little-server.ts';
import { startMailCatcher } from '../../local/mail-catcher.ts';
import {
  startCreditSimulator,
  startGatewaySimulator,
  startLicenseSimulator,
  startReturnsSimulator,
  startSimulators,
  startWebhookCatcher,
} from '../../local/simulators/app.ts';
import { rawRequest } from '../support/raw-request.ts';

// Faults are told on standard error.
jest.spyOn(console, 'error').mockImplementation(() => undefined);

/** Everything that listens on one machine beside the shop. */
const starts = {
  'the mail catcher': () => startMailCatcher({ smtpPort: 0, webPort: 0 }),
  'the gateway simulator': () => startGatewaySimulator({ port: 0 }),
  'the license simulator': () => startLicenseSimulator(),
  'the returns simulator': () => startReturnsSimulator(),
  'the credit simulator': () => startCreditSimulator(),
  'the webhook catcher': () => startWebhookCatcher(),
  'a little server': () =>
    startLittleServer({
      port: 0,
      serve: (request, response, path) => {
        if (path === '/faulty') throw new Error('As it is tested.');
        response.end(request.method);
      },
    }),
};

const oddTargets = [
  '//',
  '/\\',
  '/\\\\evil',
  'http://[',
  'http://[/',
  '*',
  '/%',
  '/%zz',
  '/?%',
  '/#',
  'evil:80',
  'x',
  '//@',
];
const head = (method: string, target: string, host: string) =>
  `${method} ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n`;

describe.each(Object.entries(starts))('%s', (name, start) => {
  let server: Awaited<ReturnType<typeof start>>;
  let host: string;
  beforeAll(async () => {
    server = await start();
    ({ host } = new URL(server.url));
  });
  afterAll(() => server.stop());

  const answers = async () =>
    expect((await rawRequest(server.url, `${head('GET', '/nowhere', host)}\r\n`)).status).toBeGreaterThan(0);

  test.each(oddTargets)('outlives a request for %s', async (target) => {
    for (const method of ['GET', 'POST', 'OPTIONS', 'HEAD']) {
      const { status } = await rawRequest(server.url, `${head(method, target, host)}Content-Length: 0\r\n\r\n`);
      expect(status).toBeLessThan(500);
    }
    await answers();
  });

  test('survives bytes that are not a request', async () => {
    await rawRequest(server.url, `${head('CONNECT', 'evil:80', host)}\r\n`);
    await rawRequest(server.url, 'GET\r\n\r\n');
    await rawRequest(
      server.url,
      `${head('GET', '/', host)}Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n`.replace('Connection: close\r\n', ''),
    );
    await answers();
  });

  test('outlives a sender that hangs up in the middle of its body', async () => {
    await hangUp(server.url, `${head('POST', '/v1/returns', host)}Content-Length: 100\r\n\r\n{"half":`);
    await answers();
  });

  test('refuses a caller who uses the name of another server', async () => {
    for (const stranger of [
      'evil.example',
      'evil.example:80',
      '127.0.0.1.evil.example',
      'localhost.evil.example',
      '',
      '[::1',
      '10.0.0.1',
    ])
      expect([stranger, (await rawRequest(server.url, `${head('GET', '/', stranger)}\r\n`)).status]).toEqual([
        stranger,
        403,
      ]);
    const { port } = new URL(server.url);
    for (const own of [host, 'localhost', `LOCALHOST:${port}`, `[::1]:${port}`])
      expect((await rawRequest(server.url, `${head('GET', '/', own)}\r\n`)).status).not.toBe(403);
  });

  test.each(['POST', 'PUT', 'DELETE', 'PATCH'])('takes no %s that another site sends', async (method) => {
    const sent = async (more: string) =>
      (await rawRequest(server.url, `${head(method, '/api/messages', host)}${more}Content-Length: 0\r\n\r\n`)).status;
    expect(await sent('Origin: http://evil.example\r\n')).toBe(403);
    expect(await sent('Origin: null\r\n')).toBe(403);
    expect(await sent('Sec-Fetch-Site: cross-site\r\n')).toBe(403);
    expect(await sent(`Origin: http://${host}\r\n`)).not.toBe(403);
    expect(await sent('')).not.toBe(403);
  });

  test('says of every answer that nothing in it may be guessed at, framed, or run', async () => {
    for (const path of ['/', '/nowhere', '//', '/control', '/faulty', '/api/messages']) {
      const answer = await fetch(new URL(server.url).origin + path);
      await answer.text();
      expect([name, path, answer.headers.get('x-content-type-options')]).toEqual([name, path, 'nosniff']);
      expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
      if (path === '/nowhere' && name !== 'a little server')
        expect(answer.headers.get('content-type')).toMatch(/json|plain/);
    }
  });
});

test('a page runs its own script and no other', async () => {
  for (const start of [starts['the mail catcher'], starts['the gateway simulator']]) {
    const server = await start();
    const answer = await fetch(server.url);
    expect(answer.headers.get('content-security-policy')).toMatch(/script-src 'sha256-[^' ]+';/);
    expect((await answer.text()).match(/<script>/g)).toHaveLength(1);
    await server.stop();
  }
});

test('everything outside a shop is behind one address, each service below a path of its own', async () => {
  const simulators = await startSimulators();
  simulators.credit.balances.set('CARD', 10_000);
  // As `curl -d` sends it: called a form, and read as JSON all the same.
  const post = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await fetch(simulators.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    return answer.status === 204 ? null : answer.json();
  };

  expect(await post('/credit/v1/cards/find', { code: 'CARD' })).toMatchObject({ card: { balance: '1.0000' } });
  expect(await post('/returns/v1/options', {})).toHaveProperty('reasons');
  expect(await post('/license/control', { mood: 'babbles' })).toMatchObject({ mood: 'babbles' });
  expect(await post('/webhooks/till', { type: 'sale.placed' })).toBeNull();
  expect(await (await fetch(`${simulators.url}/webhooks/deliveries`)).json()).toMatchObject([
    { path: '/till', type: 'sale.placed', body: { type: 'sale.placed' } },
  ]);
  expect(await (await fetch(`${simulators.url}/cents`)).json()).toHaveProperty('length');
  expect([simulators.license.mood, simulators.credit.asked]).toEqual(['babbles', ['/v1/cards/find']]);
  await simulators.stop();
});

test('a fault is answered, and is not the end', async () => {
  const server = await starts['a little server']();
  expect((await fetch(`${server.url}/faulty`)).status).toBe(500);
  expect(await (await fetch(server.url)).text()).toBe('GET');
  await server.stop();
});

test('a server that others call by a name of theirs answers to it', async () => {
  const server = await startLittleServer({
    port: 0,
    names: ['gateway-simulator'],
    serve: (_, response) => response.end(),
  });
  expect((await rawRequest(server.url, `${head('GET', '/', 'gateway-simulator:8090')}\r\n`)).status).toBe(200);
  await server.stop();
});

function hangUp(url: string, bytes: string): Promise<void> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes, () => socket.destroy()));
    socket.once('close', () => resolve());
  });
}
