import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import {
  bookCreditMemo,
  type BookedMemo,
  type CreditMemoBooking,
} from '../../../../db/platform/credit-memos/book-credit-memo.ts';
import { CreditMemo, CreditMemoItem } from '../../../../db/platform/credit-memos/credit-memo.entity.ts';
import { quoteCreditMemo } from '../../../../db/platform/credit-memos/quote-credit-memo.ts';
import { refundableOrder } from '../../../../db/platform/credit-memos/refundable-order.ts';
import { SourceItem } from '../../../../db/platform/inventory/source-item.entity.ts';
import { readOrderRows, withOrder } from '../../../../db/platform/orders/lock-order.ts';
import { OrderComment } from '../../../../db/platform/orders/order-comment.entity.ts';
import { OrderItem } from '../../../../db/platform/orders/order-item.entity.ts';
import { Order } from '../../../../db/platform/orders/order.entity.ts';
import { PaymentTransaction } from '../../../../db/platform/orders/payment-transaction.entity.ts';
import { createShipment } from '../../../../db/platform/shipments/create-shipment.ts';
import { PosError } from '../../../../domain/errors.ts';
import { money, zero } from '../../../../domain/money/amount.ts';
import { pieces } from '../../../../domain/money/quantity.ts';
import { afterMemo } from '../../../../domain/platform/credit-memos/credit-memo-after.ts';
import { givenInOrderCurrency } from '../../../../domain/platform/credit-memos/credit-memo-currencies.ts';
import type { CreditMemoRequest } from '../../../../domain/platform/credit-memos/credit-memo.ts';
import { anOrder } from '../../../support/builders/order.ts';
import { aRequest } from '../../../support/builders/refundable-order.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { testDatabase } from '../../../support/database.ts';
import { rated } from '../../../support/coins.ts';

let orm: MikroORM;

beforeAll(async () => {
  orm = await testDatabase();
  await aShop(orm.em.fork());
});
afterAll(() => orm.close());

const fresh = () => orm.em.fork();

type Extra = Partial<Omit<CreditMemoBooking, 'order' | 'request'>>;

const book = (orderId: number, request: CreditMemoRequest, extra: Extra = {}) =>
  withOrder(fresh(), orderId, (tx, order) =>
    bookCreditMemo(tx, { order, request, isOnline: false, movesStock: false, ...extra }),
  );

const take = (itemId: number, count: number, rest: Partial<CreditMemoRequest> = {}): CreditMemoRequest => ({
  ...aRequest({ items: [{ orderItemId: itemId, qty: pieces(count) }], shipping: '0' }),
  ...rest,
});

/** In the order's currency, for orders in the base currency. */
const both = (text: string) => givenInOrderCurrency(money(text), rated('1'));

const onlyItem = ({ itemIds }: { itemIds: number[] }) => itemIds[0]!;
const savedOrder = (orderId: number) => fresh().findOneOrFail(Order, { entityId: orderId }, { populate: ['payment'] });
const readOrder = async (orderId: number) => (await readOrderRows(fresh(), orderId))!;
const itemsOf = ({ entityId }: BookedMemo) => fresh().find(CreditMemoItem, { creditMemo: entityId });
const historyOf = async (orderId: number) =>
  (await fresh().find(OrderComment, { parentId: orderId })).map((line) => line.comment);
const memosOf = (orderId: number) => fresh().find(CreditMemo, { orderId }, { orderBy: { entityId: 'asc' } });

/** One of eight at once. */
const eightTimes = <Result>(work: () => Promise<Result>) => Promise.allSettled(Array.from({ length: 8 }, () => work()));

const stockUp = (sku: string, count: number) =>
  fresh().nativeUpdate(SourceItem, { sku, sourceCode: 'floor' }, { quantity: pieces(count) });
const one = async (sql: string, value: unknown) => (await fresh().execute<{ qty: string }[]>(sql, [value]))[0]?.qty;
const onTheFloor = (sku: string) =>
  one(`select quantity as qty from inventory_source_item where sku = ? and source_code = 'floor'`, sku);
const promisedTo = (orderId: number) =>
  one('select sum(quantity) as qty from inventory_reservation where order_id = ?', orderId);

const refusalsOf = (settled: PromiseSettledResult<unknown>[]) =>
  settled.flatMap((one) =>
    one.status === 'rejected' ? [one.reason instanceof PosError ? one.reason.message : one.reason] : [],
  );

describe('a credit memo', () => {
  test('changes lines, order, payment and history as the platform has it', async () => {
    const sale = await anOrder(fresh(), { shipping: '10', shippingTax: '0.8' });
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
    expect(await fresh().findOneOrFail(OrderItem, { itemId: onlyItem(sale) })).toMatchObject({
      qtyRefunded: pieces(1),
      amountRefunded: money('50'),
      taxRefunded: money('4'),
    });
    expect(await historyOf(sale.orderId)).toContain('We refunded $60.90 offline.');
  });

  test('is what its quote said, and leaves the order as the arithmetic says', async () => {
    const lines = [
      { sku: 'MUG', qty: 3, price: '33.33', tax: '10', discount: '5' },
      { sku: 'PLATE', qty: 7, price: '2.86', tax: '1.65', discount: '2' },
    ];
    const sale = await anOrder(fresh(), { lines, rate: '1.36', currency: 'CAD', storeId: 2, shipping: '9.95' });
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
    const sale = await anOrder(fresh());
    await book(sale.orderId, take(onlyItem(sale), 0, { adjustmentPositive: both('8') }));
    expect(await savedOrder(sale.orderId)).toMatchObject({ state: 'complete' });

    await book(sale.orderId, take(onlyItem(sale), 2, { adjustmentNegative: both('8') }));
    expect(await savedOrder(sale.orderId)).toMatchObject({ state: 'closed', totalRefunded: money('108') });
  });

  test('of an order that was not handed over leaves the rest to be shipped', async () => {
    const sale = await anOrder(fresh(), { shipped: false });
    await book(sale.orderId, take(onlyItem(sale), 1));
    expect(await savedOrder(sale.orderId)).toMatchObject({ state: 'processing' });
  });

  test('of a layaway’s deposit leaves it a layaway', async () => {
    const sale = await anOrder(fresh(), { layaway: true });
    const deposit = { totalPaid: money('40'), baseTotalPaid: money('40') };
    await fresh().nativeUpdate(Order, { entityId: sale.orderId }, deposit);
    const memo = await book(sale.orderId, take(onlyItem(sale), 0, { adjustmentPositive: both('32') }));

    expect([memo.grandTotal, (await itemsOf(memo)).length]).toEqual([money('32'), 0]);
    expect(await savedOrder(sale.orderId)).toMatchObject({ state: 'pending_payment', totalRefunded: money('32') });
  });

  test('that is refused changes nothing', async () => {
    const sale = await anOrder(fresh());
    const before = refundableOrder(await readOrder(sale.orderId));

    await expect(book(sale.orderId, take(onlyItem(sale), 3))).rejects.toThrow(PosError);

    expect(refundableOrder(await readOrder(sale.orderId))).toEqual(before);
    expect(await memosOf(sale.orderId)).toEqual([]);
  });

  test('cannot have money that is promised to a refund under way', async () => {
    const sale = await anOrder(fresh());
    await fresh().nativeUpdate(Order, { entityId: sale.orderId }, { basePendingRefund: money('54') });

    await expect(book(sale.orderId, take(onlyItem(sale), 2))).rejects.toThrow('available to refund is 54.');
    await book(sale.orderId, take(onlyItem(sale), 1));
    expect(await savedOrder(sale.orderId)).toMatchObject({ baseTotalRefunded: money('54') });
  });

  test('through a gateway keeps the provider’s reference once, under the payment it gives back from', async () => {
    const sale = await anOrder(fresh(), { method: 'provider_a', lastTransId: 'pay-1' });
    const refund = { isOnline: true, transactionId: 'ref-1', rawTransaction: { raw_payload: '{"ok":true}' } };
    await book(sale.orderId, take(onlyItem(sale), 1), { ...refund, refundAttemptId: 7_001 });
    await book(sale.orderId, take(onlyItem(sale), 1), refund);

    const transactions = await fresh().find(PaymentTransaction, { orderId: sale.orderId, txnType: 'refund' });
    expect(transactions).toMatchObject([
      { txnId: 'ref-1', parentTxnId: 'pay-1', additionalInformation: { raw_payload: '{"ok":true}' }, isClosed: true },
    ]);
    expect(await historyOf(sale.orderId)).toContain('We refunded $54.00 online. Transaction ID: "ref-1"');
    expect(await savedOrder(sale.orderId)).toMatchObject({
      totalOnlineRefunded: money('108'),
      totalOfflineRefunded: zero,
    });
  });

  test('is booked once for one attempt', async () => {
    const sale = await anOrder(fresh());
    await book(sale.orderId, take(onlyItem(sale), 1), { refundAttemptId: 7_002 });

    await expect(book(sale.orderId, take(onlyItem(sale), 1), { refundAttemptId: 7_002 })).rejects.toThrow(/unique/);
    expect(await memosOf(sale.orderId)).toHaveLength(1);
  });
});

describe('eight at once', () => {
  test('of everything: one wins, the others find the order closed', async () => {
    const sale = await anOrder(fresh());
    const answers = await eightTimes(() => book(sale.orderId, aRequest()));

    expect(refusalsOf(answers)).toEqual(
      Array.from({ length: 7 }, () =>
        expect.stringContaining('A creditmemo can not be created when an order has a status of closed'),
      ),
    );
    expect(await memosOf(sale.orderId)).toMatchObject([{ grandTotal: money('108') }]);
  });

  test('of one piece of three: three win, and together give back what was paid', async () => {
    const sale = await anOrder(fresh(), { lines: [{ sku: 'PLATE', qty: 3, price: '33.33', tax: '10' }] });
    const answers = await eightTimes(() => book(sale.orderId, take(onlyItem(sale), 1)));

    expect(refusalsOf(answers)).toEqual(
      Array.from({ length: 5 }, () => 'We found an invalid quantity to refund item "%1".'),
    );
    const memos = await memosOf(sale.orderId);
    expect(memos.map((memo) => memo.grandTotal)).toEqual([money('36.66'), money('36.67'), money('36.66')]);
    expect(await savedOrder(sale.orderId)).toMatchObject({ totalRefunded: money('109.99'), state: 'closed' });
  });

  test('of goodwill: never above what was paid', async () => {
    const sale = await anOrder(fresh());
    const goodwill = take(onlyItem(sale), 0, { adjustmentPositive: both('20') });
    const answers = await eightTimes(() => book(sale.orderId, goodwill));

    expect(refusalsOf(answers)).toEqual(
      Array.from({ length: 3 }, () => expect.stringContaining('available to refund is 8.')),
    );
    expect(await savedOrder(sale.orderId)).toMatchObject({ totalRefunded: money('100') });
  });
});

describe('stock', () => {
  test.each([
    // Platform facts 10, verified numbers: 100 on the shelf, 2 ordered and invoiced, 1 refunded.
    { shipped: false, returned: true, refunded: 1, left: '100.0000', promised: '-1.0000' },
    { shipped: false, returned: false, refunded: 1, left: '99.0000', promised: '-1.0000' },
    { shipped: true, returned: true, refunded: 1, left: '99.0000', promised: '0.0000' },
    { shipped: true, returned: true, refunded: 2, left: '100.0000', promised: '0.0000' },
    { shipped: true, returned: false, refunded: 2, left: '98.0000', promised: '0.0000' },
  ])('shipped $shipped, returned $returned, $refunded back: $left lie there', async (given) => {
    await stockUp('MUG', 100);
    const sale = await anOrder(fresh(), { shipped: given.shipped });
    const itemId = onlyItem(sale);
    const returnToStockItemIds = given.returned ? [itemId] : [];
    await book(sale.orderId, take(itemId, given.refunded), { movesStock: true, returnToStockItemIds });

    expect(await onTheFloor('MUG')).toBe(given.left);
    expect(await promisedTo(sale.orderId)).toBe(given.promised);
  });

  test('the part that was not handed over comes first, the part that was goes back where it came from', async () => {
    await stockUp('MUG', 100);
    const sale = await anOrder(fresh(), { shipped: false });
    const orderItemId = onlyItem(sale);
    await createShipment(fresh(), { orderId: sale.orderId, items: [{ orderItemId, qty: pieces(1) }] });
    const back = { movesStock: true, returnToStockItemIds: [orderItemId] };

    await book(sale.orderId, take(orderItemId, 1), back);
    expect([await onTheFloor('MUG'), await promisedTo(sale.orderId)]).toEqual(['99.0000', '0.0000']);
    await book(sale.orderId, take(orderItemId, 1), back);
    expect([await onTheFloor('MUG'), await promisedTo(sale.orderId)]).toEqual(['100.0000', '0.0000']);
  });

  test('goods that are not there any more cannot be written off', async () => {
    await stockUp('MUG', 100);
    const sale = await anOrder(fresh(), { shipped: false });
    await stockUp('MUG', 1);
    await book(sale.orderId, take(onlyItem(sale), 2), { movesStock: true });

    expect([await onTheFloor('MUG'), await promisedTo(sale.orderId)]).toEqual(['0.0000', '0.0000']);
  });

  test('stays where it is when somebody else moves it', async () => {
    await stockUp('MUG', 100);
    const sale = await anOrder(fresh());
    await book(sale.orderId, take(onlyItem(sale), 1), { returnToStockItemIds: [onlyItem(sale)] });
    expect(await onTheFloor('MUG')).toBe('98.0000');
  });

  test('eight at once move each piece once', async () => {
    await stockUp('MUG', 100);
    const sale = await anOrder(fresh());
    const returnToStockItemIds = [onlyItem(sale)];
    await eightTimes(() => book(sale.orderId, aRequest(), { movesStock: true, returnToStockItemIds }));
    expect(await onTheFloor('MUG')).toBe('100.0000');
  });
});
