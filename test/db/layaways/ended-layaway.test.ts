import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { verify } from '../../../books/verify/verify.ts';
import { cancelLayaway } from '../../../db/layaways/cancel-layaway.ts';
import { capturePayment } from '../../../db/layaways/capture-payment.ts';
import { readLayaway } from '../../../db/layaways/read-layaway.ts';
import { collectDuePayment } from '../../../db/orders/collect-due-payment.ts';
import { refundOrder } from '../../../db/platform/credit-memos/refund-invoice.ts';
import { createInvoice, payInvoice, saveInvoice } from '../../../db/platform/invoices/invoices.ts';
import { updateOrder } from '../../../db/platform/update-order.ts';
import { holdOrder } from '../../../db/platform/orders/hold-order.ts';
import { createReturn } from '../../../db/returns/create-return.ts';
import { addEntry } from '../../../db/store-credit/add-entry.ts';
import { money, zero, pieces } from '../../../domain/money.ts';
import type { OrderState } from '../../../domain/platform/order-state.ts';
import { booksOf } from '../../support/books.ts';
import { aGiftCard, cardBalance, pointsOf, withPoints } from '../../support/builders/credit.ts';
import { aCancellation, aLayaway, aPayment } from '../../support/builders/layaway.ts';
import { anOrder } from '../../support/builders/order.ts';
import { refundPieces } from '../../support/builders/refunded-sale.ts';
import { anItem } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { aCustomer, anEntry } from '../../support/builders/wallet.ts';
import { testDatabase } from '../../support/database.ts';
import { outcomesAtOnce } from '../../support/rivals.ts';
import { opensAShop, order, orm } from './paid-layaways.ts';

describe('cancel layaway with credit', () => {
  opensAShop();

  const { fork, walletsOf, storyOf, booksHold } = booksOf(() => orm);

  describe('credit that was spent on it', () => {
    const balance = async (customerId: number) => (await walletsOf(customerId, 'amount'))[0];
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
      expect(await readLayaway(fork(), orderId)).toMatchObject({
        totalCaptured: money('40'),
        balanceOwed: money('38'),
      });

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
      expect((await storyOf(orderId)).join()).not.toContain(layaway.code);
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
});

describe('cancel layaway', () => {
  opensAShop();

  const { memosOf, invoicesOf, fork, refuseWrites, promised, storyOf, howMany, change, remove, booksHold } = booksOf(
    () => orm,
  );
  const aPaidLayaway = async (amount: string, wanted: Parameters<typeof aLayaway>[1] = {}) => {
    const { orderId } = await aLayaway(fork(), wanted);
    await capturePayment(orm.em, aPayment(orderId, amount));
    return orderId;
  };

  test('deposit less fee: memo, invoice, order and promised goods in one step (worked example D)', async () => {
    const orderId = await aPaidLayaway('40');
    const reason = 'Ann moved away';

    expect(await cancelLayaway(orm.em, aCancellation(orderId, 20, { reason }))).toEqual({ status: 'cancelled' });

    const memos = await memosOf(orderId);
    expect(memos).toMatchObject([
      { grand_total: '32.0000', adjustment_positive: '32.0000', shipping_amount: '0.0000' },
    ]);
    expect(await howMany('sales_creditmemo_item', { parent_id: memos[0]!['entity_id'] })).toBe(0);
    expect(await order(orderId)).toEqual({
      state: 'canceled',
      status: 'canceled',
      pos_layaway_status: 'cancelled',
      total_paid: '40.0000',
      total_refunded: '32.0000',
      total_canceled: '68.0000',
      total_invoiced: '0.0000',
    });
    expect(await invoicesOf(orderId, 'state')).toEqual([{ state: 3 }]);
    expect(await promised(orderId)).toBe(0);
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
    expect((await storyOf(orderId)).slice(-3)).toEqual([
      'We refunded $32.00 offline.',
      'Layaway cancelled. Fee kept: $8.00. To hand back: $32.00 by cash. Reason: Ann moved away',
      'Canceled order offline',
    ]);
    await booksHold();
  });

  test.each([
    [0, '40.0000', 40, 0],
    [100, '0.0000', 0, 40],
    [33.3333, '26.6700', 26.67, 13.33],
  ])('a fee of %d %%: a memo of %s, %d to hand back, %d kept', async (percent, memo, refund, fee) => {
    const orderId = await aPaidLayaway('40');
    await cancelLayaway(orm.em, aCancellation(orderId, percent));
    expect(await memosOf(orderId, 'grand_total')).toEqual([{ grand_total: memo }]);
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

  test('an unpaid layaway is cancelled without a memo', async () => {
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
    expect(await promised(orderId)).toBe(0);
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
      expect(await memosOf(orderId)).toHaveLength(1);
    });

    test('one that was settled on the platform', async () => {
      const orderId = await aPaidLayaway('108');
      const [invoice] = await invoicesOf(orderId, 'entity_id');
      await payInvoice(orm.em, invoice!.entity_id);
      await expect(cancelLayaway(orm.em, aCancellation(orderId, 0))).rejects.toMatchObject({ status: 400 });
    });
  });

  test('the order that cannot be cancelled does not keep its layaway from it: the rest stands, the failure is told', async () => {
    const orderId = await aPaidLayaway('40');
    const mend = await refuseWrites({ to: 'inventory_reservation', says: 'the shelf is gone' });
    try {
      expect(await cancelLayaway(orm.em, aCancellation(orderId, 0))).toEqual({
        status: 'cancelled',
        orderNotCancelled: expect.objectContaining({ message: expect.stringContaining('the shelf is gone') }),
      });
    } finally {
      await mend();
    }
    expect(await order(orderId)).toMatchObject({
      state: 'processing',
      pos_layaway_status: 'cancelled',
      total_refunded: '40.0000',
      total_canceled: '0.0000',
    });
    expect((await verify(fork(), { lookAgainAfterMs: 1 })).map(({ id }) => id)).toEqual(['I-17']);
    await remove('layaway_cancellation', { order_id: orderId });
    await change('sales_order', { entity_id: orderId }, { pos_layaway_status: null });
  });

  test('eight at once are one memo and one cancellation', async () => {
    const orderId = await aPaidLayaway('40');
    const { done } = await outcomesAtOnce(8, () => cancelLayaway(orm.em, aCancellation(orderId, 10)));
    expect(done).toHaveLength(1);
    expect(await memosOf(orderId)).toHaveLength(1);
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
    expect(await promised(sale.orderId)).toBe(0);
    await booksHold();
  });

  test('a layaway with a refund under way is not cancelled: the rest to give back is not known yet', async () => {
    const orderId = await aPaidLayaway('60');
    await change('sales_order', { entity_id: orderId }, { base_pending_refund: 54 });
    await expect(cancelLayaway(orm.em, aCancellation(orderId, 90))).rejects.toMatchObject({ status: 400 });
    expect(await order(orderId)).toMatchObject({ state: 'pending_payment', total_refunded: '0.0000' });
    await change('sales_order', { entity_id: orderId }, { base_pending_refund: 0 });
  });
});

describe('ended layaway', () => {
  let orm: MikroORM;
  beforeAll(async () => {
    orm = await testDatabase();
    await aShop(fork());
  });
  afterAll(async () => {
    await booksHold();
    await orm.close();
  });

  const { memosOf, invoicesOf, theOrder, fork, change, booksHold } = booksOf(() => orm);
  const stands = async (orderId: number) =>
    await theOrder(orderId, 'state', 'pos_layaway_status', 'total_paid', 'total_due');
  const cancel = (orderId: number, feePercent = 0) => cancelLayaway(orm.em, aCancellation(orderId, feePercent));
  const pay = (orderId: number, amount: string) => capturePayment(orm.em, aPayment(orderId, amount));
  const giveBack = (orderId: number, amount: string) =>
    refundOrder(orm.em, {
      orderId,
      items: [],
      adjustmentPositive: money(amount),
      adjustmentNegative: zero,
      returnToStockItemIds: [],
    });

  /** Its invoice was cancelled and written anew in two halves; 40 of 108 are paid. */
  async function cutInTwo() {
    const { orderId, itemIds } = await aLayaway(fork());
    await pay(orderId, '40');
    const [whole] = await invoicesOf(orderId);
    await saveInvoice(orm.em, { entityId: whole!['entity_id'], state: 3 });
    const half = { orderId, items: [{ orderItemId: itemIds[0]!, qty: pieces(1) }] };
    return { orderId, halves: [await saveInvoice(orm.em, half), await saveInvoice(orm.em, half)] as const };
  }

  describe('a layaway that was cancelled', () => {
    test('leaves no invoice open, into however many its invoice was cut', async () => {
      const { orderId, halves } = await cutInTwo();
      expect(await cancel(orderId, 10)).toEqual({ status: 'cancelled' });
      expect((await invoicesOf(orderId)).map(({ state }) => state)).toEqual([3, 3, 3]);
      for (const invoiceId of halves)
        await expect(payInvoice(orm.em, invoiceId)).rejects.toMatchObject({ status: 400 });
      expect(await stands(orderId)).toMatchObject({ state: 'canceled', total_paid: '40.0000' });
    });

    test('has a memo of its deposit though its invoice was cancelled before', async () => {
      const { orderId } = await aLayaway(fork());
      await pay(orderId, '40');
      await saveInvoice(orm.em, { entityId: (await invoicesOf(orderId))[0]!['entity_id'], state: 3 });
      await cancel(orderId, 25);
      expect(await memosOf(orderId, 'grand_total')).toEqual([{ grand_total: '30.0000' }]);
    });

    const payments: readonly [string, (orderId: number, invoiceId: number) => Promise<unknown>][] = [
      [
        'a save with a higher total paid',
        (orderId) => updateOrder(orm.em, orderId, { posted: { columns: { totalPaid: money('108') } } }),
      ],
      [
        'a save in base',
        (orderId) => updateOrder(orm.em, orderId, { posted: { columns: { baseTotalPaid: money('108') } } }),
      ],
      ['its invoice', (_orderId, invoiceId) => payInvoice(orm.em, invoiceId)],
      ['its invoice, saved as paid', (_orderId, entityId) => saveInvoice(orm.em, { entityId, state: 2 })],
      ['a new invoice', (orderId) => createInvoice(orm.em, { orderId })],
      ['a new invoice that is open', (orderId) => saveInvoice(orm.em, { orderId })],
      ['a payment of the layaway', (orderId) => pay(orderId, '10')],
      ['credit due', (orderId) => collectDuePayment(orm.em, { orderId, reference: 'late', amount: money('10') })],
    ];
    test.each(payments)('takes no money by %s', async (_way, take) => {
      const { orderId } = await aLayaway(fork(), { columns: { posCreditDue: money('50') } });
      await pay(orderId, '40');
      await cancel(orderId, 0);
      const [invoice] = await invoicesOf(orderId);
      await expect(take(orderId, invoice!['entity_id'])).rejects.toMatchObject({ status: 400 });
      expect(await stands(orderId)).toMatchObject({ total_paid: '40.0000' });
    });

    test.each(payments)('takes no money by %s, though its order could not be cancelled', async (_way, take) => {
      const { orderId } = await aLayaway(fork(), { columns: { posCreditDue: money('50') } });
      await pay(orderId, '100');
      const is = (status: string) => change('sales_order', { entity_id: orderId }, { pos_layaway_status: status });
      await is('cancelled');
      await expect(take(orderId, (await invoicesOf(orderId))[0]!['entity_id'])).rejects.toMatchObject({ status: 400 });
      await is('open');
      expect(await invoicesOf(orderId)).toMatchObject([{ state: 1 }]);
    });

    test('keeps its fee: what was settled goes out by no further memo', async () => {
      const { orderId } = await aLayaway(fork());
      await pay(orderId, '40');
      await cancel(orderId, 20);
      await expect(giveBack(orderId, '8')).rejects.toMatchObject({ status: 400 });
    });

    test('without an invoice hands its money back once', async () => {
      const { orderId } = await anOrder(fork(), {
        paid: false,
        shipped: false,
        columns: { state: 'pending_payment', status: 'pending_payment' },
      });
      await updateOrder(orm.em, orderId, { posted: { columns: { posLayawayStatus: 'open' } } });
      await pay(orderId, '40');
      await cancel(orderId, 25);
      expect(await theOrder(orderId, 'returned_without_memo', 'base_returned_without_memo')).toEqual({
        returned_without_memo: '30.0000',
        base_returned_without_memo: '30.0000',
      });
      await expect(giveBack(orderId, '40')).rejects.toMatchObject({ status: 400 });
    });

    test('may have been held', async () => {
      const { orderId } = await aLayaway(fork());
      await holdOrder(orm.em, orderId);
      expect(await cancel(orderId)).toEqual({ status: 'cancelled' });
      expect(await stands(orderId)).toMatchObject({ state: 'canceled', pos_layaway_status: 'cancelled' });
    });
  });

  describe('a layaway that owes something', () => {
    test.each<[string, (invoiceId: number) => Promise<unknown>]>([
      ['captured', (invoiceId) => payInvoice(orm.em, invoiceId)],
      ['saved as paid', (entityId) => saveInvoice(orm.em, { entityId, state: 2 })],
    ])('is not paid when its invoice is %s: the till took no money', async (_verb, take) => {
      const { orderId } = await aLayaway(fork());
      await pay(orderId, '40');
      const [invoice] = await invoicesOf(orderId);
      await expect(take(invoice!['entity_id'])).rejects.toMatchObject({
        status: 400,
        message: expect.stringMatching(/^The layaway still owes %1/),
        parameters: ['68'],
      });
      expect(await stands(orderId)).toMatchObject({ state: 'pending_payment', pos_layaway_status: 'open' });
      await pay(orderId, '68');
      await take(invoice!['entity_id']);
      expect(await stands(orderId)).toEqual({
        state: 'processing',
        pos_layaway_status: 'ready_to_settle',
        total_paid: '108.0000',
        total_due: '0.0000',
      });
    });

    test('is not paid by an invoice of some of its goods, nor by a new one', async () => {
      const { orderId, halves } = await cutInTwo();
      await expect(payInvoice(orm.em, halves[0])).rejects.toMatchObject({ status: 400 });
      await saveInvoice(orm.em, { entityId: halves[1], state: 3 });
      await expect(createInvoice(orm.em, { orderId })).rejects.toMatchObject({ status: 400 });
      await pay(orderId, '68');
      await payInvoice(orm.em, halves[0]);
      await createInvoice(orm.em, { orderId });
      expect(await stands(orderId)).toMatchObject({ total_paid: '108.0000', state: 'processing' });
    });

    test('paid by credit due has all its invoices paid, also those in parts', async () => {
      const { orderId, halves } = await cutInTwo();
      await updateOrder(orm.em, orderId, { posted: { columns: { posCreditDue: money('68') } } });
      const paid = await collectDuePayment(orm.em, { orderId, reference: 'rest', amount: money('68') });
      expect(paid).toMatchObject({ isInvoicePaid: true, totalDue: 0 });
      expect((await invoicesOf(orderId)).filter(({ state }) => state === 2)).toHaveLength(halves.length);
    });
  });

  test('goods of a layaway come back once it is settled, not before', async () => {
    const { orderId, itemIds } = await aLayaway(fork());
    const giveIn = () =>
      createReturn(orm.em, {
        orderId,
        customerId: null,
        locationId: null,
        items: [anItem(itemIds[0]!)],
        comment: null,
        isAutoApproved: false,
        refundMethod: null,
        posSaleId: null,
      });
    const refused = {
      status: 400,
      message: expect.stringContaining('The layaway is not settled yet. Settle it first, or cancel it.'),
      parameters: expect.objectContaining({ outcome: 'return_not_eligible', reason_code: 'vendor_rule' }),
    };
    await expect(giveIn()).rejects.toMatchObject(refused);
    await pay(orderId, '40');
    await expect(giveIn()).rejects.toMatchObject(refused);
    await pay(orderId, '68');
    await expect(giveIn()).rejects.toMatchObject(refused);
    await payInvoice(orm.em, (await invoicesOf(orderId))[0]!['entity_id']);
    expect(await giveIn()).toMatchObject({ orderId });
  });

  test.each(['holded', 'payment_review', 'complete', 'closed'] satisfies OrderState[])(
    'the cancel of a layaway without deposit or open invoice ends its order, which is %s, too',
    async (state) => {
      const { orderId } = await aLayaway(fork());
      const [invoice] = await invoicesOf(orderId);
      await saveInvoice(fork(), { entityId: invoice!['entity_id'], state: 3 });
      await change('sales_order', { entity_id: orderId }, { state, status: state });

      expect(await cancel(orderId, 10)).toEqual({ status: 'cancelled' });
      expect(await stands(orderId)).toMatchObject({ state: 'canceled', pos_layaway_status: 'cancelled' });
    },
  );
});
