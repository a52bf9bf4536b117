import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { cancelLayaway } from '../../../db/layaways/cancel-layaway.ts';
import { capturePayment } from '../../../db/layaways/capture-payment.ts';
import { findDayDifferences } from '../../../db/movements/join-day.ts';
import { paymentsOn } from '../../../db/movements/read-day.ts';
import { createOrm } from '../../../db/orm.ts';
import { collectDuePayment } from '../../../db/orders/collect-due-payment.ts';
import { initialiseReturn } from '../../../db/returns/create-return.ts';
import { bookSettlement } from '../../../db/returns/settle-return.ts';
import { money, toPlain } from '../../../domain/money.ts';
import { plainSettlement } from '../../../domain/refunds/quote-refund.ts';
import { booksOf } from '../../support/books.ts';
import type { Row } from '../../support/books/cells.ts';
import { aBareReceipt } from '../../support/builders/bare-receipt.ts';
import { aCancellation, aLayaway, anOrderOnCredit, aPayment } from '../../support/builders/layaway.ts';
import { aReturn } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { testDatabaseUrl } from '../../support/database.ts';

let orm: MikroORM;
let locationId: number;
let terminals: number[];

beforeAll(async () => {
  orm = await createOrm(await testDatabaseUrl());
  await aShop(fork());
});
afterAll(() => orm.close());

const { fork, insert, find, change, booksHold } = booksOf(() => orm);
let stores = 0;
let sales = 0;

beforeEach(async () => {
  const { location_id } = await insert('pos_location', { name: `Store ${++stores}`, code: `S${stores}` });
  locationId = Number(location_id);
  const rows = [1, 2].map((at) => insert('pos_terminal', { name: `Register ${at}`, location_id: locationId }));
  terminals = (await Promise.all(rows)).map((row) => Number(row['terminal_id'])).sort((a, b) => a - b);
});

const today = () => new Date().toISOString().slice(0, 10);
const aReceipt = (more: Row) =>
  aBareReceipt(orm, {
    ...{ location_id: locationId, terminal_id: terminals[0], currency: 'USD', payment_method: 'cash' },
    ...more,
  });
const differences = async () =>
  (await findDayDifferences(fork(), { locationIds: [locationId], day: today() })).map(({ kind }) => kind);
const numberOf = async (orderId: number) =>
  String((await find('sales_order', { entity_id: orderId }, 'increment_id'))[0]!['increment_id']);
/** `reference terminal`, for each payment of an order. */
const placesOf = async (orderId: number) => {
  const moved = await find('pos_movement', { order_id: orderId, source: 'money_in' }, 'source_id', 'terminal_id');
  const payments = await find('sales_money_in', { order_id: orderId }, 'money_in_id', 'reference');
  return Object.fromEntries(
    payments.map(({ money_in_id, reference }) => [
      String(reference),
      moved.find(({ source_id }) => source_id === money_in_id)?.['terminal_id'] ?? null,
    ]),
  );
};

/** All orders in which some steps may run. */
const orders = (steps: readonly string[]): string[][] =>
  steps.length < 2
    ? [[...steps]]
    : steps.flatMap((first, at) => orders(steps.toSpliced(at, 1)).map((rest) => [first, ...rest]));

describe('a receipt finds its payment', () => {
  test.each(orders(['payment A', 'payment B', 'receipt A', 'receipt B']).map((steps) => [steps.join(', '), steps]))(
    'of two equal parts of a layaway, by reference: %s',
    async (_name, steps) => {
      const { orderId } = await aLayaway(fork(), { posSaleId: `equal-${++sales}` });
      const order_increment_id = await numberOf(orderId);
      for (const step of steps) {
        const [what, which = ''] = step.split(' ');
        const reference = `${which}-${sales}`;
        if (what === 'payment') await capturePayment(orm.em, aPayment(orderId, '20', { reference }));
        else
          await aReceipt({
            ...{ pos_order_id: `layaway-${orderId}-${reference}`, order_increment_id, grand_total: '20' },
            ...{ layaway_kind: 'top_up', layaway_amount_captured: '20' },
            terminal_id: terminals[which === 'A' ? 0 : 1],
          });
      }
      expect(await placesOf(orderId)).toEqual({ [`A-${sales}`]: terminals[0], [`B-${sales}`]: terminals[1] });
      expect(await differences()).toEqual([]);
    },
  );

  test.each(orders(['payment A', 'payment B', 'receipt B', 'receipt without reference']).map((s) => [s.join(', '), s]))(
    'by amount only where no other receipt names it: %s',
    async (_name, steps) => {
      const { orderId } = await aLayaway(fork(), { posSaleId: `mixed-${++sales}` });
      const order_increment_id = await numberOf(orderId);
      for (const step of steps) {
        const [what, which = ''] = step.split(' ');
        const reference = `${which}-${sales}`;
        if (what === 'payment') await capturePayment(orm.em, aPayment(orderId, '20', { reference }));
        else
          await aReceipt({
            ...{ pos_order_id: `paper-${which}-${sales}`, order_increment_id, grand_total: '20' },
            ...{ layaway_kind: 'top_up', layaway_amount_captured: '20' },
            ...(which === 'B' ? { terminal_payment_id: reference } : {}),
            terminal_id: terminals[which === 'B' ? 1 : 0],
          });
      }
      expect(await placesOf(orderId)).toEqual({ [`A-${sales}`]: terminals[0], [`B-${sales}`]: terminals[1] });
      expect(await differences()).toEqual([]);
    },
  );

  test('once: a second receipt of one payment takes no other payment, and is no difference', async () => {
    const { orderId } = await aLayaway(fork(), { posSaleId: 'copied' });
    const order_increment_id = await numberOf(orderId);
    const deposit = { layaway_kind: 'deposit', layaway_amount_captured: '20', terminal_payment_id: 'pay-1' };
    await aReceipt({ ...deposit, pos_order_id: 'copied', order_increment_id, grand_total: '108' });
    await capturePayment(orm.em, aPayment(orderId, '20', { reference: 'pay-1', paymentMethod: 'provider_a' }));
    await capturePayment(orm.em, aPayment(orderId, '20', { reference: 'pay-2' }));
    const copy = { order_increment_id, grand_total: '20', terminal_id: terminals[1], layaway_kind: 'top_up' };
    await aReceipt({ ...copy, pos_order_id: `layaway-${orderId}-pay-1`, layaway_amount_captured: '20' });
    expect(await placesOf(orderId)).toEqual({ 'pay-1': terminals[0], 'pay-2': null });
    expect(await differences()).toEqual(['unassigned']);
    // A receipt that names no payment and has none of its amount left is listed.
    for (const at of [1, 2]) await aReceipt({ ...copy, pos_order_id: `unnamed-${at}`, layaway_amount_captured: '20' });
    expect(await placesOf(orderId)).toEqual({ 'pay-1': terminals[0], 'pay-2': terminals[1] });
    expect(await differences()).toEqual(['receipt_without_document']);
  });

  test('nowhere where it is over nothing', async () => {
    await aReceipt({ layaway_kind: 'deposit', layaway_amount_captured: '0', grand_total: '60' });
    await aReceipt({ sale_type: 'refund', grand_total: '0' });
    expect(await differences()).toEqual([]);
  });

  test('of another amount, and the difference is listed', async () => {
    const { orderId } = await aLayaway(fork(), { posSaleId: 'less' });
    const order_increment_id = await numberOf(orderId);
    await capturePayment(orm.em, aPayment(orderId, '20', { reference: 'less-1' }));
    const paper = { layaway_kind: 'top_up', layaway_amount_captured: '30', terminal_payment_id: 'less-1' };
    await aReceipt({ ...paper, order_increment_id, grand_total: '30', pos_order_id: 'less-paper' });
    expect(await differences()).toEqual(['tenders']);
  });

  test.each([['before'], ['after']])('of a sale without a kind that is a layaway: %s its payment', async (when) => {
    const posSaleId = `unkind-${when}`;
    const paper = () => aReceipt({ pos_order_id: posSaleId, grand_total: '20' });
    const { receipt_id } = when === 'before' ? await paper() : { receipt_id: null };
    const { orderId } = await aLayaway(fork(), { posSaleId });
    const order_increment_id = await numberOf(orderId);
    if (receipt_id !== null) await change('pos_receipt', { receipt_id }, { order_increment_id });
    await capturePayment(orm.em, aPayment(orderId, '20', { reference: posSaleId }));
    if (receipt_id === null) await aReceipt({ pos_order_id: posSaleId, grand_total: '20', order_increment_id });
    expect(await placesOf(orderId)).toEqual({ [posSaleId]: terminals[0] });
    expect(await differences()).toEqual([]);
  });

  test.each([['before'], ['after']])('that arrived late, %s it, of what was due', async (when) => {
    const posSaleId = `due-${when}`;
    const { orderId } = await anOrderOnCredit(fork(), '108', { posSaleId, method: 'cash' });
    const order_increment_id = await numberOf(orderId);
    const paper = () =>
      aReceipt({
        ...{ grand_total: '40', layaway_kind: 'credit_due', layaway_amount_captured: '40', payment_method: 'card' },
        ...{ order_increment_id, pos_order_id: `due-${orderId}-till-1` },
      });
    if (when === 'before') await paper();
    for (const at of [1, 2]) await collectDuePayment(fork(), { orderId, reference: `till-${at}`, amount: money('40') });
    if (when === 'after') await paper();
    expect(await placesOf(orderId)).toEqual({ 'till-1': terminals[0], 'till-2': null });
  });

  test('also eight at the same moment as their payments', async () => {
    const { orderId } = await aLayaway(fork(), { posSaleId: 'crowd' });
    const order_increment_id = await numberOf(orderId);
    const parts = Array.from({ length: 8 }, (_, at) => `crowd-${at}`);
    await Promise.all(
      parts.flatMap((reference) => [
        capturePayment(fork(), aPayment(orderId, '10', { reference })),
        aReceipt({
          ...{ pos_order_id: `layaway-${orderId}-${reference}`, order_increment_id, grand_total: '10' },
          ...{ layaway_kind: 'top_up', layaway_amount_captured: '10' },
        }),
      ]),
    );
    expect(new Set(Object.values(await placesOf(orderId)))).toEqual(new Set([terminals[0]]));
    expect(await differences()).toEqual([]);
    await booksHold();
  });
});

describe('a receipt finds its refund', () => {
  const aParkedReturn = async () => {
    const sold = await aReturn(orm, { locationId, refundMethod: 'cash', order: { method: 'cash' } });
    await initialiseReturn(orm.em, { returnId: sold.returnId, canRefundThrough: () => true });
    return sold;
  };
  const settle = ({ returnId }: { returnId: number }) =>
    bookSettlement(orm.em, { returnId, method: 'cash', options: plainSettlement, requestId: `r-${returnId}` });
  const refundOf = async (orderId: number) =>
    (await find('pos_movement', { order_id: orderId, kind: 'refund' }, 'terminal_id', 'tender')).map(
      ({ terminal_id, tender }) => [terminal_id, tender],
    );

  test.each([
    ['its return', 'before'],
    ['its return', 'after'],
    ['its order', 'before'],
    ['its order', 'after'],
    ['its memo', 'after'],
  ])('by %s, %s it', async (names, when) => {
    const sold = await aParkedReturn();
    const memoOf = async () =>
      (await find('sale_return', { return_id: sold.returnId }, 'credit_memo_id'))[0]!['credit_memo_id'];
    const paper = async () =>
      aReceipt({
        ...{ sale_type: 'refund', grand_total: '54', terminal_id: terminals[1] },
        ...(names === 'its return' ? { rma_id: sold.returnId } : {}),
        ...(names === 'its order' ? { original_order_increment_id: await numberOf(sold.orderId) } : {}),
        ...(names === 'its memo' ? { credit_memo_id: await memoOf() } : {}),
      });
    if (when === 'before') await paper();
    await settle(sold);
    if (when === 'after') await paper();
    expect(await refundOf(sold.orderId)).toEqual([[terminals[1], 'cash']]);
    expect(await differences()).toEqual([]);
    // The register pressed twice: one refund has two papers, and no money moved twice.
    await aReceipt({ sale_type: 'refund', grand_total: '54', credit_memo_id: await memoOf() });
    expect(await refundOf(sold.orderId)).toHaveLength(1);
    // The first paper only had the amount in common: which of both is the copy, a person decides.
    expect(await differences()).toEqual(names === 'its order' ? ['receipt_without_document'] : []);
    await booksHold();
  });

  test.each([['before'], ['after']])('of a cancelled layaway, %s it', async (when) => {
    const { orderId } = await aLayaway(fork(), { posSaleId: `ended-${when}` });
    await capturePayment(orm.em, aPayment(orderId, '50', { reference: `ended-${when}` }));
    const original_order_increment_id = await numberOf(orderId);
    const paper = () => aReceipt({ sale_type: 'refund', grand_total: '-45', original_order_increment_id });
    await aReceipt({
      ...{ pos_order_id: `ended-${when}`, order_increment_id: original_order_increment_id, grand_total: '108' },
      ...{ layaway_kind: 'deposit', layaway_amount_captured: '50' },
    });
    if (when === 'before') await paper();
    await cancelLayaway(orm.em, aCancellation(orderId, 10));
    if (when === 'after') await paper();
    expect(await refundOf(orderId)).toEqual([[terminals[0], 'cash']]);
    expect(await differences()).toEqual([]);
    await booksHold();
  });

  test('of another order never, also of the same amount', async () => {
    const sold = await aParkedReturn();
    await settle(sold);
    const other = await aParkedReturn();
    await aReceipt({ sale_type: 'refund', grand_total: '54', rma_id: other.returnId });
    expect(await refundOf(sold.orderId)).toEqual([[null, 'cash']]);
    expect(await differences()).toEqual(['receipt_without_document', 'unassigned']);
  });
});

describe('the business day', () => {
  test('of each part of a layaway is the day on which it was paid', async () => {
    const { orderId } = await aLayaway(fork(), { posSaleId: 'days' });
    const days = ['2026-03-02', '2026-03-05', '2026-04-01'];
    for (const [at, amount] of ['20', '30', '58'].entries()) {
      await capturePayment(orm.em, aPayment(orderId, amount, { reference: `day-${at}` }));
      const [paid] = await find('sales_money_in', { order_id: orderId, reference: `day-${at}` }, 'money_in_id');
      await change(
        'pos_movement',
        { source: 'money_in', source_id: paid!['money_in_id'] },
        {
          occurred_at: new Date(`${days[at]}T12:00:00Z`),
        },
      );
      await aReceipt({
        ...{ order_increment_id: await numberOf(orderId), grand_total: amount, layaway_kind: 'top_up' },
        ...{ pos_order_id: `layaway-${orderId}-day-${at}`, layaway_amount_captured: amount },
      });
    }
    const paid = await Promise.all(
      days.map(async (day) =>
        (await paymentsOn(fork(), { locationIds: [locationId], day })).map(({ moneyIn }) => toPlain(moneyIn)),
      ),
    );
    expect(paid).toEqual([['20'], ['30'], ['58']]);
  });
});
