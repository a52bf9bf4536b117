import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { dayEquations } from '../../../api/ops/day-join.ts';
import { cancelLayaway } from '../../../db/layaways/cancel-layaway.ts';
import { capturePayment } from '../../../db/layaways/capture-payment.ts';
import { joinDay } from '../../../db/movements/join-day.ts';
import { paymentsOn } from '../../../db/movements/read-day.ts';
import { createOrm } from '../../../db/orm.ts';
import { collectDuePayment } from '../../../db/orders/collect-due-payment.ts';
import { initialiseReturn } from '../../../db/returns/create-return.ts';
import { bookSettlement } from '../../../db/returns/settle-return.ts';
import { money, toWire } from '../../../domain/money.ts';
import { plainSettlement } from '../../../domain/refunds/quote-refund.ts';
import { booksOf } from '../../support/books.ts';
import type { Row } from '../../support/books/cells.ts';
import { aBareReceipt } from '../../support/builders/bare-receipt.ts';
import { aCancellation, aLayaway, anOrderOnCredit, aPayment } from '../../support/builders/layaway.ts';
import { anOrder } from '../../support/builders/order.ts';
import { aReturn } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { testDatabaseUrl } from '../../support/database.ts';
import { outcomesAtOnce } from '../../support/rivals.ts';

let orm: MikroORM;
let locationId: number;
const terminalId = 7;
beforeAll(async () => {
  orm = await createOrm(await testDatabaseUrl());
  await aShop(fork());
  const { location_id } = await insert('pos_location', { name: 'Mixed', code: 'MIXED', time_zone: 'Europe/Berlin' });
  locationId = Number(location_id);
});
afterAll(() => orm.close());
const { fork, insert, find, booksHold } = booksOf(() => orm);

/** The store's day of this moment. */
const day = () => new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin' }).format(new Date());
const receiptOf = async (orderId: number, posSaleId: string, more: Row = {}) => {
  const [order] = await find('sales_order', { entity_id: orderId }, 'increment_id', 'order_currency_code');
  await aBareReceipt(orm, {
    ...{ location_id: locationId, terminal_id: terminalId, payment_method: 'cash', grand_total: '108' },
    ...{ pos_order_id: posSaleId, order_increment_id: order!['increment_id'], currency: order!['order_currency_code'] },
    ...more,
  });
};

/** What is in the drawer and at the processor, in cents, counted by hand beside the documents. */
const counted = new Map<string, number>();
const count = (tender: string, currency: string, amount: number) => {
  const key = `${tender} ${currency}`;
  counted.set(key, (counted.get(key) ?? 0) + Math.round(amount * 100));
};

let documents = 0;
const kinds: readonly ((currency: string) => Promise<void>)[] = [
  async (currency) => {
    const posSaleId = `mixed-${++documents}`;
    const { orderId } = await anOrder(fork(), { posSaleId, currency, rate: '1', method: 'cash' });
    await receiptOf(orderId, posSaleId, { amount_tendered: '120', change_due: '12' });
    count('cash', currency, 108);
  },
  async (currency) => {
    const posSaleId = `mixed-${++documents}`;
    const { orderId } = await anOrder(fork(), { posSaleId, currency, rate: '1', method: 'provider_a' });
    const split_payments = JSON.stringify([
      { method: 'Card', amount: 33.33 },
      { method: 'cash', amount: '80.00' },
    ]);
    await receiptOf(orderId, posSaleId, { split_payments, payment_method: 'split', change_due: '5.33' });
    count('card', currency, 33.33);
    count('cash', currency, 74.67);
  },
  async (currency) => {
    const posSaleId = `mixed-${++documents}`;
    const { orderId } = await anOrderOnCredit(fork(), '108', { posSaleId, currency, rate: '1', method: 'cash' });
    await receiptOf(orderId, posSaleId);
    await collectDuePayment(fork(), { orderId, reference: `R-${documents}`, amount: money('12.34'), terminalId });
    count('cash', currency, 12.34);
  },
  async (currency) => {
    const posSaleId = `mixed-${++documents}`;
    const { orderId } = await aLayaway(fork(), { posSaleId, currency, rate: '1' });
    await receiptOf(orderId, posSaleId, { layaway_kind: 'deposit', layaway_amount_captured: '20' });
    for (const part of documents % 2 === 0 ? ['20', '30.01', '57.99'] : ['20'])
      await capturePayment(orm.em, aPayment(orderId, part));
    if (documents % 2 === 0) count('cash', currency, 108);
    else {
      await cancelLayaway(orm.em, aCancellation(orderId, 25));
      count('cash', currency, 5);
    }
  },
  async (currency) => {
    const posSaleId = `mixed-${++documents}`;
    const order = { posSaleId, currency, rate: '1', method: 'cash' };
    const sold = await aReturn(orm, { locationId, refundMethod: 'cash', order });
    await receiptOf(sold.orderId, posSaleId);
    await initialiseReturn(orm.em, { returnId: sold.returnId, canRefundThrough: () => true });
    await bookSettlement(orm.em, {
      ...{ returnId: sold.returnId, method: 'cash', options: plainSettlement, requestId: posSaleId },
    });
    count('cash', currency, 54);
  },
];

test('fifty mixed documents in two currencies match the drawer to the cent, and sales join payments', async () => {
  for (let round = 0; round < 5; round++)
    for (const one of kinds) for (const currency of ['USD', 'EUR']) await one(currency);
  const paid = await paymentsOn(fork(), { locationIds: [locationId], day: day() });
  const net = paid.map(({ tender, currency, moneyIn, moneyOut }) => [
    `${tender} ${currency}`,
    Math.round((toWire(moneyIn) - toWire(moneyOut)) * 100),
  ]);
  expect(Object.fromEntries(net)).toEqual(Object.fromEntries(counted));
  for (const { lines } of dayEquations(await joinDay(fork(), { locationIds: [locationId], day: day() })))
    expect(lines.at(-1)).toEqual({ term: 'difference', amount: money('0') });
  await booksHold();
});

test('a payment of a layaway that is sent eight times at once moves once', async () => {
  const { orderId } = await aLayaway(fork(), { posSaleId: 'at-once' });
  await outcomesAtOnce(8, () => capturePayment(orm.em, aPayment(orderId, '20', { reference: 'once' })));
  expect(await find('pos_movement', { order_id: orderId }, 'amount')).toEqual([{ amount: '20.0000' }]);
  await booksHold();
});
