import { createServer, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Context } from 'koa';
import type { ApiParts } from '../../../api/http/api-parts.ts';
import type { AnyRoute } from '../../../api/http/route.ts';
import type { Within } from '../../../api/http/within.ts';
import { createHandle } from '../../../api/http/middleware/handle.ts';
import { PosError } from '../../../domain/errors.ts';
import { z } from 'zod';
import { answers } from '../../../api/http/middleware/answers.ts';
import type { Log } from '../../../providers/log.ts';
import { EventStream, JsonStream } from '../../../api/wire/json-stream.ts';
import { silent } from '../../support/fakes.ts';
import { waitUntil } from '../../support/wait-until.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** What the next request is answered with, once its connection is at hand. */
let answer: (response: ServerResponse) => Promise<JsonStream>;
let ended: () => void;

const warned: unknown[] = [];
const log = { ...silent, warn: (facts: unknown) => void warned.push(facts) } as unknown as Log;

const server = createServer((req, res) => {
  const state = { headers: new Map(), path: '/V1/pos/fixed-product-taxes', requestId: 'r' };
  const ctx = { req, res, state, get: () => '' } as unknown as Context;
  const next = async () => {
    Object.assign(ctx.state, { answer: await answer(res) });
  };
  void Promise.resolve(answers(log)(ctx, next)).finally(() => ended());
});

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => void server.close());

/** A request whose caller leaves when `leave` is called; done once the service has ended with it. */
async function brokenOff(respond: (res: ServerResponse, leave: () => Promise<void>) => Promise<JsonStream>) {
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  const isEnded = new Promise<void>((resolve) => (ended = resolve));
  answer = (res) =>
    respond(res, async () => {
      const closed = once(res, 'close');
      socket.destroy();
      await closed;
    });
  socket.write('GET /feed HTTP/1.1\r\nHost: a\r\n\r\n');
  socket.resume();
  await isEnded;
}

async function* pages(count: number, eachPage: (page: number) => Promise<void> | void): AsyncGenerator<string> {
  for (let page = 0; page < count; page++) {
    await eachPage(page);
    yield 'x'.repeat(100_000);
  }
}

beforeEach(() => {
  warned.length = 0;
});

describe('a caller that leaves before its feed is sent', () => {
  test.each([
    ['before the first page is read', 0],
    ['while the first page is read', 1],
    ['in the middle of the pages', 2],
  ])('%s: no further page is read, and none stays in memory', async (_when, leavesAt) => {
    const held: WeakRef<AsyncGenerator<string>>[] = [];
    let read = 0;
    for (let request = 0; request < 5; request++)
      await brokenOff(async (_res, leave) => {
        if (leavesAt === 0) await leave();
        const feed = pages(200, async (page) => {
          read++;
          if (page === leavesAt - 1) await leave();
        });
        held.push(new WeakRef(feed));
        return new JsonStream(feed);
      });
    // A page may be under way while the service notices.
    expect(read).toBeLessThanOrEqual(5 * (leavesAt + 1));
    // What is still under way holds its feed until it has ended.
    await waitUntil('no feed is in memory', async () => {
      collectGarbage();
      return held.every((feed) => feed.deref() === undefined);
    });
  });

  test('a caller that leaves before its events are sent gets none, and is no fault in the log', async () => {
    let read = 0;
    await brokenOff(async (_res, leave) => {
      await leave();
      return new EventStream(pages(1, () => void read++));
    });
    expect(read).toBe(0);
    expect(warned).toEqual([]);
  });

  test.each([
    ['GET', 499, 0],
    ['POST', undefined, 1],
  ] as const)('a %s of a caller that has left is carried out only if it writes', async (method, status, times) => {
    let carriedOut = 0;
    const handle = createHandle({ settings: { TRUSTED_PROXIES: '' }, orm: {} } as unknown as ApiParts)({
      ...{ method, path: '/V1/notes', response: z.unknown() },
      handle: () => Promise.resolve(void carriedOut++),
    } as unknown as AnyRoute);
    const state = { input: {}, query: {}, heard: {}, progress: { begin: () => undefined } };
    const ctx = { state, req: { headers: {} }, res: { closed: true } } as unknown as Context;
    const refused = await handle(ctx, {} as Within).then(
      () => undefined,
      (error: unknown) => (error instanceof PosError ? error.status : error),
    );
    expect({ refused, carriedOut }).toEqual({ refused: status, carriedOut: times });
  });
});
