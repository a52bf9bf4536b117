import { expect, test } from 'vitest';
import { money } from '../../../domain/money/amount.ts';
import { findGiftCard } from '../../../db/gift-cards/find-gift-card.ts';
import { findPoints } from '../../../db/reward-points/read-points.ts';
import { addEntry } from '../../../db/store-credit/add-entry.ts';
import { aGiftCard } from '../../support/builders/gift-card.ts';
import { anOrder } from '../../support/builders/order.ts';
import { pointsOn } from '../../support/builders/points.ts';
import { refundPieces } from '../../support/builders/refunded-sale.ts';
import { anEntry } from '../../support/builders/wallet.ts';
import { booksOf } from '../../support/books.ts';
import {
  opensACreditDesk,
  api,
  refund,
  asked,
  aRefundedSale,
  walletOf,
  refundsOf,
  booksHold,
} from './a-credit-desk.ts';

opensACreditDesk();

const { latest, fork, refuseWrites, entriesOf } = booksOf(() => api.orm);

test('goes to the wallet of who placed the order, and answers every field', async () => {
  const { orderId, customerId } = await aRefundedSale();

  expect((await refund(asked(orderId))).body).toEqual({
    success: true,
    amount_applied: 10,
    remaining_balance: 10,
    transaction_id: expect.stringMatching(/^store-credit-entry-\d+$/),
    error_message: null,
  });
  expect(await walletOf(customerId)).toBe(10);
  expect(await refundsOf(orderId)).toEqual([{ state: 'booked', amount: '10.0000' }]);
  const [entry, ...others] = await entriesOf(customerId, 'admin_user_id', 'api_user_type', 'api_user_id');
  expect(entry).toMatchObject({ admin_user_id: null, api_user_type: 'integration' });
  expect([others, entry?.api_user_id > 0]).toEqual([[], true]);
});

test('a zero means the order’s own customer, and a guest has no wallet', async () => {
  const { orderId, customerId } = await aRefundedSale();
  expect((await refund(asked(orderId, { customerId: 0 }))).body).toMatchObject({ success: true });
  expect(await walletOf(customerId)).toBe(10);

  const guest = await anOrder(fork());
  await refundPieces(fork(), guest, 1);
  expect((await refund(asked(guest.orderId, { customerId: 0 }))).body).toMatchObject({
    success: false,
    error_message: 'This credit belongs to a customer; name one.',
  });
});

test('goes to a gift card and to points, by what they are worth', async () => {
  const { orderId, customerId } = await aRefundedSale();
  const code = await aGiftCard(fork());

  const card = await refund(asked(orderId, { creditType: 'gift_card', code: code.toLowerCase() }));
  const points = await refund(asked(orderId, { creditType: 'reward_points', customerId }));

  expect(card.body).toMatchObject({ success: true, remaining_balance: 60 });
  expect(points.body).toMatchObject({ success: true, amount_applied: 10, remaining_balance: 1_000 });
  const byOtherName = await refund(asked(orderId, { creditType: 'loyalty_points', customerId, amount: 1 }));
  expect(byOtherName.body).toMatchObject({ success: true, remaining_balance: 1_100 });
  expect((await findGiftCard(fork(), code))?.balance).toBe(money('60.0000'));
  expect(await findPoints(fork(), customerId, 1)).toBe(1_100);
  await booksHold();
});

test('points come in whole steps: another amount is refused with the reason', async () => {
  const { orderId, customerId } = await aRefundedSale();
  const toPoints = (amount: number) => refund(asked(orderId, { creditType: 'reward_points', customerId, amount }));
  await pointsOn(fork(), { 'spending/granularity': '100' });

  expect((await toPoints(1.99)).body).toMatchObject({
    success: false,
    amount_applied: 0,
    error_message: 'Points are given in steps worth 1: 1.99 is not a multiple of that.',
  });
  expect((await toPoints(2)).body).toMatchObject({ success: true, amount_applied: 2, remaining_balance: 200 });
  await pointsOn(fork(), { 'spending/granularity': '1' });
});

test('a key that a caller chose is never taken for a refund’s', async () => {
  const { orderId, customerId } = await aRefundedSale();
  const last = await latest('credit_refund', 'refund_id');
  const guess = anEntry(customerId, { amount: '1', idempotencyKey: `credit-refund-${last.refund_id + 1}` });
  await addEntry(fork(), guess);

  expect((await refund(asked(orderId, { amount: 50 }))).body).toMatchObject({ success: true, remaining_balance: 51 });
  await booksHold();
});

test('an order in another currency refunds its own amount, and its worth is booked', async () => {
  const { orderId, customerId } = await aRefundedSale({ rate: '1.36', currency: 'CAD', storeId: 2 });
  expect((await refund(asked(orderId, { amount: 13.6 }))).body).toMatchObject({ success: true, amount_applied: 13.6 });
  expect(await walletOf(customerId)).toBe(10);
});

test('a ledger that does not take it: nothing is given, and a repeat gives it once', async () => {
  const { orderId, customerId } = await aRefundedSale();
  const mend = await refuseWrites({ on: 'change', to: 'credit_refund', says: 'the disk is full' });
  try {
    expect((await refund(asked(orderId), 'a-full-disk')).status).toBe(500);
  } finally {
    await mend();
  }
  expect([await walletOf(customerId), await refundsOf(orderId)]).toEqual([0, []]);
  expect((await refund(asked(orderId), 'a-full-disk')).body).toMatchObject({ success: true, remaining_balance: 10 });
  expect(await walletOf(customerId)).toBe(10);
});
