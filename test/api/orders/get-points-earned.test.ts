import { beforeAll, expect, test } from '@jest/globals';
import { findDuePoints, settlePointsOfOrder } from '../../../db/reward-points/settle-points-of-order.ts';
import { creditsOf } from '../../../providers/credits/credits.ts';
import { testApi } from '../../support/api.ts';
import { anOrder } from '../../support/builders/order.ts';
import { pointsOn, spendPoints } from '../../support/builders/points.ts';
import { refundPieces } from '../../support/builders/refunded-sale.ts';
import { aShop } from '../../support/builders/shop.ts';
import { aCustomer } from '../../support/builders/wallet.ts';
import { booksOf } from '../../support/books.ts';
import { useApi } from '../../support/fixtures.ts';

const api = useApi();
let locationId: number;
beforeAll(async () => {
  ({ locationId } = await aShop(fork()));
  await pointsOn(fork());
});

const { fork } = booksOf(() => api.orm);
const pointsOf = (orderId: number | string, of = api) =>
  of.call('GET', `/V1/pos/orders/${orderId}/points-earned`, { token: of.tokens.register });
const sweep = async () => {
  for (const orderId of await findDuePoints(fork())) await settlePointsOfOrder(fork(), orderId);
};
const aSale = async (wanted: object = {}) => anOrder(fork(), { customerId: await aCustomer(fork()), ...wanted });

test('a paid order is pending until the sweep came, then earned, and a refund voids its part', async () => {
  const sale = await aSale();
  expect((await pointsOf(sale.orderId)).body).toMatchObject({
    status: 'pending',
    points: 0,
    points_earned: 0,
    reason: 'The points are booked within a minute.',
  });

  await sweep();
  expect((await pointsOf(sale.orderId)).body).toEqual({
    order_id: sale.orderId,
    provider_code: 'reward_points',
    status: 'earned',
    points: 100,
    points_earned: 100,
    balance_after: 100,
    currency_value: 1,
    points_voided: 0,
    points_owed: 0,
    points_granularity: 1,
    reason: null,
  });

  await refundPieces(fork(), sale, 1);
  await sweep();
  expect((await pointsOf(sale.orderId)).body).toMatchObject({
    status: 'earned',
    points: 50,
    points_earned: 100,
    points_voided: 50,
    points_owed: 0,
    balance_after: 50,
    currency_value: 0.5,
    reason: 'Points were voided for what was refunded.',
  });
});

test('an order that is not paid is pending, and one without a customer is unsupported', async () => {
  const open = await aSale({ paid: false, shipped: false });
  expect((await pointsOf(open.orderId)).body).toMatchObject({
    status: 'pending',
    reason: 'Points are earned when the order is paid in full.',
  });
  expect((await pointsOf((await anOrder(fork())).orderId)).body).toMatchObject({
    status: 'unsupported',
    points: 0,
    reason: 'An order without a customer earns no points.',
  });
});

test('an order of nothing that earns is done with, and has none', async () => {
  const sale = await aSale({ lines: [{ sku: 'MUG', qty: 1, price: '0.5' }] });
  await sweep();
  expect((await pointsOf(sale.orderId)).body).toMatchObject({ status: 'earned', points_earned: 0 });
});

test.each(['999999', '0', '-1', '99999999999'])('order %s is not known', async (orderId) => {
  expect((await pointsOf(orderId)).status).toBe(404);
});

test('without a provider it is unsupported, and a provider that throws says why', async () => {
  const sale = await aSale();
  await pointsOn(fork(), { 'general/enabled': '0' });
  expect((await pointsOf(sale.orderId)).body).toMatchObject({
    status: 'unsupported',
    provider_code: null,
    reason: 'No provider of reward points is installed.',
  });
  await pointsOn(fork());

  const points = api.providers.credits.named('reward_points')!;
  const throwing = { ...points, pointsOfOrder: () => Promise.reject(new Error('The vendor is away.')) };
  const broken = await testApi({ providers: { credits: creditsOf([throwing]) } });
  try {
    await aShop(broken.orm.em.fork());
    await pointsOn(broken.orm.em.fork());
    const { orderId } = await anOrder(broken.orm.em.fork());
    expect((await pointsOf(orderId, broken)).body).toMatchObject({
      status: 'unsupported',
      provider_code: 'reward_points',
      points: 0,
      reason: 'The vendor is away.',
    });
  } finally {
    await broken.close();
  }
});

test('points that were spent before the goods came back are void and owed, and the settle tells it', async () => {
  const customerId = await aCustomer(fork());
  const sale = await aSale({ customerId });
  await sweep();
  await spendPoints(fork(), customerId, 70);
  const token = api.tokens.register;
  const items = JSON.stringify([{ order_item_id: sale.itemIds[0], qty_requested: 2, resolution: 'Refund' }]);
  const wish = { orderId: sale.orderId, items, autoApprove: true, locationId, refundMethod: 'cash' };
  const { body: rma } = await api.call('POST', '/V1/pos/rma', { token, body: wish });
  expect(rma).not.toHaveProperty('points_owed');
  const settle = () => api.call('POST', `/V1/pos/rma/${rma.id}/settle`, { token, body: { method: 'cash' } });

  expect((await settle()).body).toMatchObject({ status: 'closed', points_owed: 70 });
  await sweep();
  expect((await settle()).body).toMatchObject({ status: 'closed', points_owed: 70 });
  expect((await pointsOf(sale.orderId)).body).toMatchObject({
    points: 0,
    points_voided: 100,
    points_owed: 70,
    balance_after: 0,
    reason: expect.stringContaining('70 of them were spent'),
  });
});
