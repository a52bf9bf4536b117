import { expect, test } from '@jest/globals';
import { explainOrder } from '../../../books/explain/explain-order.ts';
import { cancelLayaway, followLayaway } from '../../../db/layaways/cancel-layaway.ts';
import { capturePayment } from '../../../db/layaways/capture-payment.ts';
import { collectDuePayment } from '../../../db/orders/collect-due-payment.ts';
import { addEntry } from '../../../db/store-credit/add-entry.ts';
import { money } from '../../../domain/money.ts';
import { aCancellation, aLayaway, anOrderOnCredit, aPayment } from '../../support/builders/layaway.ts';
import { aCustomer, anEntry } from '../../support/builders/wallet.ts';
import { booksOf } from '../../support/books.ts';
import { opensAShop, orm } from '../../support/order-book.ts';

opensAShop();

const { fork } = booksOf(() => orm);
const explain = (orderId: number) => explainOrder(fork(), String(orderId));

test('a layaway that is being paid: what is owed, until when, and what can be done', async () => {
  const { orderId } = await aLayaway(fork(), { expiresAt: new Date('2027-01-31T00:00:00Z') });
  await capturePayment(orm.em, aPayment(orderId, '40', { reference: 'T-1' }));

  const { facts, events, next } = await explain(orderId);

  expect(facts).toEqual([
    'Paid by checkmo.',
    'A layaway, open: 68.00 USD owed of 108.00 USD, until 2027-01-31.',
    'Its deposit was 40.00 USD, by cash.',
  ]);
  expect(events.map(({ what, amount }) => [what, amount])).toContainEqual([
    'A layaway payment was taken (cash), reference T-1.',
    '40.00 USD',
  ]);
  expect(next).toEqual([
    `Take a payment, 68.00 USD is owed: POST /V1/pos/layaways/${orderId}/payments.`,
    `Cancel it, with a fee or without: POST /V1/pos/layaways/${orderId}/cancel.`,
    'No workflow follows it yet: the hourly sweep or the next payment starts one.',
    expect.stringContaining('Hand over'),
  ]);
  await followLayaway(fork(), orderId);
  await capturePayment(orm.em, aPayment(orderId, '68'));
  expect((await explain(orderId)).next).toContainEqual(expect.stringContaining('Settle it'));
});

test('a cancelled one: what was kept, what was handed back, where its credit went, and why', async () => {
  const customerId = await aCustomer(fork());
  await addEntry(fork(), anEntry(customerId, { amount: '100' }));
  const { orderId } = await aLayaway(fork(), { customerId, credits: [{ credit_type: 'store_credit', amount: 30 }] });
  await capturePayment(orm.em, aPayment(orderId, '40'));
  await cancelLayaway(orm.em, aCancellation(orderId, 20, { reason: 'moved away' }));

  const { facts, events, next } = await explain(orderId);

  expect(facts).toContain('A layaway, cancelled.');
  const seen = events.map(({ what, amount, workflow }) => [what, amount, workflow]);
  expect(seen).toContainEqual([
    expect.stringMatching(
      /^The layaway was cancelled with credit memo \d+: 14\.00 USD was kept \(20 %\), to be handed back by cash was the rest\. Said: "moved away"$/,
    ),
    '26.00 USD',
    `layaway-${orderId}`,
  ]);
  expect(seen).toContainEqual([
    expect.stringMatching(/^Money went back to store credit with credit memo/),
    '30.00 USD',
    null,
  ]);
  expect(next).toEqual(['Nothing needs to be done.']);
});

test('goods on credit: what is due, what was collected', async () => {
  const { orderId } = await anOrderOnCredit(fork(), '108');
  await collectDuePayment(orm.em, { orderId, reference: 'R-1', amount: money('58') });

  const { facts, events, next } = await explain(orderId);

  expect(facts).toContain('Sold on credit: 50.00 USD of it is still due.');
  expect(events.map(({ what }) => what)).toContain(
    'A payment of credit that was due was taken (checkmo), reference R-1.',
  );
  expect(next).toContain(`Collect what is due, 50.00 USD: POST /V1/pos/orders/${orderId}/due-payments.`);
});
