import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { dayEquations } from '../../../api/ops/day-join.ts';
import { cancelLayaway } from '../../../db/layaways/cancel-layaway.ts';
import { capturePayment } from '../../../db/layaways/capture-payment.ts';
import { findDayDifferences, joinDay } from '../../../db/movements/join-day.ts';
import { keepPlaceOfOperation, keepPlaceOfReturn } from '../../../db/movements/movement-place.ts';
import { paymentsOn } from '../../../db/movements/read-day.ts';
import { createOrm } from '../../../db/orm.ts';
import { collectDuePayment } from '../../../db/orders/collect-due-payment.ts';
import { initialiseReturn } from '../../../db/returns/create-return.ts';
import { bookSettlement } from '../../../db/returns/settle-return.ts';
import { addEntry } from '../../../db/store-credit/add-entry.ts';
import { money, subtract, toPlain } from '../../../domain/money.ts';
import { booksOf } from '../../support/books.ts';
import type { Row } from '../../support/books/cells.ts';
import { aBareReceipt } from '../../support/builders/bare-receipt.ts';
import { aCancellation, aLayaway, anOrderOnCredit, aPayment } from '../../support/builders/layaway.ts';
import { anOrder } from '../../support/builders/order.ts';
import { plainSettlement } from '../../../domain/refunds/quote-refund.ts';
import { aReturn } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { aCustomer, anEntry } from '../../support/builders/wallet.ts';
import { testDatabaseUrl } from '../../support/database.ts';

let orm: MikroORM;
let locationId: number;
let terminalId: number;

beforeAll(async () => {
  orm = await createOrm(await testDatabaseUrl());
  await aShop(fork());
});
afterAll(() => orm.close());

const { fork, insert, change, find, booksHold } = booksOf(() => orm);
let stores = 0;
const aStore = async (more: Row = {}) => {
  const { location_id } = await insert('pos_location', { name: `Store ${++stores}`, code: `S${stores}`, ...more });
  return Number(location_id);
};

beforeEach(async () => {
  locationId = await aStore();
  const { terminal_id } = await insert('pos_terminal', { name: 'Register', location_id: locationId });
  terminalId = Number(terminal_id);
});

const today = () => new Date().toISOString().slice(0, 10);
/** `cash USD in 60.00 out 0`, for each tender of a store on a day. */
const paid = async (store = locationId, day = today()) =>
  (await paymentsOn(fork(), { locationIds: [store], day })).map(({ tender, currency, moneyIn, moneyOut }) =>
    [tender, currency, toPlain(moneyIn), toPlain(moneyOut)].join(' '),
  );
const aReceipt = (more: Row) =>
  aBareReceipt(orm, {
    ...{ location_id: locationId, terminal_id: terminalId, currency: 'USD', payment_method: 'cash' },
    ...more,
  });
const problems = async () =>
  (await findDayDifferences(fork(), { locationIds: [locationId], day: today() })).map(({ kind }) => kind);
const numberOf = async (orderId: number) =>
  String((await find('sales_order', { entity_id: orderId }, 'increment_id'))[0]!['increment_id']);
const aWallet = async (amount: string) => {
  const customerId = await aCustomer(fork());
  await addEntry(fork(), anEntry(customerId, { amount }));
  return customerId;
};

describe('what a drawer and a processor took', () => {
  test('of a sale is its total by its tender; capitals and spaces of tender and currency make no other row', async () => {
    await aReceipt({ grand_total: '10.00', payment_method: 'Cash', currency: 'usd' });
    await aReceipt({ grand_total: '5.00', payment_method: ' cash ', currency: 'USD' });
    await aReceipt({ grand_total: '7.00', payment_method: 'cashondelivery', currency: 'Usd' });
    expect(await paid()).toEqual(['cash USD 22 0']);
  });

  test('of a split sale is each part by its tender, less the change of what was handed over', async () => {
    await aReceipt({
      ...{ grand_total: '60.00', payment_method: 'split', amount_tendered: '50', change_due: '10' },
      split_payments: JSON.stringify([
        { method: 'Cash', amount: 50 },
        { method: 'provider_a', amount: '20.00' },
      ]),
    });
    expect(await paid()).toEqual(['card USD 20 0', 'cash USD 40 0']);
  });

  test('of a split sale whose parts cannot be read is one row of its total', async () => {
    await aReceipt({ grand_total: '60.00', split_payments: '{"method":', payment_method: 'split' });
    await aReceipt({ grand_total: '1.00', split_payments: '[{"method":"cash","amount":"1e9999"}]' });
    expect(await paid()).toEqual(['cash USD 1 0', 'split USD 60 0']);
  });

  test('of a sale that a gift card paid in part is the rest, whether the order comes first or the receipt', async () => {
    const customerId = await aWallet('100');
    const credits = [{ credit_type: 'store_credit', amount: 40 }];
    const receipt = { grand_total: '108', applied_credits: '[{"type":"store_credit","amount":40}]' };
    const first = await anOrder(fork(), { customerId, credits, posSaleId: 'order-first' });
    await aReceipt({ ...receipt, pos_order_id: 'order-first', order_increment_id: await numberOf(first.orderId) });
    expect(await paid()).toEqual(['cash USD 68 0']);

    const late = await aReceipt({ ...receipt, applied_credits: null, pos_order_id: 'receipt-first' });
    expect(await paid()).toEqual(['cash USD 176 0']);
    const second = await anOrder(fork(), { customerId, credits, posSaleId: 'receipt-first' });
    await change(
      'pos_receipt',
      { receipt_id: late['receipt_id'] },
      { order_increment_id: await numberOf(second.orderId) },
    );
    expect(await paid()).toEqual(['cash USD 136 0']);
    await booksHold();
  });

  test('of a sale on credit is what was collected, once, and not what is due', async () => {
    const { orderId } = await anOrderOnCredit(fork(), '108', { posSaleId: 'on-credit', method: 'cash' });
    const order_increment_id = await numberOf(orderId);
    await aReceipt({ grand_total: '108', pos_order_id: 'on-credit', order_increment_id });
    expect(await paid()).toEqual([]);
    await collectDuePayment(fork(), { orderId, reference: 'R-1', amount: money('40') });
    await collectDuePayment(fork(), { orderId, reference: 'R-1', amount: money('40') });
    const collected = { grand_total: '40', layaway_kind: 'credit_due', layaway_amount_captured: '40' };
    await aReceipt({ ...collected, payment_method: 'card', receipt_number: 'R-1', order_increment_id });
    // The receipt states the tender: the payment itself knows only the one of the order.
    expect(await paid()).toEqual(['card USD 40 0']);
    await booksHold();
  });

  test('of a layaway is each part on its day and by its tender, and its receipts count nothing twice', async () => {
    const { orderId } = await aLayaway(fork(), { posSaleId: 'layaway' });
    const order_increment_id = await numberOf(orderId);
    for (const [at, part] of [20, 30, 58].entries()) {
      const reference = `P-${at}`;
      const paymentMethod = at === 1 ? 'provider_b' : 'cash';
      await capturePayment(orm.em, aPayment(orderId, String(part), { reference, paymentMethod }));
      await aReceipt({
        ...{ pos_order_id: at === 0 ? 'layaway' : `part-${at}`, order_increment_id, receipt_number: reference },
        ...{ grand_total: '108', layaway_amount_captured: part, layaway_kind: at === 0 ? 'deposit' : 'top_up' },
      });
    }
    expect(await paid()).toEqual(['card USD 30 0', 'cash USD 78 0']);
    expect(await problems()).toEqual([]);
    const [second] = await find('pos_movement', { order_id: orderId, amount: '30' }, 'movement_id', 'terminal_id');
    expect(second!['terminal_id']).toBe(terminalId);
    await booksHold();
  });

  test('of a cancelled deposit by card goes back by card, less the fee, and once', async () => {
    const { orderId } = await aLayaway(fork(), { posSaleId: 'cancelled' });
    const order_increment_id = await numberOf(orderId);
    await capturePayment(orm.em, aPayment(orderId, '50', { paymentMethod: 'provider_a' }));
    await aReceipt({
      ...{ pos_order_id: 'cancelled', order_increment_id, grand_total: '108', payment_method: 'card' },
      ...{ layaway_kind: 'deposit', layaway_amount_captured: '50' },
    });
    await cancelLayaway(orm.em, aCancellation(orderId, 10));
    expect(await paid()).toEqual(['card USD 50 45']);
    await booksHold();
  });

  test('of a refund is what was handed out, without the part that went back to credit', async () => {
    const customerId = await aWallet('40');
    const credits = [{ credit_type: 'store_credit', amount: 40 }];
    const order = { customerId, credits, method: 'cash' };
    const { returnId } = await aReturn(orm, { locationId, refundMethod: 'cash', order });
    await initialiseReturn(orm.em, { returnId, canRefundThrough: () => true });
    await bookSettlement(orm.em, { returnId, method: 'cash', options: plainSettlement, requestId: 'r-1' });
    expect(await paid()).toEqual(['cash USD 0 34']);
    // The register's receipt of it only says where it was handed out.
    const [memo] = await find('pos_movement', { source: 'memo', location_id: locationId }, 'credit_memo_id');
    await aReceipt({ sale_type: 'refund', grand_total: '-54', credit_memo_id: memo!['credit_memo_id'] });
    expect(await paid()).toEqual(['cash USD 0 34']);
    expect(await problems()).toEqual([]);
    await booksHold();
  });

  test('is assigned to the register that a request names, and to the store of it', async () => {
    const session = 'A0000000-0000-4000-8000-000000000001';
    const place = { terminalId, registerSessionUuid: session };
    const assigned = { terminal_id: terminalId, register_session_uuid: session.toLowerCase(), location_id: locationId };
    const moved = (which: Row) =>
      find('pos_movement', which, 'terminal_id', 'register_session_uuid', 'location_id', 'tender');

    const due = await anOrderOnCredit(fork(), '108', { method: 'cash' });
    const payment = { orderId: due.orderId, reference: 'R-2', amount: money('40') };
    await collectDuePayment(fork(), { ...payment, ...place, paymentMethod: 'manual_card' });
    expect(await moved({ order_id: due.orderId })).toEqual([{ ...assigned, tender: 'card' }]);

    const { orderId } = await aLayaway(fork());
    await keepPlaceOfOperation(fork(), 'capture-1', place);
    await keepPlaceOfOperation(fork(), 'cancel-1', place);
    await capturePayment(orm.em, aPayment(orderId, '50', { operationKey: 'capture-1' }));
    await cancelLayaway(orm.em, aCancellation(orderId, 0, { operationKey: 'cancel-1' }));
    expect(await moved({ order_id: orderId })).toEqual([
      { ...assigned, tender: 'cash' },
      { ...assigned, tender: 'cash' },
    ]);

    const sold = await aReturn(orm, { locationId: null, refundMethod: 'cash', order: { method: 'cash' } });
    const { returnId } = sold;
    await initialiseReturn(orm.em, { returnId, canRefundThrough: () => true });
    await keepPlaceOfReturn(fork(), returnId, place);
    await bookSettlement(orm.em, { returnId, method: 'cash', options: plainSettlement, requestId: 'r-3' });
    expect(await moved({ source: 'memo', order_id: sold.orderId })).toEqual([{ ...assigned, tender: 'cash' }]);

    // An unknown terminal assigns nothing, and refuses nothing.
    await collectDuePayment(fork(), { ...payment, reference: 'R-3', terminalId: 999 });
    expect(await moved({ order_id: due.orderId, terminal_id: null })).toHaveLength(1);
    await booksHold();
  });

  test('is listed where a receipt has no order or document, or a movement no register', async () => {
    await aReceipt({ grand_total: '9', terminal_id: null });
    await aReceipt({ grand_total: '9', sale_type: 'refund' });
    const { orderId } = await anOrder(fork(), { posSaleId: 'differs' });
    await aReceipt({ grand_total: '100', pos_order_id: 'differs', order_increment_id: await numberOf(orderId) });
    expect(await problems()).toEqual(['receipt_without_document', 'receipt_without_order', 'tenders', 'unassigned']);
  });
});

describe('the ledger checks', () => {
  /** The movement of a sale, altered for a moment. */
  const isFound = async (orderId: number) => {
    await booksHold();
    const which = { order_id: orderId, source: 'receipt', line: 0 };
    const [before] = await find('pos_movement', which, 'amount');
    await change('pos_movement', which, { amount: '1.00' });
    await expect(booksHold()).rejects.toThrow(/T-05/);
    await change('pos_movement', which, { amount: before!['amount'] });
    await booksHold();
  };

  test('find an altered movement of a split sale, also where credit paid a part', async () => {
    const split_payments = JSON.stringify([
      { method: 'cash', amount: 48 },
      { method: 'card', amount: '20.00' },
      { method: 'store_credit', amount: 40 },
    ]);
    const customerId = await aWallet('100');
    const credits = [{ credit_type: 'store_credit', amount: 40 }];
    const { orderId } = await anOrder(fork(), { posSaleId: 'check-split', customerId, credits });
    const paper = { grand_total: '108', payment_method: 'split', split_payments, pos_order_id: 'check-split' };
    await aReceipt({ ...paper, order_increment_id: await numberOf(orderId) });
    await isFound(orderId);
  });

  test('find an altered movement of a sale on credit, before and after what is due was collected', async () => {
    const { orderId } = await anOrderOnCredit(fork(), '60', { posSaleId: 'check-due', method: 'cash' });
    const order_increment_id = await numberOf(orderId);
    await aReceipt({ grand_total: '108', pos_order_id: 'check-due', order_increment_id });
    await isFound(orderId);
    await collectDuePayment(fork(), { orderId, reference: 'check-1', amount: money('60') });
    await isFound(orderId);
  });
});

describe('the business day', () => {
  const sale = (at: string, grand_total: string, location_id: number) =>
    aReceipt({ grand_total, location_id, created_at: new Date(at) });

  test('of a store is its own, beside one of the website', async () => {
    const auckland = await aStore({ time_zone: 'Pacific/Auckland' });
    // In Auckland it is the sixth of March from eleven in the morning in London on.
    await sale('2026-03-05T10:59:00Z', '1', auckland);
    await sale('2026-03-05T11:01:00Z', '2', auckland);
    await sale('2026-03-05T11:01:00Z', '4', locationId);
    expect(await paid(auckland, '2026-03-06')).toEqual(['cash USD 2 0']);
    expect(await paid(auckland, '2026-03-05')).toEqual(['cash USD 1 0']);
    expect(await paid(locationId, '2026-03-05')).toEqual(['cash USD 4 0']);
  });

  test.each([
    ['forward', '2026-03-29', ['2026-03-28T23:00:00Z', '2026-03-29T21:59:59Z'], '2026-03-29T22:00:00Z'],
    ['back', '2026-10-25', ['2026-10-24T22:00:00Z', '2026-10-25T22:59:59Z'], '2026-10-25T23:00:00Z'],
  ])('begins and ends at midnight in Berlin when clocks go %s', async (_direction, day, within, next) => {
    const berlin = await aStore({ time_zone: 'Europe/Berlin' });
    for (const at of within) await sale(at, '1', berlin);
    await sale(next, '10', berlin);
    expect(await paid(berlin, day)).toEqual(['cash USD 2 0']);
  });
});

describe('the day joins sales and payments', () => {
  const day = today();
  const terms = async () => {
    const [equation] = dayEquations(await joinDay(fork(), { locationIds: [locationId], day }));
    return Object.fromEntries((equation?.lines ?? []).map(({ term, amount }) => [term, toPlain(amount)]));
  };
  const receiptOf = async (orderId: number, posSaleId: string, more: Row = {}) =>
    aReceipt({ grand_total: '108', pos_order_id: posSaleId, order_increment_id: await numberOf(orderId), ...more });

  test('without a difference: a sale, one with credit, one on credit, and a return of a part', async () => {
    const plain = await anOrder(fork(), { posSaleId: 'join-plain', method: 'cash' });
    await receiptOf(plain.orderId, 'join-plain');
    expect(await terms()).toMatchObject({ net_sales: '100', tax: '8', payments: '108', difference: '0' });

    const customerId = await aWallet('40');
    const credits = [{ credit_type: 'store_credit', amount: 40 }];
    const credited = await aReturn(orm, {
      ...{ locationId, refundMethod: 'cash' },
      order: { customerId, credits, method: 'cash', posSaleId: 'join-credit' },
    });
    await receiptOf(credited.orderId, 'join-credit');
    expect(await terms()).toMatchObject({ net_sales: '200', credit: '-40', payments: '176', difference: '0' });

    const due = await anOrderOnCredit(fork(), '108', { posSaleId: 'join-due', method: 'cash' });
    await receiptOf(due.orderId, 'join-due');
    await collectDuePayment(fork(), { orderId: due.orderId, reference: 'J-1', amount: money('40') });
    expect(await terms()).toMatchObject({ net_sales: '300', due: '-68', payments: '216', difference: '0' });

    const { returnId } = credited;
    await initialiseReturn(orm.em, { returnId, canRefundThrough: () => true });
    await bookSettlement(orm.em, { returnId, method: 'cash', options: plainSettlement, requestId: 'r-2' });
    expect(await terms()).toMatchObject({ net_sales: '250', tax: '20', credit: '-20', difference: '0' });
  });

  test('without a difference: a layaway in parts is a deposit until it is paid, and one that is cancelled stays out', async () => {
    const paidOff = await aLayaway(fork(), { posSaleId: 'join-layaway' });
    await receiptOf(paidOff.orderId, 'join-layaway', { layaway_kind: 'deposit', layaway_amount_captured: '50' });
    await capturePayment(orm.em, aPayment(paidOff.orderId, '50'));
    expect(await terms()).toMatchObject({ net_sales: '0', deposits: '50', payments: '50', difference: '0' });
    await capturePayment(orm.em, aPayment(paidOff.orderId, '58'));
    expect(await terms()).toMatchObject({
      net_sales: '100',
      tax: '8',
      deposits: '0',
      payments: '108',
      difference: '0',
    });

    const ended = await aLayaway(fork(), { posSaleId: 'join-ended' });
    await receiptOf(ended.orderId, 'join-ended', { layaway_kind: 'deposit', layaway_amount_captured: '50' });
    await capturePayment(orm.em, aPayment(ended.orderId, '50'));
    await cancelLayaway(orm.em, aCancellation(ended.orderId, 10));
    expect(await terms()).toMatchObject({ net_sales: '100', deposits: '5', payments: '113', difference: '0' });
    await booksHold();
  });

  test('names orders without a receipt and receipts without an order as terms', async () => {
    await aReceipt({ grand_total: '12.50' });
    expect(await terms()).toMatchObject({ without_order: '12.5', payments: '12.5', difference: '0' });
    const all = async () =>
      dayEquations(await joinDay(fork(), { locationIds: null, day }))[0]!.lines.find(
        ({ term }) => term === 'without_receipt',
      )!.amount;
    const before = await all();
    await anOrder(fork(), { posSaleId: 'join-bare' });
    expect(toPlain(subtract(await all(), before))).toBe('-108');
  });
});
