import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { createOrm } from '../../../db/orm.ts';
import { movePoints, type PointsMove } from '../../../db/reward-points/move-points.ts';
import { findPoints } from '../../../db/reward-points/read-points.ts';
import { transact } from '../../../db/support/transact.ts';
import { verify } from '../../../books/verify/verify.ts';
import { givePoints } from '../../support/builders/points.ts';
import { aShop } from '../../support/builders/shop.ts';
import { aCustomer } from '../../support/builders/wallet.ts';
import { booksOf } from '../../support/books.ts';
import { testDatabaseUrl } from '../../support/database.ts';
import { twiceAtOnce, rivalsOf, carriedOut } from '../../support/rivals.ts';

let orm: MikroORM;
/** A second process of the service. */
let other: MikroORM;

beforeAll(async () => {
  const url = await testDatabaseUrl();
  [orm, other] = await twiceAtOnce(() => createOrm(url));
  await aShop(fork());
});
afterAll(() => Promise.all([orm.close(), other.close()]));

let moves = 0;
const { fork, rows } = booksOf(() => orm);
const aMove = (customerId: number, wanted: Partial<PointsMove> = {}): PointsMove => ({
  customerId,
  websiteId: 1,
  kind: 'spent',
  delta: -10,
  orderId: null,
  reason: 'a sale',
  key: `move-${++moves}`,
  ...wanted,
});
const move = (wanted: PointsMove, em = fork()) => transact(em, (tx) => movePoints(tx, wanted));
const aMember = async (points: number) => {
  const customerId = await aCustomer(fork());
  await givePoints(fork(), customerId, points);
  return customerId;
};
const rivals = rivalsOf(() => [orm, other]);
const atOnce = (count: number, wanted: (at: number) => PointsMove) =>
  rivals(count, (em, at) => move(wanted(at), em.fork()));
const booksHold = async () =>
  expect((await verify(fork(), { lookAgainAfterMs: 1 })).filter(({ id }) => id.startsWith('B-'))).toEqual([]);

test.each([
  ['more than there are', { delta: -101 }, 400],
  ['a part of a point', { delta: -0.5 }, 400],
  ['none', { delta: 0 }, 400],
  ['by nobody', { customerId: 999_999 }, 404],
  ['beyond what is kept', { kind: 'given' as const, delta: 2_147_483_647 }, 400],
])('%s: no points move', async (_case, wanted, status) => {
  const customerId = await aMember(100);
  await expect(move(aMove(customerId, wanted))).rejects.toMatchObject({ status });
  expect(await findPoints(fork(), customerId, 1)).toBe(100);
});

test('a key moves points once, and only its own customer’s', async () => {
  const [customerId, another] = [await aMember(100), await aMember(100)];
  const first = await move(aMove(customerId, { key: 'once' }));
  expect(await move(aMove(customerId, { key: 'once', delta: -90 }))).toEqual(first);
  await expect(move(aMove(another, { key: 'once' }))).rejects.toMatchObject({ status: 400 });
  expect([await findPoints(fork(), customerId, 1), await findPoints(fork(), another, 1)]).toEqual([90, 100]);
});

describe.each([2, 8, 50])('%i at once', (count) => {
  test('that spend all points: one does', async () => {
    const customerId = await aMember(10);
    const answers = await atOnce(count, () => aMove(customerId));
    expect(carriedOut(answers)).toHaveLength(1);
    expect(await findPoints(fork(), customerId, 1)).toBe(0);
    await booksHold();
  });

  test('with one key, the first entry of an account: one entry, answered to all', async () => {
    const customerId = await aCustomer(fork());
    const key = `first-${count}`;
    const answers = await atOnce(count, () => aMove(customerId, { kind: 'given', delta: 7, key }));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(await findPoints(fork(), customerId, 1)).toBe(7);
    await booksHold();
  });
});

test.each([
  ['an entry changed', `update reward_points_entry set delta = 5`, /only ever added to/],
  ['an entry deleted', 'delete from reward_points_entry', /only ever added to/],
  ['a balance without an entry', 'update reward_points_account set balance = balance + 1', /add up to/],
  ['a balance below zero', 'update reward_points_account set balance = -1', /not_negative/],
  ['points of somebody else', 'update reward_points_account set customer_id = customer_id + 1', /stays what it was/],
])('the database refuses %s', async (_case, sql, why) => {
  await aMember(100);
  await expect(rows(sql)).rejects.toThrow(why);
  await booksHold();
});
