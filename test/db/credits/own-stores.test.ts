import { beforeAll, expect, test } from '@jest/globals';
import type { CreditMovement } from '../../../db/credit-stores.ts';
import { findGiftCard } from '../../../db/gift-cards/find-gift-card.ts';
import { giftCardStore } from '../../../db/gift-cards/move-gift-card.ts';
import { pointsStore } from '../../../db/reward-points/move-points.ts';
import { findPoints } from '../../../db/reward-points/read-points.ts';
import { addEntry, walletStore } from '../../../db/store-credit/add-entry.ts';
import { findBalance } from '../../../db/store-credit/read-balance.ts';
import { setConfigValue } from '../../../db/configuration/set-config-value.ts';
import { transact } from '../../../db/support/transact.ts';
import { money } from '../../../domain/money.ts';
import { secretBox } from '../../support/builders/counter.ts';
import { aGiftCard } from '../../support/builders/gift-card.ts';
import { anOrder } from '../../support/builders/order.ts';
import { givePoints, pointsOn } from '../../support/builders/points.ts';
import { aShop } from '../../support/builders/shop.ts';
import { aCustomer, anEntry } from '../../support/builders/wallet.ts';
import { booksOf } from '../../support/books.ts';
import { useDatabase } from '../../support/fixtures.ts';

const orm = useDatabase();
let orderId: number;
let customerId: number;
beforeAll(async () => {
  await aShop(fork());
  await pointsOn(fork(), { 'spending/granularity': '50', 'spending/minimum_points': '100' });
  customerId = await aCustomer(fork());
  await givePoints(fork(), customerId, 1_000);
  await addEntry(fork(), anEntry(customerId, { amount: '50' }));
  orderId = (await anOrder(fork())).orderId;
});

let moves = 0;
const { fork } = booksOf(() => orm);
const movement = (wanted: Partial<CreditMovement> = {}): CreditMovement => ({
  key: `store-${++moves}`,
  orderId,
  customerId,
  websiteId: 1,
  code: null,
  baseAmount: money('2'),
  amount: money('2'),
  points: 200,
  currencyCode: 'USD',
  reason: 'a sale',
  ...wanted,
});

test('points are spent and given back, once per key and direction', async () => {
  const one = movement({ key: 'both-ways' });
  await transact(fork(), (tx) => pointsStore.spend(tx, one));
  await transact(fork(), (tx) => pointsStore.spend(tx, one));
  expect(await findPoints(fork(), customerId, 1)).toBe(800);
  await transact(fork(), (tx) => pointsStore.giveBack(tx, one));
  await transact(fork(), (tx) => pointsStore.giveBack(tx, one));
  expect(await findPoints(fork(), customerId, 1)).toBe(1_000);
});

test.each([
  ['for more than they are worth', { baseAmount: money('2.01') }],
  ['fewer than the least', { points: 50, baseAmount: money('0.5') }],
  ['in parts of a step', { points: 120, baseAmount: money('1') }],
  ['without saying how many', { points: null }],
  ['by nobody', { customerId: null }],
  ['more than there are', { points: 5_000 }],
])('points are not spent %s', async (_case, wanted) => {
  await expect(transact(fork(), (tx) => pointsStore.spend(tx, movement(wanted)))).rejects.toMatchObject({
    status: 400,
  });
  expect(await findPoints(fork(), customerId, 1)).toBe(1_000);
});

test('a gift card is spent and given back, once per key and direction', async () => {
  const code = await aGiftCard(fork());
  const one = movement({ code, key: 'card-both-ways' });
  await transact(fork(), (tx) => giftCardStore.spend(tx, one));
  await transact(fork(), (tx) => giftCardStore.spend(tx, one));
  expect((await findGiftCard(fork(), code))?.balance).toBe(money('48.0000'));
  await transact(fork(), (tx) => giftCardStore.giveBack(tx, one));
  await transact(fork(), (tx) => giftCardStore.giveBack(tx, one));
  expect((await findGiftCard(fork(), code))?.balance).toBe(money('50.0000'));
});

test.each([{ code: null }, { code: ' ' }])('a gift card is not spent without its code: %j', async (wanted) => {
  await expect(transact(fork(), (tx) => giftCardStore.spend(tx, movement(wanted)))).rejects.toMatchObject({
    status: 400,
  });
});

test('switched off, none is taken, and all come back', async () => {
  const code = await aGiftCard(fork());
  for (const kind of ['store_credit', 'gift_card', 'reward_points'])
    await setConfigValue(fork(), secretBox, { path: `vendor_${kind}/general/enabled`, value: '0' });

  for (const store of [walletStore, giftCardStore, pointsStore]) {
    await expect(transact(fork(), (tx) => store.spend(tx, movement({ code })))).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(/ not taken here\.$/),
    });
    await transact(fork(), (tx) => store.giveBack(tx, movement({ code })));
  }
  expect((await findGiftCard(fork(), code))?.balance).toBe(money('52.0000'));
  expect(await findPoints(fork(), customerId, 1)).toBe(1_200);
  expect((await findBalance(fork(), customerId, 1)).amount).toBe(money('52.0000'));
});
