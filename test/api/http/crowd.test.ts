import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { CrowdNotes } from '../../../api/http/connection-limit.ts';
import { listen, type HttpServer, type Limits } from '../../../api/http/http-server.ts';
import { useApi } from '../../support/fixtures.ts';
import { waitUntil } from '../../support/wait-until.ts';

/** What one address may take of a process: connections, requests behind a proxy, and the memory for bodies. */

describe('connections of one address', () => {
  let server: HttpServer;
  const told: string[] = [];
  const notes: CrowdNotes = {
    refused: (by) => void told.push(`refused by ${by}`),
    gaveWay: () => void told.push('gave way'),
  };
  /** `/slow` is answered once it is let go; everything else immediately. */
  const open = async (limits: Limits) => {
    told.length = 0;
    const held: (() => void)[] = [];
    const at = { host: '127.0.0.1', port: 0 };
    server = await listen(
      ({ url }, response) => {
        if (url === '/slow') held.push(() => response.end('slow'));
        else response.end('there');
      },
      at,
      { notes, ...limits },
    );
    return held;
  };
  const sockets: Socket[] = [];
  const caller = async () => {
    const socket = connect({ host: '127.0.0.1', port: server.port });
    socket.on('error', () => undefined);
    sockets.push(socket);
    await new Promise((resolve) => socket.once('connect', resolve));
    return socket;
  };
  const ask = (socket: Socket, path = '/') => {
    socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    return text(socket).catch(() => '');
  };
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await server.drain(50);
  });

  test('an idle one gives way to a new one, the oldest first, so that thousands of them shut nobody out', async () => {
    await open({ perAddress: 3 });
    const idle = [await caller(), await caller(), await caller()];
    const closed = new Promise((resolve) => idle[0]!.once('close', resolve));
    expect(await ask(await caller())).toMatch(/there$/);
    await closed;
    expect(told[0]).toBe('gave way');
    for (let time = 0; time < 50; time++) await caller();
    expect(await ask(await caller())).toMatch(/there$/);
  });

  test('where all are at work, one more is answered with 503 and Retry-After, and a place that is free is used', async () => {
    const held = await open({ perAddress: 2 });
    const slow = [ask(await caller(), '/slow'), ask(await caller(), '/slow')];
    await waitUntil('both are at work', async () => held.length === 2);
    const refused = await ask(await caller());
    expect(refused).toMatch(/^HTTP\/1\.1 503 [^]*Retry-After: 1\r\n[^]*"message":"Service Unavailable\."/);
    expect(told).toEqual(['refused by address']);
    held[0]!();
    expect(await slow[0]).toMatch(/slow$/);
    await waitUntil('a place is free', async () => /there$/.test(await ask(await caller())));
    held[1]!();
  });

  test('0 switches the limit of an address off, and the limit of the process stays', async () => {
    const held = await open({ perAddress: 0, most: 4 });
    for (let time = 0; time < 4; time++) void ask(await caller(), '/slow');
    await waitUntil('all are at work', async () => held.length === 4);
    expect(await ask(await caller())).toMatch(/^HTTP\/1\.1 503/);
    expect(told).toEqual(['refused by process']);
  });

  test('those of our own proxy are not limited: they carry many clients', async () => {
    const held = await open({ perAddress: 2, isProxy: () => true });
    for (let time = 0; time < 5; time++) void ask(await caller(), '/slow');
    await waitUntil('all are at work', async () => held.length === 5);
    expect(told).toEqual([]);
  });
});

describe('behind a proxy', () => {
  const lines: string[] = [];
  const api = useApi({
    settings: { TRUSTED_PROXIES: '127.0.0.1', MAX_CONNECTIONS_PER_ADDRESS: '3' },
    readLog: (line) => lines.push(line),
    // Feeds that were given up still look when the API is closed.
    expectsFaults: true,
  });
  const feed = (address: string, stop: AbortController) =>
    fetch(`${api.url}/rest/V1/pos/events?wait=5`, {
      headers: { authorization: `Bearer ${api.tokens.register}`, 'x-forwarded-for': address },
      signal: stop.signal,
    });

  test('requests at once of one forwarded address are limited, and those of another are not', async () => {
    const stop = new AbortController();
    const waiting = Array.from({ length: 3 }, () => feed('198.51.100.1', stop).catch(() => undefined));
    await waitUntil('one more is refused', async () => {
      const answer = await fetch(`${api.url}/health/live`, { headers: { 'x-forwarded-for': '198.51.100.1' } });
      return answer.status === 503 && answer.headers.get('retry-after') !== null;
    });
    const other = await fetch(`${api.url}/health/live`, { headers: { 'x-forwarded-for': '198.51.100.2' } });
    expect(other.status).toBe(200);
    stop.abort();
    await Promise.all(waiting);
    await waitUntil('its places are free', async () => {
      const answer = await fetch(`${api.url}/health/live`, { headers: { 'x-forwarded-for': '198.51.100.1' } });
      return answer.status === 200;
    });
    const told = lines.filter((line) => line.includes('too many connections or requests at once'));
    expect(new Set(told.map((line) => (JSON.parse(line) as { address: string }).address))).toEqual(
      new Set(['198.51.100.1']),
    );
  });
});

describe('bodies', () => {
  const api = useApi({ settings: { MAX_BODY_BYTES_IN_FLIGHT: '33554432' } });

  /** A body that announces its length, or comes in chunks, and is not finished before it is let go. */
  const slowBody = (bytes: number, isChunked: boolean) => {
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(api.url).port) });
    socket.on('error', () => undefined).resume();
    const length = isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${bytes}`;
    socket.write(
      `POST /rest/async/bulk/V1/products HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${length}\r\n` +
        `Authorization: Bearer ${api.tokens.admin}\r\n\r\n`,
    );
    if (isChunked) socket.write(`${bytes.toString(16)}\r\n${' '.repeat(bytes)}\r\n`);
    else socket.write(' '.repeat(bytes - 10));
    return socket;
  };
  const small = () =>
    api.call('POST', '/V1/pos/staff/session/validate', {
      token: api.tokens.register,
      body: { token: 'x'.repeat(900) },
    });

  test.each([
    ['that announce their length', false],
    ['in chunks', true],
  ])('%s take memory up to the limit; one more is 503, and none is once they are gone', async (_kind, isChunked) => {
    const size = 16_777_200;
    const slow = [slowBody(size, isChunked), slowBody(size, isChunked)];
    await waitUntil('the memory is taken', async () => {
      // A look may hold the room of the last chunk at that moment: such a body is refused, and is sent again.
      for (const [at, socket] of slow.entries()) if (socket.bytesRead > 0) slow[at] = slowBody(size, isChunked);
      return (await small()).status === 503;
    });
    expect((await small()).body).toMatchObject({ message: expect.stringContaining('bodies of other requests') });
    for (const socket of slow) socket.destroy();
    await waitUntil('the memory is free', async () => (await small()).status === 401);
  });
});
