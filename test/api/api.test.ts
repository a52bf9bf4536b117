import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { route } from '../../api/http/route.ts';
import { routes } from '../../api/routes.ts';
import { createOrm } from '../../db/orm.ts';
import { createIntegrationToken } from '../../db/platform/access/create-signed-integration.ts';
import { Website } from '../../db/platform/stores/store.entity.ts';
import { PosError } from '../../domain/errors.ts';
import { freePort } from '../../local/free-port.ts';
import { testApi } from '../support/api.ts';
import { bareEnvironment } from '../support/bare-environment.ts';
import { booksOf } from '../support/books.ts';
import { waiting } from '../support/books/held.ts';
import { secretKey } from '../support/builders/counter.ts';
import { aShop } from '../support/builders/shop.ts';
import { testDatabaseUrl } from '../support/database.ts';
import { waitUntil } from '../support/wait-until.ts';

describe('app', () => {
  test('every line that is logged while a request is answered names the request', async () => {
    const lines: string[] = [];
    let noteLogged: (() => void) | undefined;
    const logged = new Promise<void>((resolve) => (noteLogged = resolve));
    const api = await testApi({
      readLog: (line) => lines.push(line),
      routes: [
        route({
          method: 'GET',
          path: '/V1/layaways-like',
          acl: 'anonymous',
          summary: 'Logs on the way, and after the answer',
          response: z.boolean(),
          handle: async ({ em, log }) => {
            await em.count(Website);
            log.warn({ orderId: 7 }, 'a layaway is not followed yet');
            setImmediate(() => {
              log.warn({ orderId: 7 }, 'its workflow did not hear of it');
              noteLogged?.();
            });
            return true;
          },
        }),
      ],
    });
    await api.call('GET', '/V1/layaways-like', { headers: { 'X-Request-Id': 'till-7-4711' } });
    await logged;
    await api.close();

    const warned = lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 40);
    expect(warned).toMatchObject([
      { requestId: 'till-7-4711', orderId: 7, msg: 'a layaway is not followed yet' },
      { requestId: 'till-7-4711', orderId: 7, msg: 'its workflow did not hear of it' },
    ]);
  });

  test('a refusal of what was asked is one line of the log without a stack; a fault behind a refusal has its stack', async () => {
    const lines: string[] = [];
    const away = route({
      method: 'GET',
      path: '/V1/away',
      acl: 'anonymous',
      summary: 'Refuses, because something else failed',
      response: z.boolean(),
      outcomes: [{ status: 503, message: 'Ask again.', when: 'Something else failed.' }],
      handle: () => Promise.reject(new PosError({ status: 503, message: 'Ask again.' }, { cause: new Error('cut') })),
    });
    const api = await testApi({ readLog: (line) => lines.push(line), routes: [...routes, away] });
    await aShop(api.orm.em.fork());
    const refused = async (email: string) => {
      const customer = { email, firstname: 'Ada', lastname: 'Lovelace' };
      return (await api.call('POST', '/V1/customers', { token: api.tokens.admin, body: { customer } })).status;
    };
    lines.length = 0;
    expect([await refused('ada@shop.test'), await refused('ada@shop.test')]).toEqual([200, 400]);
    const [line, ...others] = lines.map((one) => JSON.parse(one)).filter(({ msg }) => msg === 'a request was refused');
    expect(line).toMatchObject({ level: 30, status: 400, msg: 'a request was refused' });
    expect(others).toEqual([]);
    expect(lines.join()).not.toMatch(/stack|ada@shop/);

    expect((await api.call('GET', '/V1/away')).status).toBe(503);
    const fault = lines.map((one) => JSON.parse(one)).find(({ level }) => level === 40);
    expect(fault).toMatchObject({ level: 40, error: { message: 'cut', stack: expect.stringContaining('api.test') } });
    await api.close();
  });

  test.each([
    ['the link of a confirmation mail', '/newsletter/confirm/', `7/${'a1'.repeat(32)}`],
    ['the page of a receipt', '/receipt/', 'b2'.repeat(32)],
  ])('no line of the log shows %s', async (_what, prefix, secret) => {
    const lines: string[] = [];
    const api = await testApi({
      readLog: (line) => lines.push(line),
      settings: { POS_SECRET_KEY: secretKey },
      routes: [],
    });
    for (const method of ['GET', 'POST', 'PUT']) await api.call(method, prefix + secret);
    await api.close();

    expect(lines.map((line) => JSON.parse(line).path)).toContain(prefix);
    expect(lines.join()).not.toContain(secret);
  });
});

describe('main', () => {
  const started: ChildProcess[] = [];
  afterEach(() => {
    for (const child of started.splice(0)) child.kill('SIGKILL');
  });

  interface Api {
    child: ChildProcess;
    url: string;
    said: () => string;
  }

  /** The process as `npm run api` starts it, with Temporal nowhere to be found. */
  async function startApi(settings: Record<string, string>): Promise<Api> {
    const child = fork('api/main.ts', {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      execArgv: [],
      env: { ...bareEnvironment(), PORT: '0', TEMPORAL_ADDRESS: `127.0.0.1:${await freePort()}`, ...settings },
    });
    started.push(child);
    let said = '';
    const port = await new Promise<number>((resolve, reject) => {
      const listen = (chunk: Buffer) => {
        said += String(chunk);
        const line = said.split('\n').find((one) => one.includes('"api ready"'));
        if (line) resolve((JSON.parse(line) as { port: number }).port);
      };
      child.stdout?.on('data', listen);
      child.stderr?.on('data', listen);
      child.once('exit', () => reject(new Error(said)));
    });
    return { child, url: `http://127.0.0.1:${port}`, said: () => said };
  }

  const exitCode = async (child: ChildProcess): Promise<unknown> => (await once(child, 'exit'))[0];

  test('without Temporal it sells on and says what is away, with a line of the log', async () => {
    const DATABASE_URL = await testDatabaseUrl();
    const orm = await createOrm(DATABASE_URL);
    const { token } = await createIntegrationToken(orm.em.fork(), {
      name: 'till',
      resources: ['Platform_Backend::all'],
    });
    await orm.close();
    const { child, url, said } = await startApi({ DATABASE_URL, POS_SECRET_KEY: secretKey });

    expect((await fetch(`${url}/health/live`)).status).toBe(200);
    const ready = await fetch(`${url}/health/ready`);
    expect([ready.status, await ready.json()]).toMatchObject([
      200,
      {
        status: 'degraded',
        parts: { database: { state: 'ok' }, schema: { state: 'ok' }, keys: { state: 'ok' } },
        missing: ['Temporal does not answer'],
      },
    ]);
    expect(said()).toMatch(/"part":"temporal".*"a part of the service is missing"/);
    const read = await fetch(`${url}/rest/V1/store/websites`, { headers: { authorization: `Bearer ${token}` } });
    expect(read.status).toBe(200);

    const ended = exitCode(child);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  });

  const websitesOf = async (DATABASE_URL: string) => {
    const orm = await createOrm(DATABASE_URL);
    const { token } = await createIntegrationToken(orm.em.fork(), {
      name: 'till',
      resources: ['Platform_Backend::all'],
    });
    return {
      orm,
      ask: (url: string) => fetch(`${url}/rest/V1/store/websites`, { headers: { authorization: `Bearer ${token}` } }),
    };
  };

  test('told to end it says so at once and still sells, until its time is up; told again it ends', async () => {
    const DATABASE_URL = await testDatabaseUrl();
    const { orm, ask } = await websitesOf(DATABASE_URL);
    await orm.close();
    const { child, url } = await startApi({ DATABASE_URL, DRAIN_DELAY_SECONDS: '300' });
    const readiness = async (): Promise<{ status: string }> => (await fetch(`${url}/health/ready`)).json();
    expect(await readiness()).toMatchObject({ status: 'degraded' });

    child.kill('SIGTERM');
    await waitUntil('it says that it drains', async () => (await readiness()).status === 'draining');
    const sold = await ask(url);
    expect([sold.status, sold.headers.get('connection')]).toEqual([200, 'close']);

    const ended = exitCode(child);
    await waitUntil('it ends', async () => child.exitCode !== null || !child.kill('SIGTERM'));
    expect(await ended).toBe(143);
  });

  test('a request that runs when it is told to end is answered, and nothing new is taken', async () => {
    const DATABASE_URL = await testDatabaseUrl();
    const { orm, ask } = await websitesOf(DATABASE_URL);
    const { child, url } = await startApi({ DATABASE_URL, DATABASE_LOCK_SECONDS: '60' });
    const ended = exitCode(child);
    const em = orm.em.fork();
    await em.begin();
    await em.execute('lock table website in access exclusive mode');
    const running = ask(url);
    await waitUntil('the request waits', async () => (await waiting(booksOf(() => orm))) > 0);

    child.kill('SIGTERM');
    const isRefused = () =>
      fetch(`${url}/health/live`).then(
        () => false,
        () => true,
      );
    await waitUntil('the port is closed', isRefused);
    await em.commit();
    await orm.close();

    const answer = await running;
    expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
    expect(await ended).toBe(0);
  });

  test('it ends when its parent process is gone', async () => {
    const { child } = await startApi({ DATABASE_URL: await testDatabaseUrl() });
    const ended = exitCode(child);
    child.disconnect();
    expect(await ended).toBe(0);
  });

  test('a port that is taken is reported in one sentence', async () => {
    const { url } = await startApi({ DATABASE_URL: await testDatabaseUrl() });
    const PORT = new URL(url).port;
    await expect(startApi({ DATABASE_URL: await testDatabaseUrl(), PORT })).rejects.toThrow(
      new RegExp(
        `^[^\\n]*${PORT}; stop what listens there, or set PORT to another one \\(0 takes a free one\\)\\.\\n$`,
      ),
    );
  });

  test('an invalid proxy address is reported in one sentence', async () => {
    await expect(startApi({ DATABASE_URL: await testDatabaseUrl(), TRUSTED_PROXIES: 'foo' })).rejects.toThrow(
      /^TRUSTED_PROXIES names "foo", but only addresses and subnets are allowed\.\n$/,
    );
  });
});
