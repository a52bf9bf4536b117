import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { createOrm } from '../../../db/orm.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { booksOf } from '../../support/books.ts';
import { hold } from '../../support/books/held.ts';
import { anOrder } from '../../support/builders/order.ts';
import { aShop } from '../../support/builders/shop.ts';
import { impatient, testDatabaseUrl } from '../../support/database.ts';
import { atOnce } from '../../support/rivals.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { aWireTo, type Wire } from '../../support/wire.ts';

let wire: Wire;
let api: TestApi;
let beside: MikroORM;
let orderId: number;
beforeAll(async () => {
  const url = await testDatabaseUrl();
  wire = await aWireTo(url);
  api = await testApi({ limits: impatient, databaseUrl: wire.url });
  beside = await createOrm(url);
  await aShop(fork());
  orderId = (await anOrder(fork())).orderId;
});
afterAll(async () => {
  await api.close();
  await wire.stop();
  await beside.close();
});
afterEach(() => {
  wire.passes = () => true;
  wire.thaw();
});

const { fork, howMany } = booksOf(() => beside);

const ask = (method: string, path: string, body?: unknown) =>
  api.call(method, path, { token: api.tokens.admin, ...(body === undefined ? {} : { body }) });
const read = () => ask('GET', `/V1/orders/${orderId}`);
const comment = (words: string) => ask('POST', `/V1/orders/${orderId}/comments`, { statusHistory: { comment: words } });
const isThere = async (words: string) => (await howMany('sales_order_status_history', { comment: words })) > 0;

async function timed<Result>(work: Promise<Result>): Promise<{ result: Result; seconds: number }> {
  const began = performance.now();
  return { result: await work, seconds: (performance.now() - began) / 1000 };
}

test('a frozen database is 503 within seconds for all requests, and all works when it continues', async () => {
  expect((await read()).status).toBe(200);
  wire.freeze();

  const { result, seconds } = await timed(
    Promise.all([...Array.from({ length: 30 }, read), ...Array.from({ length: 10 }, () => comment('frozen'))]),
  );

  expect(new Set(result.map(({ status }) => status))).toEqual(new Set([503]));
  expect(new Set(result.map(({ headers }) => headers.get('retry-after')))).toEqual(new Set(['5']));
  expect(seconds).toBeLessThan(10);
  expect((await ask('GET', '/health/ready')).status).toBe(503);
  wire.thaw();
  // None of the broken connections was kept.
  expect((await atOnce(20, read)).map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
  expect(await isThere('frozen')).toBe(false);
  expect(api.faults).toEqual([]);
});

test('a connection that is lost before the commit is a plain 503, and nothing was written', async () => {
  wire.passes = (sent) => {
    if (sent.includes('insert into "sales_order_status_history"')) wire.cut();
    return true;
  };

  expect(await comment('lost early')).toMatchObject({
    status: 503,
    body: { message: 'The database cannot be reached. Try again later.' },
  });
  expect(await isThere('lost early')).toBe(false);
});

test.each([
  ['before it came', false],
  ['after it came', true],
])('a caller whose commit is lost %s is told that it may have been carried out', async (_when, comes) => {
  const words = `unheard ${comes}`;
  wire.passes = (sent) => {
    if (!/^Q[^]{4}commit/.test(sent.toString('latin1'))) return true;
    wire.freezeAnswers();
    void waitUntil('it is carried out, if it came', async () => !comes || (await isThere(words))).then(() =>
      wire.cut(),
    );
    return comes;
  };

  expect(await comment(words)).toMatchObject({
    status: 503,
    body: { message: expect.stringContaining('may have been carried out; read again') },
  });
  expect(await isThere(words)).toBe(comes);
});

test('connections that the server ends are 503, not a fault', async () => {
  await read();
  await fork().transactional(async (tx) => {
    await hold(tx, 'sales_order', { entity_id: orderId });
    const answer = comment('ended');
    await tx.execute(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> ' +
        'pg_backend_pid()',
    );
    expect((await answer).status).toBe(503);
  });
  expect((await read()).status).toBe(200);
  expect(api.faults).toEqual([]);
});

test('connections that break in a transaction leave room for the next ones', async () => {
  for (let time = 0; time < 2 * impatient.connections; time++) {
    wire.passes = (sent) => {
      if (/^Q[^]{4}(?:begin|commit)/.test(sent.toString('latin1')) && time % 2 === 0) wire.cut();
      if (sent.includes('commit') && time % 2 === 1) wire.cut();
      return true;
    };
    expect((await comment(`broken ${time}`)).status).toBe(503);
  }
  wire.passes = () => true;
  expect((await comment('whole')).status).toBe(200);
});

test('a statement that takes too long is cut off and answered 503', async () => {
  await fork().transactional(async (tx) => {
    await tx.execute('lock table sales_order_item in access exclusive mode');
    expect((await read()).status).toBe(503);
  });
  expect((await read()).status).toBe(200);
});

test('a transaction of a frozen process loses its locks', async () => {
  const standing = api.orm.em.fork();
  await standing.begin();
  await hold(standing, 'sales_order', { entity_id: orderId });

  expect((await comment('too early')).status).toBe(503);
  await waitUntil('the order is free again', async () => (await comment('free again')).status === 200);
  await expect(standing.commit()).rejects.toMatchObject({ code: expect.stringMatching(/^08|57P|25P/) });
});
