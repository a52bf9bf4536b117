import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { verify } from '../../../../books/verify/verify.ts';
import {
  bookCreditMemo,
  quoteCreditMemo,
  refundableOrder,
  type BookedMemo,
} from '../../../../db/platform/credit-memos/book-credit-memo.ts';
import { CreditMemoItem } from '../../../../db/platform/credit-memos/credit-memo.entity.ts';
import { createInvoice } from '../../../../db/platform/invoices/invoices.ts';
import { createOrder } from '../../../../db/platform/place-order.ts';
import { withOrder } from '../../../../db/platform/orders/lock-order.ts';
import { OrderItem, PaymentTransaction } from '../../../../db/platform/orders/order-parts.entity.ts';
import { Order } from '../../../../db/platform/orders/order.entity.ts';
import { createShipment } from '../../../../db/platform/shipments/shipments.ts';
import { PosError } from '../../../../domain/errors.ts';
import { money, zero, none, pieces } from '../../../../domain/money.ts';
import { afterMemo } from '../../../../domain/platform/credit-memos/credit-memo-coins.ts';
import { booksOf } from '../../../support/books.ts';
import { anOrder, aPostedOrder, type WantedOrder } from '../../../support/builders/order.ts';
import { aRequest } from '../../../support/builders/refundable-order.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { useDatabase } from '../../../support/fixtures.ts';
import { outcomesAtOnce } from '../../../support/rivals.ts';
import { seed } from '../../../support/seed.ts';
import {
  book,
  both,
  itemsOf,
  memosOf,
  onlyItem,
  opensAShop,
  orm,
  readOrder,
  savedOrder,
  stockMoves,
  stockUp,
  take,
  wordsOf,
} from './booked-memos.ts';
import type { CreditMemoRequest } from '../../../../domain/platform/credit-memos/credit-memo-figures.ts';

describe('book credit memo', () => {
  opensAShop();

  const { storyOf, shelf, promised, fork } = booksOf(() => orm);

  describe('a credit memo', () => {
    test('changes lines, order, payment and history as the platform has it', async () => {
      const sale = await anOrder(fork(), { shipping: '10', shippingTax: '0.8' });
      const request = {
        ...aRequest({ shipping: '5', positive: '2.5', negative: '1' }),
        items: [{ orderItemId: onlyItem(sale), qty: pieces(1) }],
      };
      const memo = await book(sale.orderId, request);

      expect(memo).toMatchObject({ state: 2, isOnline: false, subtotal: money('50'), taxAmount: money('4.4') });
      expect(await itemsOf(memo)).toMatchObject([
        { sku: 'MUG', qty: pieces(1), rowTotal: money('50'), taxAmount: money('4') },
      ]);
      const order = await savedOrder(sale.orderId);
      expect(order).toMatchObject({
        totalPaid: money('118.8'),
        totalDue: zero,
        totalRefunded: money('60.9'),
        baseTotalRefunded: money('60.9'),
        totalOfflineRefunded: money('60.9'),
        totalOnlineRefunded: zero,
        subtotalRefunded: money('50'),
        taxRefunded: money('4.4'),
        shippingRefunded: money('5'),
        shippingTaxRefunded: money('0.4'),
        adjustmentPositive: money('2.5'),
        adjustmentNegative: money('1'),
        state: 'complete',
        status: 'complete',
      });
      expect(order.payment?.$).toMatchObject({ amountRefunded: money('60.9'), shippingRefunded: money('5') });
      expect(await fork().findOneOrFail(OrderItem, { itemId: onlyItem(sale) })).toMatchObject({
        qtyRefunded: pieces(1),
        amountRefunded: money('50'),
        taxRefunded: money('4'),
      });
      expect(await storyOf(sale.orderId)).toContain('We refunded $60.90 offline.');
    });

    test('is what its quote said, and leaves the order as the arithmetic says', async () => {
      const lines = [
        { sku: 'MUG', qty: 3, price: '33.33', tax: '10', discount: '5' },
        { sku: 'PLATE', qty: 7, price: '2.86', tax: '1.65', discount: '2' },
      ];
      const sale = await anOrder(fork(), { lines, rate: '1.36', currency: 'CAD', storeId: 2, shipping: '9.95' });
      for (const qty of [1, 2]) {
        const request = take(sale.itemIds[qty - 1]!, qty);
        const before = await readOrder(sale.orderId);
        const quote = quoteCreditMemo(before, request);
        const was = refundableOrder(before);
        const memo = await book(sale.orderId, request);

        expect(memo).toMatchObject({ grandTotal: quote.order.grandTotal, baseGrandTotal: quote.base.grandTotal });
        const expected = { ...afterMemo(was, quote), state: 'complete', status: 'complete' };
        expect(refundableOrder(await readOrder(sale.orderId))).toEqual(expected);
      }
    });

    test('of everything closes the order; of nothing but money leaves it complete', async () => {
      const sale = await anOrder(fork());
      await book(sale.orderId, take(onlyItem(sale), 0, { adjustmentPositive: both('8') }));
      expect(await savedOrder(sale.orderId)).toMatchObject({ state: 'complete' });

      await book(sale.orderId, take(onlyItem(sale), 2, { adjustmentNegative: both('8') }));
      expect(await savedOrder(sale.orderId)).toMatchObject({ state: 'closed', totalRefunded: money('108') });
    });

    test('of an order that was not handed over leaves the rest to be shipped', async () => {
      const sale = await anOrder(fork(), { shipped: false });
      await book(sale.orderId, take(onlyItem(sale), 1));
      expect(await savedOrder(sale.orderId)).toMatchObject({ state: 'processing' });
    });

    test('of a layaway’s deposit leaves it a layaway', async () => {
      const sale = await anOrder(fork(), { layaway: true });
      const deposit = { totalPaid: money('40'), baseTotalPaid: money('40') };
      await fork().nativeUpdate(Order, { entityId: sale.orderId }, deposit);
      const memo = await book(sale.orderId, take(onlyItem(sale), 0, { adjustmentPositive: both('32') }));

      expect([memo.grandTotal, (await itemsOf(memo)).length]).toEqual([money('32'), 0]);
      expect(await savedOrder(sale.orderId)).toMatchObject({ state: 'pending_payment', totalRefunded: money('32') });
    });

    test('that is refused changes nothing', async () => {
      const sale = await anOrder(fork());
      const before = refundableOrder(await readOrder(sale.orderId));

      await expect(book(sale.orderId, take(onlyItem(sale), 3))).rejects.toThrow(PosError);

      expect(refundableOrder(await readOrder(sale.orderId))).toEqual(before);
      expect(await memosOf(sale.orderId)).toEqual([]);
    });

    test('cannot have money that is promised to a refund under way', async () => {
      const sale = await anOrder(fork());
      await fork().nativeUpdate(Order, { entityId: sale.orderId }, { basePendingRefund: money('54') });

      await expect(book(sale.orderId, take(onlyItem(sale), 2))).rejects.toThrow('available to refund is 54.');
      await book(sale.orderId, take(onlyItem(sale), 1));
      expect(await savedOrder(sale.orderId)).toMatchObject({ baseTotalRefunded: money('54') });
    });

    test('through a gateway keeps the provider’s reference once, under the payment it gives back from', async () => {
      const sale = await anOrder(fork(), { method: 'provider_a', lastTransId: 'pay-1' });
      const refund = { isOnline: true, transactionId: 'ref-1', rawTransaction: { raw_payload: '{"ok":true}' } };
      await book(sale.orderId, take(onlyItem(sale), 1), { ...refund, refundAttemptId: 7_001 });
      await book(sale.orderId, take(onlyItem(sale), 1), refund);

      const transactions = await fork().find(PaymentTransaction, { orderId: sale.orderId, txnType: 'refund' });
      expect(transactions).toMatchObject([
        { txnId: 'ref-1', parentTxnId: 'pay-1', additionalInformation: { raw_payload: '{"ok":true}' }, isClosed: true },
      ]);
      expect(await storyOf(sale.orderId)).toContain('We refunded $54.00 online. Transaction ID: "ref-1"');
      expect(await savedOrder(sale.orderId)).toMatchObject({
        totalOnlineRefunded: money('108'),
        totalOfflineRefunded: zero,
      });
    });

    test('is booked once for one attempt', async () => {
      const sale = await anOrder(fork());
      await book(sale.orderId, take(onlyItem(sale), 1), { refundAttemptId: 7_002 });

      await expect(book(sale.orderId, take(onlyItem(sale), 1), { refundAttemptId: 7_002 })).rejects.toThrow(/unique/);
      expect(await memosOf(sale.orderId)).toHaveLength(1);
    });
  });

  describe('eight at once', () => {
    test('of everything: one wins, the others find the order closed', async () => {
      const sale = await anOrder(fork());
      const { refused } = await outcomesAtOnce(8, () => book(sale.orderId, aRequest()));

      expect(wordsOf(refused)).toEqual(
        Array.from({ length: 7 }, () =>
          expect.stringContaining('A creditmemo can not be created when an order has a status of closed'),
        ),
      );
      expect(await memosOf(sale.orderId)).toMatchObject([{ grandTotal: money('108') }]);
    });

    test('of one piece of three: three win, and together give back what was paid', async () => {
      const sale = await anOrder(fork(), { lines: [{ sku: 'PLATE', qty: 3, price: '33.33', tax: '10' }] });
      const { refused } = await outcomesAtOnce(8, () => book(sale.orderId, take(onlyItem(sale), 1)));

      expect(wordsOf(refused)).toEqual(
        Array.from({ length: 5 }, () => 'We found an invalid quantity to refund item "%1".'),
      );
      const memos = await memosOf(sale.orderId);
      expect(memos.map((memo) => memo.grandTotal)).toEqual([money('36.66'), money('36.67'), money('36.66')]);
      expect(await savedOrder(sale.orderId)).toMatchObject({ totalRefunded: money('109.99'), state: 'closed' });
    });

    test('of goodwill: never above what was paid', async () => {
      const sale = await anOrder(fork());
      const goodwill = take(onlyItem(sale), 0, { adjustmentPositive: both('20') });
      const { refused } = await outcomesAtOnce(8, () => book(sale.orderId, goodwill));

      expect(wordsOf(refused)).toEqual(
        Array.from({ length: 3 }, () => expect.stringContaining('available to refund is 8.')),
      );
      expect(await savedOrder(sale.orderId)).toMatchObject({ totalRefunded: money('100') });
    });
  });

  describe('stock', () => {
    test.each(stockMoves)('shipped $shipped, returned $returned, $refunded back: $left lie there', async (given) => {
      await stockUp('MUG', 100);
      const sale = await anOrder(fork(), { shipped: given.shipped });
      const itemId = onlyItem(sale);
      const returnToStockItemIds = given.returned ? [itemId] : [];
      await book(sale.orderId, take(itemId, given.refunded), { movesStock: true, returnToStockItemIds });

      expect(await shelf('MUG')).toBe(given.left);
      expect(await promised(sale.orderId)).toBe(given.promised);
    });

    test('the part that was not handed over comes first, the part that was goes back where it came from', async () => {
      await stockUp('MUG', 100);
      const sale = await anOrder(fork(), { shipped: false });
      const orderItemId = onlyItem(sale);
      await createShipment(fork(), { orderId: sale.orderId, items: [{ orderItemId, qty: pieces(1) }] });
      const back = { movesStock: true, returnToStockItemIds: [orderItemId] };

      await book(sale.orderId, take(orderItemId, 1), back);
      expect([await shelf('MUG'), await promised(sale.orderId)]).toEqual([99, 0]);
      await book(sale.orderId, take(orderItemId, 1), back);
      expect([await shelf('MUG'), await promised(sale.orderId)]).toEqual([100, 0]);
    });

    test('goods that are not there any more cannot be written off', async () => {
      await stockUp('MUG', 100);
      const sale = await anOrder(fork(), { shipped: false });
      await stockUp('MUG', 1);
      await book(sale.orderId, take(onlyItem(sale), 2), { movesStock: true });

      expect([await shelf('MUG'), await promised(sale.orderId)]).toEqual([0, 0]);
    });

    test('stays where it is when another refund moves it', async () => {
      await stockUp('MUG', 100);
      const sale = await anOrder(fork());
      await book(sale.orderId, take(onlyItem(sale), 1), { returnToStockItemIds: [onlyItem(sale)] });
      expect(await shelf('MUG')).toBe(98);
    });

    test('eight at once move each piece once', async () => {
      await stockUp('MUG', 100);
      const sale = await anOrder(fork());
      const returnToStockItemIds = [onlyItem(sale)];
      await outcomesAtOnce(8, () => book(sale.orderId, aRequest(), { movesStock: true, returnToStockItemIds }));
      expect(await shelf('MUG')).toBe(100);
    });
  });
});

describe('refund sequences', () => {
  const orm = useDatabase();

  beforeAll(async () => {
    await aShop(fork());
    // Whatever is drawn, the shelves hold it.
    await fillShelves();
  });

  const { fork, fillShelves } = booksOf(() => orm);

  const euros = (max: number) => fc.integer({ min: 0, max }).map((cents) => (cents / 100).toFixed(2));

  /** At most half of a line's price is taken off: more could be all of it once another currency rounds. */
  const line = fc
    .record({
      sku: fc.constantFrom('MUG', 'PLATE'),
      qty: fc.integer({ min: 1, max: 5 }),
      price: euros(5_000).map((price) => (price === '0.00' ? '9.99' : price)),
      tax: euros(500),
      discount: euros(90),
    })
    .map((one) => ({ ...one, discount: 2 * money(one.discount) > money(one.price) * one.qty ? '0' : one.discount }));

  const sale = fc.record({
    lines: fc.array(line, { minLength: 1, maxLength: 4 }),
    shipping: euros(2_000),
    shippingTax: fc.constantFrom('0', '1.10'),
    shipped: fc.boolean(),
    store: fc.constantFrom({ storeId: 1, rate: '1', currency: 'USD' }, { storeId: 2, rate: '1.36', currency: 'CAD' }),
  });

  const parts = fc.array(
    fc.record({
      takes: fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 4, maxLength: 4 }),
      shipping: fc.constantFrom('0', '1.50', undefined),
      returned: fc.boolean(),
    }),
    { maxLength: 3 },
  );

  const refund = (orderId: number, request: CreditMemoRequest, isReturned: boolean) =>
    withOrder(fork(), orderId, (tx, order) => {
      const lines = isReturned ? quoteCreditMemo(order, request).lines : [];
      const returnToStockItemIds = lines.filter(({ qty }) => qty > none).map(({ orderItemId }) => orderItemId);
      return bookCreditMemo(tx, { order, request, isOnline: false, movesStock: true, returnToStockItemIds });
    });

  /** Too many pieces or too much shipping is what a cashier is told; anything else is a fault. */
  const unlessRefused = (booking: Promise<unknown>) =>
    booking.catch((error: unknown) => {
      if (!(error instanceof PosError)) throw error;
    });

  test('orders come back in any parts, through the database, and the books are right', async () => {
    const property = fc.asyncProperty(sale, parts, async ({ store, ...wanted }, wantedParts) => {
      const { orderId, itemIds } = await anOrder(fork(), { ...wanted, ...store } satisfies WantedOrder);
      for (const { takes, shipping, returned } of wantedParts) {
        const items = itemIds.map((orderItemId, index) => ({ orderItemId, qty: pieces(takes[index] ?? 0) }));
        const request = { ...aRequest(shipping === undefined ? {} : { shipping }, store.rate), items };
        await unlessRefused(refund(orderId, request, returned));
      }
      await unlessRefused(refund(orderId, aRequest(), true));
      const order = await fork().findOneOrFail(Order, { entityId: orderId });
      expect([order.totalRefunded, order.baseTotalRefunded]).toEqual([order.totalPaid, order.baseTotalPaid]);
      expect(order.state).toBe('closed');
    });
    await fc.assert(property, { seed, numRuns: 25, endOnFailure: true });
    expect(await verify(fork(), { lookAgainAfterMs: 0 })).toEqual([]);
  });

  test('a fixed product tax and the tax on it come back with the goods', async () => {
    const posted = await aPostedOrder(fork(), { lines: [{ sku: 'MUG', qty: 3, price: '100', tax: '24' }] });
    const tax = { row_amount: 10, row_amount_incl_tax: 10.8, base_row_amount: 10, base_row_amount_incl_tax: 10.8 };
    const weee = { weeeTaxAppliedRowAmount: money('10'), baseWeeeTaxAppliedRowAmnt: money('10') };
    const totals = { taxAmount: money('24.8'), baseTaxAmount: money('24.8') };
    const { orderId } = await createOrder(
      fork(),
      {
        ...posted,
        columns: { ...posted.columns, ...totals, grandTotal: money('334.8'), baseGrandTotal: money('334.8') },
        lines: (posted.lines ?? []).map((line) => ({ ...line, ...weee, weeeTaxApplied: JSON.stringify([tax]) })),
      },
      { hooks: [], now: new Date() },
    );
    await createInvoice(fork(), { orderId });
    const { items } = await fork().findOneOrFail(Order, { entityId: orderId }, { populate: ['items'] });
    const orderItemId = items.getItems()[0]!.itemId;

    const first = await refund(orderId, { ...aRequest(), items: [{ orderItemId, qty: pieces(1) }] }, false);
    const rest = await refund(orderId, aRequest(), false);

    const itemsOf = (memo: BookedMemo) => fork().find(CreditMemoItem, { creditMemo: memo.entityId });
    expect([first, rest].map((memo) => [memo.grandTotal, memo.taxAmount])).toEqual([
      [money('111.6'), money('8.27')],
      [money('223.2'), money('16.53')],
    ]);
    expect([...(await itemsOf(first)), ...(await itemsOf(rest))]).toMatchObject([
      { weeeTaxAppliedRowAmount: money('3.33') },
      { weeeTaxAppliedRowAmount: money('6.67') },
    ]);
    expect(await verify(fork(), { lookAgainAfterMs: 0 })).toEqual([]);
  });
});
