import { beforeAll, expect, test } from '@jest/globals';
import { findDuePoints, settlePointsOfOrder } from '../../../db/reward-points/settle-points-of-order.ts';
import { findPoints, readPointsOwed } from '../../../db/reward-points/read-points.ts';
import { anOrder } from '../../support/builders/order.ts';
import { givePoints, pointsOn, spendPoints } from '../../support/builders/points.ts';
import { refundPieces } from '../../support/builders/refunded-sale.ts';
import { aShop } from '../../support/builders/shop.ts';
import { aCustomer } from '../../support/builders/wallet.ts';
import { booksOf } from '../../support/books.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { eightAtOnce } from '../../support/rivals.ts';

const orm = useDatabase();
beforeAll(async () => {
  await aShop(fork());
  await pointsOn(fork());
});

const { fork, booksHold } = booksOf(() => orm);
const sweep = async () => {
  for (const orderId of await findDuePoints(fork())) await settlePointsOfOrder(fork(), orderId);
};
const owedFor = (orderId: number) => readPointsOwed(fork(), orderId);
const pointsOf = (customerId: number) => findPoints(fork(), customerId, 1);
/** Two mugs at 50 with 8 tax. */
const aSale = async (wanted: object = {}) => {
  const customerId = await aCustomer(fork());
  return { ...(await anOrder(fork(), { customerId, ...wanted })), customerId };
};
const refundMugs = (sale: { orderId: number; itemIds: number[] }, mugs: number) => refundPieces(fork(), sale, mugs);

test('a paid order earns its points once, however often and however many sweeps work on it', async () => {
  const { customerId, orderId } = await aSale();

  await eightAtOnce(() => settlePointsOfOrder(fork(), orderId));
  await sweep();

  expect(await pointsOf(customerId)).toBe(100);
  expect(await findDuePoints(fork())).toEqual([]);
});

test('an order earns nothing before it is paid, and nothing without a customer', async () => {
  const { customerId, orderId } = await aSale({ paid: false, shipped: false });
  await anOrder(fork());
  expect(await findDuePoints(fork())).toEqual([]);
  await settlePointsOfOrder(fork(), orderId);
  expect(await pointsOf(customerId)).toBe(0);
});

test('a refund voids its part, and the last one the rest', async () => {
  const sale = await aSale();
  await sweep();
  await refundMugs(sale, 1);
  await sweep();
  expect(await pointsOf(sale.customerId)).toBe(50);
  await refundMugs(sale, 1);
  await sweep();
  expect(await pointsOf(sale.customerId)).toBe(0);
});

test('a refund before the sweep came leaves only what was kept', async () => {
  const sale = await aSale();
  await refundMugs(sale, 1);
  await sweep();
  expect(await pointsOf(sale.customerId)).toBe(50);
});

test('points that were spent since are owed: what is there is taken, and the rest of the next ones, whoever gives them', async () => {
  const sale = await aSale();
  await sweep();
  await spendPoints(fork(), sale.customerId, 70);
  await refundMugs(sale, 2);
  expect(await owedFor(sale.orderId)).toBe(70);
  await sweep();
  expect([await pointsOf(sale.customerId), await owedFor(sale.orderId)]).toEqual([0, 70]);
  await givePoints(fork(), sale.customerId, 5);
  await sweep();
  expect([await pointsOf(sale.customerId), await owedFor(sale.orderId)]).toEqual([0, 65]);
  const next = await anOrder(fork(), { customerId: sale.customerId });
  await eightAtOnce(() => settlePointsOfOrder(fork(), next.orderId));
  expect([await pointsOf(sale.customerId), await owedFor(sale.orderId)]).toEqual([35, 0]);
  await booksHold();
});

test('of two returns whose points were spent the older one is paid first, and a part of one is kept', async () => {
  const first = await aSale();
  const second = { ...(await anOrder(fork(), { customerId: first.customerId })), customerId: first.customerId };
  await sweep();
  await spendPoints(fork(), first.customerId, 200);
  await refundMugs(first, 2);
  await sweep();
  await refundMugs(second, 1);
  await sweep();
  await refundMugs(second, 1);
  await sweep();
  expect([await owedFor(first.orderId), await owedFor(second.orderId)]).toEqual([100, 100]);
  await eightAtOnce(() => givePoints(fork(), first.customerId, 15));
  expect([await pointsOf(first.customerId), await owedFor(first.orderId), await owedFor(second.orderId)]).toEqual([
    0, 0, 80,
  ]);
  await booksHold();
});

test('switched off, nothing is earned then or later', async () => {
  await pointsOn(fork(), { 'general/enabled': '0' });
  const { customerId } = await aSale();
  await sweep();
  await pointsOn(fork());
  await sweep();
  expect(await pointsOf(customerId)).toBe(0);
});

test('the books hold', async () => {
  await booksHold();
});
