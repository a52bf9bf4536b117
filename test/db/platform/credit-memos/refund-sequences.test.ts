import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MikroORM } from '@mikro-orm/postgresql';
import fc from 'fast-check';
import { bookCreditMemo, type BookedMemo } from '../../../../db/platform/credit-memos/book-credit-memo.ts';
import { CreditMemoItem } from '../../../../db/platform/credit-memos/credit-memo.entity.ts';
import { quoteCreditMemo } from '../../../../db/platform/credit-memos/quote-credit-memo.ts';
import { createInvoice } from '../../../../db/platform/invoices/create-invoice.ts';
import { createOrder } from '../../../../db/platform/order-saves/create-order.ts';
import { withOrder } from '../../../../db/platform/orders/lock-order.ts';
import { Order } from '../../../../db/platform/orders/order.entity.ts';
import { verify } from '../../../../books/verify/verify.ts';
import { PosError } from '../../../../domain/errors.ts';
import { money } from '../../../../domain/money/amount.ts';
import { none, pieces } from '../../../../domain/money/quantity.ts';
import type { CreditMemoRequest } from '../../../../domain/platform/credit-memos/credit-memo.ts';
import { anOrder, aPostedOrder, type WantedOrder } from '../../../support/builders/order.ts';
import { aRequest } from '../../../support/builders/refundable-order.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { booksOf } from '../../../support/books.ts';
import { testDatabase } from '../../../support/database.ts';
import { seed } from '../../../support/seed.ts';

let orm: MikroORM;

beforeAll(async () => {
  orm = await testDatabase();
  await aShop(fork());
  // Whatever is drawn, the shelves hold it.
  await fillShelves();
});
afterAll(() => orm.close());

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
