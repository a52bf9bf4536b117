import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MikroORM } from '@mikro-orm/postgresql';
import { createOrm } from '../../../db/orm.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { booksOf } from '../../support/books.ts';
import { waiting, whileHeld } from '../../support/books/held.ts';
import { anOrder } from '../../support/builders/order.ts';
import { aShop } from '../../support/builders/shop.ts';
import { impatient } from '../../support/database.ts';
import { atOnce } from '../../support/rivals.ts';
import { waitUntil } from '../../support/wait-until.ts';

let api: TestApi;
/** Another process beside the API, with its own connections. */
let beside: MikroORM;
beforeAll(async () => {
  api = await testApi({ limits: impatient });
  beside = await createOrm(String(api.orm.config.get('clientUrl')));
  await aShop(fork());
});
afterAll(async () => {
  await beside.close();
  await api.close();
});

const books = booksOf(() => beside);
const { fork, howMany } = books;

const anOrderId = async () => (await anOrder(fork())).orderId;
const ask = (method: string, path: string, body?: unknown) =>
  api.call(method, path, { token: api.tokens.admin, ...(body === undefined ? {} : { body }) });
const comment = (orderId: number) =>
  ask('POST', `/V1/orders/${orderId}/comments`, { statusHistory: { comment: 'the box is open' } });

const commentsOf = (orderId: number) =>
  howMany('sales_order_status_history', { comment: 'the box is open', parent_id: orderId });

/** Another process holds the order until `work` is done. */
const held = <Result>(orderId: number, work: () => Promise<Result>): Promise<Result> =>
  whileHeld(books, 'sales_order', { entity_id: orderId }, work);

test('an order locked for long stops no other request, and requests for it are asked to come again', async () => {
  const [locked, other] = [await anOrderId(), await anOrderId()];

  const answers = await held(locked, async () => {
    const writes = atOnce(24, () => comment(locked));
    await waitUntil('somebody waits for the order', async () => (await waiting(books)) > 0);
    // Of one process, no more than two connections ever wait for the same order.
    expect(await waiting(books)).toBeLessThanOrEqual(2);
    const others = await Promise.all([
      ask('GET', `/V1/orders/${other}`),
      ask('GET', `/V1/orders/${locked}`),
      comment(other),
      ask('GET', '/health/ready'),
    ]);
    expect(others.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    return writes;
  });

  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
  expect(new Set(answers.map(({ headers }) => headers.get('retry-after')))).toEqual(new Set(['5']));
  expect(await commentsOf(locked)).toBe(0);
  expect((await comment(locked)).status).toBe(200);
  expect(api.faults).toEqual([]);
}, 30_000);

test('a crowd at one order is served one after the other, each once', async () => {
  const orderId = await anOrderId();

  const answers = await atOnce(30, () => comment(orderId));

  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(await commentsOf(orderId)).toBe(30);
}, 30_000);
