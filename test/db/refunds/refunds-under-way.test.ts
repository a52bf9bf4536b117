import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { verify } from '../../../books/verify/verify.ts';
import { cancelLayaway } from '../../../db/layaways/cancel-layaway.ts';
import { capturePayment } from '../../../db/layaways/capture-payment.ts';
import { refundInvoice, refundOrder } from '../../../db/platform/credit-memos/refund-invoice.ts';
import { saveInvoice } from '../../../db/platform/invoices/invoices.ts';
import { updateOrder } from '../../../db/platform/update-order.ts';
import { cancelOrder } from '../../../db/platform/orders/cancel-order.ts';
import { holdOrder } from '../../../db/platform/orders/hold-order.ts';
import { readOrderRows } from '../../../db/platform/orders/lock-order.ts';
import { unholdOrder } from '../../../db/platform/orders/hold-order.ts';
import type { PostedColumns, PostedOrder } from '../../../db/platform/orders/posted-order.ts';
import { findLimbo } from '../../../db/refunds/find-limbo.ts';
import { explainUsedUp } from '../../../db/refunds/refundable-money.ts';
import { previewRefund } from '../../../db/refunds/preview-refund.ts';
import { claimRefundCall } from '../../../db/refunds/refund-intent.ts';
import { bookSettlement, settleThroughGateway } from '../../../db/returns/settle-return.ts';
import { createReturn, initialiseReturn } from '../../../db/returns/create-return.ts';
import { withReturn } from '../../../db/returns/lock-return.ts';
import { recordFinding } from '../../../db/verdicts/record-finding.ts';
import { invalid } from '../../../domain/errors.ts';
import { formatAmount, money, zero, coinOf, toCoins, none, pieces } from '../../../domain/money.ts';
import { inMinorUnits } from '../../../domain/currency-texts.ts';
import type { OrderState } from '../../../domain/platform/order-state.ts';
import { plainSettlement, type SettlementOptions } from '../../../domain/refunds/quote-refund.ts';
import { booksOf } from '../../support/books.ts';
import { aCancellation, aPayment } from '../../support/builders/layaway.ts';
import { anOrder, type WantedOrder } from '../../support/builders/order.ts';
import { aRefundUnderWay, openInvoiceOf } from '../../support/builders/refund-under-way.ts';
import { anItem, aReturn } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { testDatabase } from '../../support/database.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { daysAgo, minutesAgo } from '../../support/moments.ts';

describe('find limbo', () => {
  const orm = useDatabase();
  let locationId: number;
  beforeAll(async () => {
    ({ locationId } = await aShop(fork()));
  });

  const { fork, change, insertAll } = booksOf(() => orm);

  test('a return that was cut off is found, however many older ones are held until a person closes them', async () => {
    const { returnId, orderId } = await aReturn(orm, { locationId });
    const held = { order_id: orderId, is_auto_approved: true, is_ready: false, updated_at: daysAgo(1) };
    await insertAll(
      'sale_return',
      Array.from({ length: 250 }, (_, at) => ({ increment_id: `held-${at}`, ...held })),
    );
    await change('sale_return', { return_id: returnId }, { updated_at: minutesAgo(1) });

    let sweeps = 0;
    let isFound = false;
    while (!isFound && sweeps++ < 100) isFound = (await findLimbo(fork())).returnIds.includes(returnId);

    expect(isFound).toBe(true);
  });
});

describe('refunds under way', () => {
  let orm: MikroORM;
  let locationId: number;
  beforeAll(async () => {
    orm = await testDatabase();
    ({ locationId } = await aShop(fork()));
    await fillShelves();
  });
  afterAll(async () => {
    await booksHold();
    await orm.close();
  });

  const { find, fork, fillShelves, booksHold } = booksOf(() => orm);

  const sale = (wanted: WantedOrder) => anOrder(fork(), { method: 'provider_a', lastTransId: 'pay_1', ...wanted });
  const aLine = { sku: 'MUG', qty: 1, price: '50' };
  /** Three lines at 50 and 10 for shipping. */
  const threeLines = { lines: [aLine, aLine, aLine], shipping: '10' };

  /** A return of a line, of one piece unless told otherwise, its goods in and its money open. */
  async function parked(orderId: number, itemId: number, qty = 1) {
    const { returnId } = await createReturn(orm.em, {
      orderId,
      customerId: null,
      locationId,
      items: [{ ...anItem(itemId), qtyRequested: pieces(qty) }],
      comment: null,
      isAutoApproved: true,
      refundMethod: 'cash',
      posSaleId: null,
    });
    await initialiseReturn(orm.em, { returnId, canRefundThrough: () => true });
    return returnId;
  }

  /** An uncertain refund by the original payment. */
  async function underWay(orderId: number, itemId: number, options: Partial<SettlementOptions> = {}, qty = 1) {
    const returnId = await parked(orderId, itemId, qty);
    const { attempt } = await withReturn(orm.em, returnId, (tx, locked) =>
      settleThroughGateway(tx, {
        ...locked,
        canRefundThrough: () => true,
        options: { ...plainSettlement, ...options },
      }),
    );
    const { attemptId } = attempt!;
    await claimRefundCall(fork(), { attemptId, timeoutSeconds: 20 });
    await recordFinding(orm.em, { attemptId, finding: { evidence: 'unknown' }, now: new Date() });
    return attemptId;
  }

  async function inCash(orderId: number, itemId: number, options: Partial<SettlementOptions> = {}) {
    const returnId = await parked(orderId, itemId);
    return bookSettlement(orm.em, {
      returnId,
      method: 'cash',
      options: { ...plainSettlement, ...options },
      requestId: `cash-${returnId}`,
    });
  }

  const wentThrough = (attemptId: number) =>
    recordFinding(orm.em, {
      attemptId,
      finding: { evidence: 'refunded', gatewayReference: `gw-${attemptId}` },
      now: new Date(),
    });

  const memosOf = async (orderId: number) =>
    (await find('sales_creditmemo', { order_id: orderId })).map((memo) => ({
      ...{ total: Number(memo['grand_total']), base: Number(memo['base_grand_total']) },
      ...{ shipping: Number(memo['shipping_amount']), goodwill: Number(memo['adjustment_positive']) },
    }));
  const byHand = { adjustmentPositive: zero, adjustmentNegative: zero, returnToStockItemIds: [] };
  const one = (itemId: number | undefined) => [{ orderItemId: itemId!, qty: pieces(1) }];

  describe('while a refund is uncertain', () => {
    test('no other refund gives its shipping back, and it is booked with it', async () => {
      const { orderId, itemIds } = await sale(threeLines);
      const attemptId = await underWay(orderId, itemIds[0]!);
      const preview = await previewRefund(fork(), { orderId, items: one(itemIds[1]), options: plainSettlement });
      expect(preview.refund.order).toBe(money('50'));

      await inCash(orderId, itemIds[1]!);
      expect(await wentThrough(attemptId)).toMatchObject({ state: 'booked' });
      await inCash(orderId, itemIds[2]!);

      expect(await memosOf(orderId)).toMatchObject([
        { total: 50, shipping: 0 },
        { total: 60, shipping: 10, goodwill: 0 },
        { total: 50, shipping: 0 },
      ]);
    });

    test('the rest of the order can be given back, and shipping again once it failed', async () => {
      const { orderId, itemIds } = await sale({ ...threeLines, lines: [aLine, aLine], shippingTax: '0.8' });
      const attemptId = await underWay(orderId, itemIds[0]!);
      await inCash(orderId, itemIds[1]!);
      const said = { evidence: 'not_refunded', isFinal: true } as const;
      await recordFinding(orm.em, { attemptId, finding: said, now: new Date() });
      await refundOrder(orm.em, { ...byHand, orderId, items: [] });

      expect(await memosOf(orderId)).toMatchObject([
        { total: 50, shipping: 0 },
        { total: 60.8, shipping: 10 },
      ]);
    });

    test('shipping that it was asked to give back stays its own', async () => {
      const { orderId, itemIds } = await sale({ ...threeLines, lines: [aLine, aLine] });
      const attemptId = await underWay(orderId, itemIds[0]!, { shippingAmount: money('10') });
      await inCash(orderId, itemIds[1]!);

      expect(await wentThrough(attemptId)).toMatchObject({ state: 'booked' });
      expect(await memosOf(orderId)).toMatchObject([{ total: 50 }, { total: 60, shipping: 10 }]);
    });

    test('two of them are each booked as they were worked out, whichever is known first', async () => {
      const lines = [{ sku: 'MUG', qty: 3, price: '33.33', tax: '8.02' }];
      const { orderId, itemIds } = await sale({ ...threeLines, lines });
      const first = await underWay(orderId, itemIds[0]!);
      const second = await underWay(orderId, itemIds[0]!);
      expect(await wentThrough(second)).toMatchObject({ state: 'booked' });
      expect(await wentThrough(first)).toMatchObject({ state: 'booked' });
      await refundOrder(orm.em, { ...byHand, orderId, items: [] });

      expect(await memosOf(orderId)).toMatchObject([
        { total: 36.01, shipping: 0 },
        { total: 46, shipping: 10 },
        { total: 36, shipping: 0 },
      ]);
    });

    test('a cent of rounding does not stop it, where all other money is back', async () => {
      const { orderId, itemIds } = await sale({ lines: [{ sku: 'MUG', qty: 5, price: '10', tax: '4.01' }] });
      const attemptId = await underWay(orderId, itemIds[0]!, {}, 2);
      await inCash(orderId, itemIds[0]!);
      const noGoods = [{ orderItemId: itemIds[0]!, qty: none }];
      await refundOrder(orm.em, { ...byHand, orderId, items: noGoods, adjustmentPositive: money('21.61') });

      expect(await wentThrough(attemptId)).toMatchObject({ state: 'booked' });
      expect(await memosOf(orderId)).toMatchObject([{ total: 10.8 }, { total: 21.61 }, { total: 21.6 }]);
    });

    test('the platform’s own refunds leave it its goods, and say whose they are', async () => {
      const { orderId, invoiceId, itemIds } = await sale(threeLines);
      const attemptId = await underWay(orderId, itemIds[0]!);
      const asked = { ...byHand, items: one(itemIds[0]), shippingAmount: zero };

      await expect(refundOrder(orm.em, { ...asked, orderId })).rejects.toMatchObject({
        status: 400,
        message: expect.stringContaining('is under way for item'),
        parameters: { refund_attempt_id: attemptId },
      });
      await expect(refundInvoice(orm.em, { ...asked, invoiceId: invoiceId! })).rejects.toMatchObject({ status: 400 });
      await refundOrder(orm.em, { ...byHand, orderId, items: [] });
      expect(await wentThrough(attemptId)).toMatchObject({ state: 'booked' });

      expect(await memosOf(orderId)).toMatchObject([{ total: 100 }, { total: 60, shipping: 10 }]);
    });

    test('a settlement that wants the same goods names it, not a memo of other goods', async () => {
      const { orderId, itemIds } = await sale(threeLines);
      await inCash(orderId, itemIds[1]!);
      const attemptId = await underWay(orderId, itemIds[0]!);
      const order = await readOrderRows(fork(), orderId);
      const wanted = { order: order!, returnId: null, items: one(itemIds[0]) };

      expect(await explainUsedUp(fork(), invalid('Too many.'), wanted)).toMatchObject({
        parameters: { outcome: 'nothing_left_to_refund', refund_attempt_id: attemptId },
      });
    });

    test('its money is kept in the order’s currency, too', async () => {
      const { orderId, itemIds } = await sale({
        lines: [{ sku: 'MUG', qty: 2, price: '5' }],
        rate: '1.36',
        currency: 'CAD',
        storeId: 2,
      });
      const attemptId = await underWay(orderId, itemIds[0]!, { adjustmentNegative: money('0.54') });

      await expect(inCash(orderId, itemIds[0]!, { adjustmentPositive: money('0.55') })).rejects.toThrow(
        'The most money available to refund is 5.4.',
      );
      await refundOrder(orm.em, { ...byHand, orderId, items: one(itemIds[0]), adjustmentPositive: money('0.4') });
      expect(await wentThrough(attemptId)).toMatchObject({ state: 'booked' });
      expect(await memosOf(orderId)).toMatchObject([
        { total: 7.34, base: 5.4 },
        { total: 6.26, base: 4.6 },
      ]);
    });
  });

  test.each([
    ['goods that cost nothing', { ...aLine, discount: '50' }, {}],
    ['goods with a fee as large as their price', aLine, { adjustmentNegative: money('50') }],
  ])('%s come back by the original payment without a gateway', async (_case, line, options) => {
    const { orderId, itemIds } = await sale({ lines: [line, aLine] });
    const returnId = await parked(orderId, itemIds[0]!);
    const asked = { ...plainSettlement, ...options };
    const preview = await previewRefund(fork(), { orderId, items: one(itemIds[0]), options: asked });

    const settled = await withReturn(orm.em, returnId, (tx, locked) =>
      settleThroughGateway(tx, { ...locked, canRefundThrough: () => true, options: asked }),
    );

    expect(settled.attempt).toBeUndefined();
    expect(preview.refund.order).toBe(zero);
    expect(await memosOf(orderId)).toMatchObject([{ total: 0 }]);
  });
});

describe('verbs beside a refund', () => {
  let orm: MikroORM;
  let locationId: number;
  beforeAll(async () => {
    orm = await testDatabase();
    ({ locationId } = await aShop(fork()));
    await fillShelves();
  });
  afterAll(async () => {
    await booksHold();
    await orm.close();
  });

  const { theOrder, fork, change, fillShelves, booksHold } = booksOf(() => orm);

  const sale = (wanted: WantedOrder = {}) =>
    anOrder(fork(), { method: 'provider_a', lastTransId: 'pay_1', shipped: false, ...wanted });
  const aLine = { sku: 'MUG', qty: 1, price: '50' };
  const byHand = { adjustmentPositive: zero, adjustmentNegative: zero, returnToStockItemIds: [] };
  const noGoods = (itemIds: readonly number[]) => itemIds.map((orderItemId) => ({ orderItemId, qty: none }));
  const save = (orderId: number, columns: PostedColumns, rest: Omit<PostedOrder, 'columns'> = {}) =>
    updateOrder(fork(), orderId, { posted: { columns, ...rest } });

  const wentThrough = (attemptId: number) =>
    recordFinding(orm.em, {
      attemptId,
      finding: { evidence: 'refunded', gatewayReference: `gw-${attemptId}` },
      now: new Date(),
    });
  const stateOf = async (orderId: number) => (await theOrder(orderId, 'state')).state;
  const refused = (attemptId: number) => ({
    status: 400,
    message: 'A refund of this order is under way. Try again when it is known what became of it.',
    parameters: { refund_attempt_id: attemptId },
  });

  describe.each(['started', 'uncertain'] as const)('while a refund is %s', (state) => {
    const underWay = (orderId: number, itemId: number) => aRefundUnderWay(orm, { orderId, itemId, locationId, state });

    test('its order is not put on hold', async () => {
      const { orderId, itemIds } = await sale();
      const attemptId = await underWay(orderId, itemIds[0]!);
      await expect(holdOrder(fork(), orderId)).rejects.toMatchObject(refused(attemptId));
      expect(await wentThrough(attemptId)).toMatchObject({ state: 'booked' });
      await holdOrder(fork(), orderId);
      await unholdOrder(fork(), orderId);
    });

    test('what is left of its order is not cancelled', async () => {
      const { orderId, itemIds } = await sale({ lines: [aLine, aLine], paid: false });
      await saveInvoice(fork(), { orderId, state: 2, items: [{ orderItemId: itemIds[0]!, qty: pieces(1) }] });
      const attemptId = await underWay(orderId, itemIds[0]!);
      await expect(cancelOrder(fork(), orderId)).rejects.toMatchObject(refused(attemptId));
      expect(await wentThrough(attemptId)).toMatchObject({ state: 'booked' });
      expect(await cancelOrder(fork(), orderId)).toBe(true);
    });

    test('no open invoice of its order is cancelled', async () => {
      const { orderId, itemIds } = await sale({ layaway: true });
      await capturePayment(fork(), aPayment(orderId, '60'));
      // Goods of a layaway that is not settled do not come back any more: this refund began before that was a rule.
      const asLayaway = (status: string | null) =>
        change('sales_order', { entity_id: orderId }, { pos_layaway_status: status });
      await asLayaway(null);
      const attemptId = await underWay(orderId, itemIds[0]!);
      await asLayaway('open');
      const entityId = await openInvoiceOf(orm, orderId);
      await expect(saveInvoice(fork(), { entityId, state: 3 })).rejects.toMatchObject(refused(attemptId));
      const wanted = aCancellation(orderId, 0);
      await expect(cancelLayaway(fork(), wanted)).rejects.toMatchObject(refused(attemptId));
      expect(await wentThrough(attemptId)).toMatchObject({ state: 'booked' });
      await cancelLayaway(fork(), wanted);
    });

    test.each(['holded', 'canceled', 'closed', 'payment_review', 'new'] satisfies OrderState[])(
      'no save makes its order %s',
      async (wanted) => {
        const { orderId, itemIds } = await sale();
        const attemptId = await underWay(orderId, itemIds[0]!);
        await expect(save(orderId, { state: wanted })).rejects.toMatchObject(refused(attemptId));
        expect(await wentThrough(attemptId)).toMatchObject({ state: 'booked' });
      },
    );

    test('no save changes what its memo is worked out from; all else may be saved, and sent back', async () => {
      const { orderId, itemIds } = await sale({ shipping: '10' });
      const attemptId = await underWay(orderId, itemIds[0]!);
      for (const columns of [
        { shippingAmount: money('11'), baseShippingAmount: money('11') },
        { grandTotal: money('200'), baseGrandTotal: money('200') },
        { taxAmount: money('9') },
        { baseSubtotal: money('101') },
      ])
        await expect(save(orderId, columns)).rejects.toMatchObject(refused(attemptId));
      for (const line of [{ qtyOrdered: pieces(3) }, { rowTotal: money('120') }, { isQtyDecimal: true }])
        await expect(save(orderId, {}, { lines: [{ itemId: itemIds[0], ...line }] })).rejects.toMatchObject(
          refused(attemptId),
        );
      await save(
        orderId,
        { customerNote: 'call me', shippingAmount: money('10'), state: 'processing', baseToOrderRate: '1' },
        { lines: [{ itemId: itemIds[0], qtyOrdered: pieces(2), description: 'blue' }], payment: { poNumber: '7' } },
      );
      expect(await wentThrough(attemptId)).toMatchObject({ state: 'booked' });
    });

    test('refunds by hand of all the rest leave its order open, however fees and goodwill balance', async () => {
      const { orderId, itemIds } = await sale({ lines: [aLine, aLine], shipped: true });
      const attemptId = await underWay(orderId, itemIds[0]!);
      const other = [{ orderItemId: itemIds[1]!, qty: pieces(1) }];
      await refundOrder(fork(), { ...byHand, orderId, items: other, adjustmentNegative: money('50') });
      const goodwill = { orderId, items: noGoods(itemIds), adjustmentPositive: money('50') };
      await refundOrder(fork(), { ...byHand, ...goodwill });
      expect(await stateOf(orderId)).toBe('complete');
      expect(await wentThrough(attemptId)).toMatchObject({ state: 'booked' });
      expect(await stateOf(orderId)).toBe('closed');
    });
  });

  test('shipping that was refunded cannot be saved smaller, and the goods come back to the cent', async () => {
    const { orderId, itemIds } = await sale({ lines: [aLine], shipping: '10' });
    const refund = { ...byHand, orderId, items: noGoods(itemIds), shippingAmount: money('10') };
    await refundOrder(fork(), refund);
    await expect(save(orderId, { shippingAmount: money('4'), baseShippingAmount: money('4') })).rejects.toMatchObject({
      status: 400,
      parameters: { fieldName: 'shippingAmount' },
    });
    const attemptId = await aRefundUnderWay(orm, { orderId, itemId: itemIds[0]!, locationId, state: 'uncertain' });
    expect(await wentThrough(attemptId)).toMatchObject({ state: 'booked' });
  });
});

describe('whole coins', () => {
  let orm: MikroORM;
  let locationId: number;
  beforeAll(async () => {
    orm = await testDatabase();
    ({ locationId } = await aShop(fork()));
  });
  afterAll(async () => {
    expect(await verify(fork())).toEqual([]);
    await orm.close();
  });

  const { memosOf, theOrder, findOne, fork } = booksOf(() => orm);

  /** Two mugs by card, their figures as fine as a register posted them. */
  const aFineOrder = (price: string, tax: string, more: WantedOrder) =>
    anOrder(fork(), {
      method: 'provider_a',
      lastTransId: `pay_${price}`,
      lines: [{ sku: 'MUG', qty: 2, price, tax }],
      step: 1,
      ...more,
    });

  async function aMugBack({ orderId, itemIds }: { orderId: number; itemIds: number[] }, count: number, method: string) {
    const refundMethod = method === 'card' ? 'original_payment' : 'cash';
    const { returnId } = await createReturn(orm.em, {
      orderId,
      customerId: null,
      locationId,
      items: [{ ...anItem(itemIds[0] ?? 0), qtyRequested: pieces(count) }],
      comment: null,
      isAutoApproved: true,
      refundMethod,
      posSaleId: null,
    });
    const { attempt } = await initialiseReturn(orm.em, { returnId, canRefundThrough: () => true });
    if (method === 'cash') {
      await bookSettlement(orm.em, { returnId, method, options: plainSettlement, requestId: `r-${returnId}` });
      return { call: undefined };
    }
    const attemptId = attempt?.attemptId ?? 0;
    const call = await claimRefundCall(fork(), { attemptId, timeoutSeconds: 20 });
    const finding = { evidence: 'refunded' as const, gatewayReference: `re_${attemptId}` };
    await recordFinding(orm.em, { attemptId, finding, now: new Date() });
    return { call };
  }

  const preview = (sale: { orderId: number; itemIds: number[] }, count: number) =>
    previewRefund(fork(), {
      orderId: sale.orderId,
      items: [{ orderItemId: sale.itemIds[0] ?? 0, qty: pieces(count) }],
      options: plainSettlement,
    });

  const lastMemo = async (orderId: number) => (await memosOf(orderId, 'grand_total', 'base_grand_total')).at(-1)!;

  /** Base currency, the order's own, and one unit of base in it. */
  const sales: [price: string, tax: string, base: string, own: string, rate: string, paidBack: string][] = [
    ['5', '0.125', 'USD', 'USD', '1', '10.1300'],
    ['4.6875', '0.755', 'USD', 'USD', '1', '10.1300'],
    ['5.062', '0', 'KWD', 'KWD', '1', '10.1240'],
    ['5.0621', '0', 'KWD', 'KWD', '1', '10.1240'],
    ['150', '33.33', 'JPY', 'JPY', '1', '333.0000'],
    ['5', '0.125', 'USD', 'JPY', '150.37', '1522.0000'],
    ['5.062', '0', 'KWD', 'USD', '3.25', '32.9000'],
    ['150', '33.33', 'JPY', 'KWD', '0.00207', '0.6900'],
    ['1000', '25.5', 'HUF', 'HUF', '1', '2025.5000'],
  ];

  describe.each(sales)(
    'two mugs at %s with %s tax, books in %s, sold in %s',
    (price, tax, baseCurrency, currency, rate, all) => {
      const sell = () => aFineOrder(price, tax, { baseCurrency, currency, rate });

      test.each(['card', 'cash'] as const)(
        'go back whole by %s: what was shown is asked for and booked',
        async (method) => {
          const sale = await sell();
          const shown = await preview(sale, 2);
          const { call } = await aMugBack(sale, 2, method);

          expect(formatAmount(shown.refund.order)).toBe(all);
          const memo = await lastMemo(sale.orderId);
          expect([memo.grand_total, memo.base_grand_total]).toEqual(
            [shown.refund.order, shown.refund.base].map(formatAmount),
          );
          if (method === 'card') {
            expect(call).toMatchObject({ amount: shown.handback.order, capturedAmount: shown.refund.order });
            expect(inMinorUnits(shown.handback.order, currency)).toBeGreaterThan(0);
          }
          expect(await theOrder(sale.orderId, 'state', 'total_refunded', 'base_total_refunded')).toEqual({
            state: 'closed',
            total_refunded: all,
            base_total_refunded: formatAmount(shown.refund.base),
          });
        },
      );

      test('go back one by one, by cash and by card, and nothing is left', async () => {
        const sale = await sell();
        for (const method of ['cash', 'card']) {
          const shown = await preview(sale, 1);
          await aMugBack(sale, 1, method);
          expect((await lastMemo(sale.orderId)).grand_total).toBe(formatAmount(shown.refund.order));
        }
        const order = await theOrder(sale.orderId);
        expect(order).toMatchObject({ state: 'closed', total_refunded: all });
        expect(order['base_total_refunded']).toBe(
          formatAmount(toCoins(money(order['base_total_paid'] ?? ''), coinOf(baseCurrency))),
        );
      });
    },
  );

  test.each([
    ['JPY', '400', '33.33', '133', '133.0000', '80.0000'],
    ['KWD', '4.004', '1.0015', '2.001', '2.0010', '1.2010'],
  ] as const)(
    'a layaway in %s is paid and cancelled in its coins',
    async (currency, price, tax, asked, booked, handedBack) => {
      const sale = await aFineOrder(price, tax, { baseCurrency: currency, layaway: true, method: 'cash' });
      const { orderId } = sale;
      const payment = {
        orderId,
        amount: money(asked),
        paymentMethod: 'cash',
        reference: null,
        operationKey: `pay-${currency}`,
        beginBefore: 'infinity',
      };
      await capturePayment(fork(), payment);
      const { total_due: due, ...paid } = await theOrder(
        orderId,
        'total_paid',
        'total_due',
        'pos_layaway_balance_owed',
      );
      expect(paid).toEqual({ total_paid: booked, pos_layaway_balance_owed: due });

      await cancelLayaway(fork(), aCancellation(orderId, 40));
      const { refund } = await findOne('layaway_cancellation', { order_id: orderId }, 'refund');
      expect(refund).toBe(handedBack);
      expect((await lastMemo(orderId)).grand_total).toBe(refund);
    },
  );
});
