import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MikroORM } from '@mikro-orm/postgresql';
import { concludeCreditRefund } from '../../../db/credits/conclude-credit-refund.ts';
import { reserveCreditRefund } from '../../../db/credits/reserve-credit-refund.ts';
import { explainOrder } from '../../../books/explain/explain-order.ts';
import { explainReturn } from '../../../books/explain/explain-return.ts';
import { renderStory } from '../../../books/explain/render-story.ts';
import { findDuePoints } from '../../../db/reward-points/find-due-points.ts';
import { settlePointsOfOrder } from '../../../db/reward-points/settle-points-of-order.ts';
import { bookSettlement } from '../../../db/returns/book-settlement.ts';
import { initialiseReturn } from '../../../db/returns/initialise-return.ts';
import { money } from '../../../domain/money/amount.ts';
import { plainSettlement } from '../../../domain/refunds/quote-refund.ts';
import { aCustomerWithCredit, aGiftCard } from '../../support/builders/credit.ts';
import { anOrder } from '../../support/builders/order.ts';
import { pointsOn } from '../../support/builders/points.ts';
import { refundPieces } from '../../support/builders/refunded-sale.ts';
import { aReturn } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { aCreditFromOutside, aSpendingOutside } from '../../support/builders/spending.ts';
import { booksOf } from '../../support/books.ts';
import { testDatabase } from '../../support/database.ts';

let orm: MikroORM;
let locationId: number;
beforeAll(async () => {
  orm = await testDatabase();
  ({ locationId } = await aShop(fork()));
});
afterAll(() => orm.close());

const { fork } = booksOf(() => orm);

async function aReturnOnCredit(refundMethod: 'cash' | 'original_payment') {
  const customerId = await aCustomerWithCredit(orm, '40');
  const code = await aGiftCard(orm, '20');
  const credits = [
    { credit_type: 'store_credit', amount: 40 },
    { credit_type: 'gift_card', code, amount: 20 },
  ];
  const rma = await aReturn(orm, { locationId, refundMethod, order: { customerId, credits } });
  await initialiseReturn(orm.em, { returnId: rma.returnId, canRefundThrough: () => true });
  return { ...rma, code };
}

test('an order and its return say what went back to which credit, and never show a card’s code', async () => {
  const { orderId, returnId, code } = await aReturnOnCredit('cash');
  await bookSettlement(orm.em, { returnId, method: 'cash', options: plainSettlement, requestId: 'r' });
  const [order, rma] = [
    renderStory(await explainOrder(fork(), String(orderId))),
    renderStory(await explainReturn(fork(), String(returnId))),
  ];
  for (const story of [order, rma]) {
    expect(story).toContain('40.00 USD was paid with store credit; 20.00 USD of it is back.');
    expect(story).toContain(`20.00 USD was paid with gift card ****${code.slice(-4)}; 10.00 USD of it is back.`);
    expect(story).toMatch(/Money went back to store credit with credit memo \d+\.\n +20\.00 USD · workflow return-\d+/);
    expect(story).not.toContain(code);
  }
  expect(order).toContain('Paid with credit (store_credit)');
});

test('an order that was paid with credit kept outside names its keeper, and the number it has there', async () => {
  const { orderId } = await anOrder(fork(), {});
  const { spending_id: id, name_tail: tail } = await aSpendingOutside(orm, { order_id: orderId });
  const named = ['credit-spending', id, tail].filter((part) => part !== null);
  await aCreditFromOutside(orm, orderId, { spend_key: named.join('-') });
  const story = renderStory(await explainOrder(fork(), String(orderId)));
  expect(story).toContain(
    '30.00 USD was paid with gift card ****1234; nothing of it is back. credit_service took it as spend_7.',
  );
});

test('a refund under way says what goes back as credit beside it', async () => {
  const { orderId, returnId } = await aReturnOnCredit('original_payment');
  const story = renderStory(await explainReturn(fork(), String(returnId)));
  expect(story).toMatch(/Refund attempt \d+ was recorded.* In addition, 30\.00 USD goes back as credit\./);
  expect(story).toContain('nothing of it is back, 20.00 USD is promised to refunds under way.');
  expect(renderStory(await explainOrder(fork(), String(orderId)))).toContain('24.00 USD');
});

test('an order says which points it earned and lost, and what was refunded to which balance', async () => {
  await pointsOn(fork());
  const sweep = async () => {
    for (const orderId of await findDuePoints(fork())) await settlePointsOfOrder(fork(), orderId);
  };
  const sale = await anOrder(fork(), { customerId: await aCustomerWithCredit(orm, '1') });
  await sweep();
  await refundPieces(fork(), sale, 1);
  await sweep();
  const code = await aGiftCard(orm, '20');
  const reserve = (kind: 'store_credit' | 'gift_card' | 'reward_points') =>
    reserveCreditRefund(fork(), {
      orderId: sale.orderId,
      kind,
      providerCode: kind,
      baseCurrencyCode: 'USD',
      websiteId: 1,
      customerId: null,
      code: kind === 'gift_card' ? code : null,
      amount: money('10'),
      reason: 'Refund',
      requestKey: null,
    });
  const [given, refused, open] = [
    await reserve('gift_card'),
    await reserve('reward_points'),
    await reserve('store_credit'),
  ];
  await concludeCreditRefund(fork(), { refundId: given.refundId, state: 'booked' });
  await concludeCreditRefund(fork(), {
    refundId: refused.refundId,
    state: 'failed',
    message: 'No such account.',
  });

  const story = renderStory(await explainOrder(fork(), String(sale.orderId)));

  for (const text of [
    '100 reward points were earned.',
    '50 reward points were voided for what was refunded.',
    `Refund ${given.refundId} to gift card ****${code.slice(-4)} was given.`,
    `Refund ${refused.refundId} to reward points was not given: No such account.`,
    `Refund ${open.refundId} to store credit is reserved; its provider did not say whether it was given`,
  ])
    expect(story).toContain(text);
  expect(story).not.toContain(code);
});
