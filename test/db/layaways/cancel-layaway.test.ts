import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { cancelLayaway } from '../../../db/layaways/cancel-layaway.ts';
import { capturePayment } from '../../../db/layaways/capture-payment.ts';
import { keepLayawayNote } from '../../../db/layaways/keep-layaway-note.ts';
import { readLayaway } from '../../../db/layaways/read-layaway.ts';
import { addEntry } from '../../../db/store-credit/add-entry.ts';
import { payInvoice } from '../../../db/platform/invoices/pay-invoice.ts';
import { updateOrder } from '../../../db/platform/order-saves/update-order.ts';
import { verify } from '../../../books/verify/verify.ts';
import { money } from '../../../domain/money/amount.ts';
import { aCancellation, aLayaway, aPayment } from '../../support/builders/layaway.ts';
import { aGiftCard, cardBalance, pointsOf, withPoints } from '../../support/builders/credit.ts';
import { anOrder } from '../../support/builders/order.ts';
import { refundPieces } from '../../support/builders/refunded-sale.ts';
import { aShop } from '../../support/builders/shop.ts';
import { aCustomer, anEntry } from '../../support/builders/wallet.ts';
import { testDatabase } from '../../support/database.ts';

let orm: MikroORM;
beforeAll(async () => {
  orm = await testDatabase();
  await aShop(orm.em.fork());
});
afterAll(() => orm.close());

const fork = () => orm.em.fork();
const rows = <Row extends object = Record<string, unknown>>(sql: string, values: unknown[] = []) =>
  fork().execute<Row[]>(sql, values);
const booksHold = async () => expect(await verify(fork(), { lookAgainAfterMs: 1 })).toEqual([]);
const order = async (orderId: number) =>
  (
    await rows(
      `select state, status, pos_layaway_status, total_paid, total_refunded, total_canceled, total_invoiced
       from sales_order where entity_id = ?`,
      [orderId],
    )
  )[0];
const promised = async (orderId: number) =>
  (
    await rows('select coalesce(sum(quantity), 0)::float as promised from inventory_reservation where order_id = ?', [
      orderId,
    ])
  )[0];
const history = async (orderId: number) =>
  (
    await rows<{ comment: string }>(
      'select comment from sales_order_status_history where parent_id = ? order by entity_id',
      [orderId],
    )
  ).map(({ comment }) => comment);
const aPaidLayaway = async (amount: string, wanted: Parameters<typeof aLayaway>[1] = {}) => {
  const { orderId } = await aLayaway(fork(), wanted);
  await capturePayment(orm.em, aPayment(orderId, amount));
  return orderId;
};

test('deposit less fee: memo, invoice, order and promised goods in one step (worked example D)', async () => {
  const orderId = await aPaidLayaway('40');
  const noteId = await keepLayawayNote(fork(), { orderId, reason: 'Ann moved away' });

  expect(await cancelLayaway(orm.em, aCancellation(orderId, 20, { noteId }))).toEqual({ status: 'cancelled' });

  const memos = await rows(
    `select m.increment_id, m.grand_total, m.adjustment_positive, m.shipping_amount,
       (select count(*)::int from sales_creditmemo_item where parent_id = m.entity_id) as lines
     from sales_creditmemo m where order_id = ?`,
    [orderId],
  );
  expect(memos).toMatchObject([
    { grand_total: '32.0000', adjustment_positive: '32.0000', shipping_amount: '0.0000', lines: 0 },
  ]);
  expect(await order(orderId)).toEqual({
    state: 'canceled',
    status: 'canceled',
    pos_layaway_status: 'cancelled',
    total_paid: '40.0000',
    total_refunded: '32.0000',
    total_canceled: '68.0000',
    total_invoiced: '0.0000',
  });
  expect(await rows('select state from sales_invoice where order_id = ?', [orderId])).toEqual([{ state: 3 }]);
  expect(await promised(orderId)).toEqual({ promised: 0 });
  expect(await readLayaway(fork(), orderId)).toMatchObject({
    status: 'cancelled',
    balanceOwed: 0,
    totalCaptured: money('40'),
    cancellation: {
      fee: money('8'),
      refund: money('32'),
      refundMethod: 'cash',
      creditMemoIncrementId: memos[0]!['increment_id'],
      legs: [],
    },
  });
  expect((await history(orderId)).slice(-3)).toEqual([
    'We refunded $32.00 offline.',
    'Layaway cancelled. Fee kept: $8.00. To hand back: $32.00 by cash. Reason: Ann moved away',
    'Canceled order offline',
  ]);
  expect(await rows('select 1 from layaway_note')).toEqual([]);
  await booksHold();
});

test.each([
  [0, '40.0000', 40, 0],
  [100, '0.0000', 0, 40],
  [33.3333, '26.6700', 26.67, 13.33],
])('a fee of %d %%: a memo of %s, %d to hand back, %d kept', async (percent, memo, refund, fee) => {
  const orderId = await aPaidLayaway('40');
  await cancelLayaway(orm.em, aCancellation(orderId, percent));
  expect(await rows('select grand_total from sales_creditmemo where order_id = ?', [orderId])).toEqual([
    { grand_total: memo },
  ]);
  const { cancellation } = await readLayaway(fork(), orderId);
  expect(cancellation).toMatchObject({ refund: money(String(refund)), fee: money(String(fee)) });
  await booksHold();
});

test('one that is overdue, one in another currency, one with shipping', async () => {
  for (const wanted of [
    { expiresAt: new Date(Date.now() - 86_400_000), columns: { posLayawayStatus: 'stale' } },
    { rate: '1.36', currency: 'CAD', storeId: 2 },
    { shipping: '10', shippingTax: '0.80' },
  ]) {
    const orderId = await aPaidLayaway('50', wanted);
    await cancelLayaway(orm.em, aCancellation(orderId, 10));
    expect(await order(orderId)).toMatchObject({ state: 'canceled', total_refunded: '45.0000' });
  }
  await booksHold();
});

test('a layaway nobody paid for is cancelled without a memo', async () => {
  const { orderId } = await aLayaway(fork());
  await cancelLayaway(orm.em, aCancellation(orderId, 50));
  expect(await order(orderId)).toMatchObject({ state: 'canceled', total_canceled: '108.0000' });
  expect((await readLayaway(fork(), orderId)).cancellation).toMatchObject({ creditMemoIncrementId: null, refund: 0 });
  await booksHold();
});

test('a legacy layaway without an invoice: the order is cancelled directly, and the cashier told what to hand back', async () => {
  const placed = await anOrder(fork(), {
    paid: false,
    shipped: false,
    columns: { state: 'pending_payment', status: 'pending_payment' },
  });
  const { orderId } = placed;
  await updateOrder(orm.em, orderId, { posted: { columns: { posLayawayStatus: 'open' } } });
  await capturePayment(orm.em, aPayment(orderId, '40', { paymentMethod: 'terminal' }));

  await cancelLayaway(orm.em, aCancellation(orderId, 25));

  expect(await order(orderId)).toMatchObject({
    state: 'canceled',
    total_refunded: '0.0000',
    total_canceled: '68.0000',
  });
  expect((await readLayaway(fork(), orderId)).cancellation).toMatchObject({
    fee: money('10'),
    refund: money('30'),
    refundMethod: 'terminal',
    creditMemoIncrementId: null,
  });
  expect(await promised(orderId)).toEqual({ promised: 0 });
  await booksHold();
});

describe('refused', () => {
  test.each([
    ['an unknown order', async () => 999_999, 404, /requested doesn't exist/],
    ['no layaway', async () => (await anOrder(fork())).orderId, 400, /not a layaway/],
    ['one paid in full', () => aPaidLayaway('108'), 400, /already paid in full/],
  ])('%s', async (_case, make, status, message) => {
    const orderId = await make();
    await expect(cancelLayaway(orm.em, aCancellation(orderId, 0))).rejects.toMatchObject({
      status,
      message: expect.stringMatching(message),
    });
  });

  test('one that is cancelled, whatever the fee; the step that cancelled it is answered', async () => {
    const orderId = await aPaidLayaway('40');
    const first = aCancellation(orderId, 10);
    await cancelLayaway(orm.em, first);
    expect(await cancelLayaway(orm.em, first)).toEqual({ status: 'cancelled' });
    await expect(cancelLayaway(orm.em, aCancellation(orderId, 10))).rejects.toMatchObject({
      message: 'The layaway is already cancelled.',
    });
    expect(await rows('select 1 from sales_creditmemo where order_id = ?', [orderId])).toHaveLength(1);
  });

  test('one that was settled on the platform', async () => {
    const orderId = await aPaidLayaway('108');
    const [invoice] = await rows<{ entity_id: number }>('select entity_id from sales_invoice where order_id = ?', [
      orderId,
    ]);
    await payInvoice(orm.em, invoice!.entity_id);
    await expect(cancelLayaway(orm.em, aCancellation(orderId, 0))).rejects.toMatchObject({ status: 400 });
  });
});

test('the order that cannot be cancelled does not keep its layaway from it: the rest stands, the failure is told', async () => {
  const orderId = await aPaidLayaway('40');
  await fork().execute(`create function refuse_release() returns trigger language plpgsql as $$ begin
    raise exception 'the shelf is gone'; end $$`);
  await fork().execute(
    `create trigger refuse_release before insert on inventory_reservation for each row execute function refuse_release()`,
  );
  try {
    expect(await cancelLayaway(orm.em, aCancellation(orderId, 0))).toEqual({
      status: 'cancelled',
      orderNotCancelled: expect.objectContaining({ message: expect.stringContaining('the shelf is gone') }),
    });
  } finally {
    await fork().execute('drop trigger refuse_release on inventory_reservation');
  }
  expect(await order(orderId)).toMatchObject({
    state: 'processing',
    pos_layaway_status: 'cancelled',
    total_refunded: '40.0000',
    total_canceled: '0.0000',
  });
  expect((await verify(fork(), { lookAgainAfterMs: 1 })).map(({ id }) => id)).toEqual(['I-17']);
  await fork().execute('delete from layaway_cancellation where order_id = ?', [orderId]);
  await fork().execute(`update sales_order set pos_layaway_status = null where entity_id = ?`, [orderId]);
});

test('eight at once are one memo and one cancellation', async () => {
  const orderId = await aPaidLayaway('40');
  const answers = await Promise.allSettled(
    Array.from({ length: 8 }, () => cancelLayaway(orm.em, aCancellation(orderId, 10))),
  );
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await rows('select 1 from sales_creditmemo where order_id = ?', [orderId])).toHaveLength(1);
  await booksHold();
});

test('goods of it that were refunded stay refunded; the rest of the deposit comes back', async () => {
  const sale = await aLayaway(fork());
  await capturePayment(orm.em, aPayment(sale.orderId, '60'));
  await refundPieces(fork(), sale, 1);
  expect(await cancelLayaway(orm.em, aCancellation(sale.orderId, 0))).toEqual({ status: 'cancelled' });
  expect(await order(sale.orderId)).toMatchObject({
    state: 'canceled',
    pos_layaway_status: 'cancelled',
    total_refunded: '60.0000',
    total_invoiced: '0.0000',
  });
  expect((await readLayaway(fork(), sale.orderId)).cancellation).toMatchObject({ refund: money('6') });
  expect(await promised(sale.orderId)).toEqual({ promised: 0 });
  await booksHold();
});

test('while a refund of it is under way it is not cancelled: nobody knows yet what is left to give back', async () => {
  const orderId = await aPaidLayaway('60');
  await fork().execute('update sales_order set base_pending_refund = 54 where entity_id = ?', [orderId]);
  await expect(cancelLayaway(orm.em, aCancellation(orderId, 90))).rejects.toMatchObject({ status: 400 });
  expect(await order(orderId)).toMatchObject({ state: 'pending_payment', total_refunded: '0.0000' });
  await fork().execute('update sales_order set base_pending_refund = 0 where entity_id = ?', [orderId]);
});

describe('credit that was spent on it', () => {
  const balance = async (customerId: number) =>
    (await rows('select amount from store_credit_wallet where customer_id = ?', [customerId]))[0];
  const aLayawayWithCredit = async (amount: number, captured: string) => {
    const customerId = await aCustomer(fork());
    await addEntry(fork(), anEntry(customerId, { amount: '100' }));
    const { orderId } = await aLayaway(fork(), {
      customerId,
      credits: [{ credit_type: 'store_credit', amount }],
    });
    if (captured !== '0') await capturePayment(orm.em, aPayment(orderId, captured));
    return { orderId, customerId };
  };

  test('counts as paid but not as captured, and comes back to its balance', async () => {
    const { orderId, customerId } = await aLayawayWithCredit(30, '40');
    expect(await readLayaway(fork(), orderId)).toMatchObject({ totalCaptured: money('40'), balanceOwed: money('38') });

    await cancelLayaway(orm.em, aCancellation(orderId, 20));

    expect(await balance(customerId)).toEqual({ amount: '100.0000' });
    expect((await readLayaway(fork(), orderId)).cancellation).toMatchObject({
      fee: money('14'),
      refund: money('26'),
      legs: [{ kind: 'store_credit', providerCode: 'store_credit', appliesAs: 'tender', amount: money('30') }],
    });
    expect(await order(orderId)).toMatchObject({ total_refunded: '56.0000', state: 'canceled' });
    await booksHold();
  });

  test('bears what of the fee the money does not cover', async () => {
    const { orderId, customerId } = await aLayawayWithCredit(50, '10');
    await cancelLayaway(orm.em, aCancellation(orderId, 50));
    expect(await balance(customerId)).toEqual({ amount: '80.0000' });
    expect((await readLayaway(fork(), orderId)).cancellation).toMatchObject({ fee: money('30'), refund: 0 });
    await booksHold();
  });
});

describe('a gift card and points that were spent on it', () => {
  const held = async ({ code, customerId }: { code: string; customerId: number }) => ({
    card: await cardBalance(orm, code),
    points: await pointsOf(orm, customerId),
  });
  const aLayawayOnCard = async (captured: string, appliesAs: 'tender' | 'discount' = 'tender') => {
    const customerId = await aCustomer(fork());
    const code = await aGiftCard(orm, '50');
    await withPoints(orm, customerId, 2_000);
    const { orderId } = await aLayaway(fork(), {
      customerId,
      credits: [
        { credit_type: 'gift_card', code, amount: 20 },
        { credit_type: 'reward_points', points: 1_000, amount: 10, applies_as: appliesAs },
      ],
    });
    await capturePayment(orm.em, aPayment(orderId, captured));
    return { orderId, customerId, code };
  };

  test('come back whole; the fee is kept from the money', async () => {
    const layaway = await aLayawayOnCard('40');
    const { orderId } = layaway;
    expect(await held(layaway)).toEqual({ card: '30.0000', points: 1_000 });

    await cancelLayaway(orm.em, aCancellation(orderId, 20));

    expect(await held(layaway)).toEqual({ card: '50.0000', points: 2_000 });
    expect((await readLayaway(fork(), orderId)).cancellation).toMatchObject({
      fee: money('14'),
      refund: money('26'),
      legs: [
        { kind: 'gift_card', appliesAs: 'tender', amount: money('20'), points: null },
        { kind: 'reward_points', appliesAs: 'tender', amount: money('10'), points: 1_000 },
      ],
    });
    expect(await order(orderId)).toMatchObject({ total_refunded: '56.0000', state: 'canceled' });
    expect((await history(orderId)).join()).not.toContain(layaway.code);
    await booksHold();
  });

  test('points that were a discount are no part of the deposit, and come back beside it', async () => {
    const layaway = await aLayawayOnCard('40', 'discount');
    await cancelLayaway(orm.em, aCancellation(layaway.orderId, 50));
    expect(await held(layaway)).toEqual({ card: '50.0000', points: 2_000 });
    expect((await readLayaway(fork(), layaway.orderId)).cancellation).toMatchObject({
      fee: money('30'),
      refund: money('10'),
      legs: [{ kind: 'gift_card' }, { kind: 'reward_points', appliesAs: 'discount', points: 1_000 }],
    });
    expect(await order(layaway.orderId)).toMatchObject({ total_refunded: '30.0000', state: 'canceled' });
    await booksHold();
  });

  test('are never kept in part: such a fee is refused before anything moves, and one the money covers is taken', async () => {
    const layaway = await aLayawayOnCard('10');
    const before = await order(layaway.orderId);

    await expect(cancelLayaway(orm.em, aCancellation(layaway.orderId, 26))).rejects.toMatchObject({ status: 400 });

    expect(await held(layaway)).toEqual({ card: '30.0000', points: 1_000 });
    expect(await order(layaway.orderId)).toEqual(before);
    await cancelLayaway(orm.em, aCancellation(layaway.orderId, 25));
    expect(await held(layaway)).toEqual({ card: '50.0000', points: 2_000 });
    expect((await readLayaway(fork(), layaway.orderId)).cancellation).toMatchObject({ fee: money('10'), refund: 0 });
    await booksHold();
  });
});
