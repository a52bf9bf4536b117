import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { explainOrder } from '../../../db/explain/explain-order.ts';
import { explainReturn } from '../../../db/explain/explain-return.ts';
import { renderStory } from '../../../db/explain/render-story.ts';
import { bookSettlement } from '../../../db/returns/book-settlement.ts';
import { initialiseReturn } from '../../../db/returns/initialise-return.ts';
import { plainSettlement } from '../../../domain/refunds/quote-refund.ts';
import { aCustomerWithCredit, aGiftCard } from '../../support/builders/credit.ts';
import { aReturn } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { testDatabase } from '../../support/database.ts';

let orm: MikroORM;
let locationId: number;
beforeAll(async () => {
  orm = await testDatabase();
  ({ locationId } = await aShop(orm.em.fork()));
});
afterAll(() => orm.close());

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
    renderStory(await explainOrder(orm.em.fork(), String(orderId))),
    renderStory(await explainReturn(orm.em.fork(), String(returnId))),
  ];
  for (const story of [order, rma]) {
    expect(story).toContain('40.00 USD was paid with store credit; 20.00 USD of it is back.');
    expect(story).toContain(`20.00 USD was paid with gift card ****${code.slice(-4)}; 10.00 USD of it is back.`);
    expect(story).toMatch(/Money went back to store credit with credit memo \d+\.\n +20\.00 USD · workflow return-\d+/);
    expect(story).not.toContain(code);
  }
  expect(order).toContain('Paid with credit (store_credit)');
});

test('a refund under way says what goes back as credit beside it', async () => {
  const { orderId, returnId } = await aReturnOnCredit('original_payment');
  const story = renderStory(await explainReturn(orm.em.fork(), String(returnId)));
  expect(story).toMatch(/Refund attempt \d+ was written down.* Beside it 30\.00 USD goes back as credit\./);
  expect(story).toContain('nothing of it is back, 20.00 USD is promised to refunds under way.');
  expect(renderStory(await explainOrder(orm.em.fork(), String(orderId)))).toContain('24.00 USD');
});
