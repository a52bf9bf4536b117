import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { capturePayment } from '../../../db/layaways/capture-payment.ts';
import { collectDuePayment } from '../../../db/orders/collect-due-payment.ts';
import { cancelOrder } from '../../../db/platform/orders/cancel-order.ts';
import { createShipment } from '../../../db/platform/shipments/shipments.ts';
import { updateOrder } from '../../../db/platform/update-order.ts';
import { createOrm } from '../../../db/orm.ts';
import { money } from '../../../domain/money.ts';
import { booksOf } from '../../support/books.ts';
import { aLayaway, anOrderOnCredit, aPayment } from '../../support/builders/layaway.ts';
import { anOrder } from '../../support/builders/order.ts';
import { aShop } from '../../support/builders/shop.ts';
import { testDatabaseUrl } from '../../support/database.ts';
import { twiceAtOnce, rivalsOf, carriedOut } from '../../support/rivals.ts';

let orm: MikroORM;
/** A second process of the service. */
let other: MikroORM;
beforeAll(async () => {
  const url = await testDatabaseUrl();
  [orm, other] = await twiceAtOnce(() => createOrm(url));
  await aShop(fork());
});
afterAll(() => Promise.all([orm.close(), other.close()]));

const books = booksOf(() => orm);
const { theOrder, invoicesOf, storyOf, fork, booksHold } = books;
const atOnce = rivalsOf(() => [orm, other]);
const collect = (orderId: number, reference: string, amount: string, em = orm.em) =>
  collectDuePayment(em, { orderId, reference, amount: money(amount) });
const stands = async (orderId: number) => {
  const { pos_credit_due: due, ...order } = await theOrder(
    orderId,
    'state',
    'total_paid',
    'total_due',
    'pos_credit_due',
  );
  const [invoice] = await invoicesOf(orderId, 'state');
  return { ...order, due, invoice: invoice?.state };
};

test('goods sold on credit have an open invoice; collected in parts it is paid in the end, and the order completes', async () => {
  const { orderId, incrementId } = await anOrderOnCredit(fork(), '108');
  await createShipment(fork(), { orderId });
  expect(await stands(orderId)).toMatchObject({ state: 'processing', invoice: 1, total_due: '108.0000' });

  expect(await collect(orderId, 'R-1', '58')).toEqual({
    orderId,
    incrementId,
    reference: 'R-1',
    amount: money('58'),
    isReplay: false,
    remainingDue: money('50'),
    paidTotal: money('58'),
    totalDue: money('50'),
    isInvoicePaid: false,
  });
  expect(await stands(orderId)).toMatchObject({ state: 'processing', invoice: 1, due: '50.0000' });

  expect(await collect(orderId, 'R-2', '50')).toMatchObject({ remainingDue: 0, totalDue: 0, isInvoicePaid: true });
  expect(await stands(orderId)).toEqual({
    state: 'complete',
    invoice: 2,
    total_paid: '108.0000',
    total_due: '0.0000',
    due: '0.0000',
  });
  expect((await storyOf(orderId)).slice(-2)).toEqual([
    'Credit due of $58.00 was collected, reference R-1. Still due: $50.00.',
    'Credit due of $50.00 was collected, reference R-2. Still due: $0.00.',
  ]);
  await booksHold();
});

test('the lower of credit due and what the order owes counts; the rest of the order stays owed, its invoice open', async () => {
  const { orderId } = await anOrderOnCredit(fork(), '40');
  await expect(collect(orderId, 'R-1', '40.01')).rejects.toMatchObject({
    status: 400,
    message: 'The amount %1 exceeds the remaining credit due of %2.',
    parameters: ['40.01', '40'],
  });
  expect(await collect(orderId, 'R-1', '40')).toMatchObject({
    remainingDue: 0,
    totalDue: money('68'),
    isInvoicePaid: false,
  });
  await booksHold();
});

test('in another currency, the base amounts add up', async () => {
  const { orderId } = await anOrderOnCredit(fork(), '146.88', { rate: '1.36', currency: 'CAD', storeId: 2 });
  await collect(orderId, 'R-1', '46.88');
  await collect(orderId, 'R-2', '100');
  expect(await stands(orderId)).toMatchObject({ invoice: 2, total_paid: '146.8800' });
  await booksHold();
});

describe('the same reference again', () => {
  test('is answered with its first booking for ever, whatever was collected since', async () => {
    const { orderId } = await anOrderOnCredit(fork(), '108');
    const first = await collect(orderId, 'R-1', '10');
    await collect(orderId, 'R-2', '98');
    expect(await collect(orderId, 'R-1', '10')).toEqual({ ...first, isReplay: true });
    expect(await storyOf(orderId)).toHaveLength(3);
  });

  test('with another amount books nothing, and the history says so once', async () => {
    const { orderId } = await anOrderOnCredit(fork(), '108');
    await collect(orderId, 'R-1', '10');
    for (let again = 0; again < 3; again++)
      expect(await collect(orderId, 'R-1', '99')).toMatchObject({ amount: money('10'), isReplay: true });
    expect((await storyOf(orderId)).slice(-1)).toEqual([
      'Reference R-1 came again with $99.00; the $10.00 booked under it stand.',
    ]);
    await booksHold();
  });

  test.each(['1', '12', '123', '1 1', '🧾', '9'.repeat(255)])('%j is that one and no other', async (reference) => {
    const { orderId } = await anOrderOnCredit(fork(), '108');
    for (const neighbour of ['1', '12', '123', '1 1', '🧾', '9'.repeat(255)]) await collect(orderId, neighbour, '1');
    expect(await collect(orderId, reference, '1')).toMatchObject({ isReplay: true, reference });
    expect(await stands(orderId)).toMatchObject({ total_paid: '6.0000' });
  });
});

describe('refused, and nothing is written', () => {
  test.each([
    ['no reference', '', '10', 400, /is required/],
    ['a blank one', '  ', '10', 400, /is required/],
    ['nothing', 'R', '0', 400, /must be positive/],
    ['less than nothing', 'R', '-1', 400, /must be positive/],
    ['too much', 'R', '108.01', 400, /exceeds the remaining credit due/],
  ])('%s', async (_case, reference, amount, status, message) => {
    const { orderId } = await anOrderOnCredit(fork(), '108');
    await expect(collect(orderId, reference, amount)).rejects.toMatchObject({
      status,
      message: expect.stringMatching(message),
    });
    expect(await storyOf(orderId)).toHaveLength(1);
  });

  test('an unknown order, one without credit, one that is paid', async () => {
    await expect(collect(999_999, 'R', '1')).rejects.toMatchObject({ status: 404 });
    const sale = await anOrder(fork());
    await expect(collect(sale.orderId, 'R', '1')).rejects.toMatchObject({ status: 400 });
  });

  test('an order that was cancelled: the shop could not give the money back', async () => {
    const { orderId } = await anOrder(fork(), { paid: false, shipped: false });
    await updateOrder(orm.em, orderId, { posted: { columns: { posCreditDue: money('50') } } });
    expect(await cancelOrder(orm.em, orderId)).toBe(true);
    await expect(collect(orderId, 'R', '10')).rejects.toMatchObject({ status: 400 });
    expect(await stands(orderId)).toMatchObject({ state: 'canceled', total_paid: '0.0000' });
  });

  test('a payment that fails at its last step', async () => {
    const { orderId } = await anOrderOnCredit(fork(), '108');
    const recover = await books.refuseWrites({ to: 'due_payment', says: 'disk full' });
    await expect(collect(orderId, 'R-1', '108')).rejects.toThrow('disk full');
    await recover();
    expect(await stands(orderId)).toMatchObject({ total_paid: '0.0000', due: '108.0000', invoice: 1, state: 'new' });
  });

  test('the credit due of an order, once something of it was collected, by saving the order', async () => {
    const { orderId } = await anOrderOnCredit(fork(), '108');
    const save = (due: string) => updateOrder(orm.em, orderId, { posted: { columns: { posCreditDue: money(due) } } });
    await save('100');
    await collect(orderId, 'R-1', '10');
    await expect(save('100')).rejects.toMatchObject({ status: 400 });
    await save('90');
    await booksHold();
  });
});

test('a layaway with credit due stays a layaway, and keeps its references apart', async () => {
  const { orderId } = await aLayaway(fork(), { columns: { posCreditDue: money('50') } });
  await capturePayment(orm.em, aPayment(orderId, '10', { reference: 'T-1' }));
  await expect(collect(orderId, 'T-1', '10')).rejects.toMatchObject({
    status: 400,
    message: 'The order has another payment with the reference "%1".',
  });
  await collect(orderId, 'T-2', '50');
  expect(await theOrder(orderId, 'pos_layaway_status', 'pos_layaway_balance_owed')).toEqual({
    pos_layaway_status: 'open',
    pos_layaway_balance_owed: '48.0000',
  });
  await booksHold();
});

describe.each([2, 8, 50])('%i at once', (count) => {
  test('with one reference are one payment, equally answered', async () => {
    const { orderId } = await anOrderOnCredit(fork(), '108');
    const answers = await atOnce(count, (em) => collect(orderId, 'R-1', '10', em));
    expect(answers.filter((answer) => Reflect.get(Object(answer), 'isReplay') === false)).toHaveLength(1);
    expect(new Set(answers.map((answer) => JSON.stringify({ ...Object(answer), isReplay: null }))).size).toBe(1);
    expect(await stands(orderId)).toMatchObject({ total_paid: '10.0000' });
    await booksHold();
  });

  test('at the edge: as many as fit, the others are refused', async () => {
    const { orderId } = await anOrderOnCredit(fork(), '100');
    const answers = await atOnce(count, (em, at) => collect(orderId, `R-${at}`, '40', em));
    expect(carriedOut(answers)).toHaveLength(2);
    expect(await stands(orderId)).toMatchObject({ total_paid: '80.0000', due: '20.0000' });
    await booksHold();
  });
});
