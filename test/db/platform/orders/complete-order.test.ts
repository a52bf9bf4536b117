import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MikroORM } from '@mikro-orm/postgresql';
import { createInvoice } from '../../../../db/platform/invoices/create-invoice.ts';
import { createOrder } from '../../../../db/platform/order-saves/create-order.ts';
import type { PostedOrder } from '../../../../db/platform/orders/posted-order.ts';
import { recordFinding } from '../../../../db/verdicts/record-finding.ts';
import { money, zero } from '../../../../domain/money/amount.ts';
import { aPostedOrder, type WantedOrder } from '../../../support/builders/order.ts';
import { aRefundUnderWay } from '../../../support/builders/refund-under-way.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { booksOf } from '../../../support/books.ts';
import { testDatabase } from '../../../support/database.ts';

const now = new Date('2026-11-22T09:30:00Z');
let orm: MikroORM;
let locationId: number;
beforeAll(async () => {
  orm = await testDatabase();
  ({ locationId } = await aShop(fork()));
});
afterAll(async () => {
  await booksHold();
  await orm.close();
});

const { linesOf, theOrder, fork, howMany, booksHold } = booksOf(() => orm);

const canadian: WantedOrder = { storeId: 2, currency: 'CAD', rate: '1.36' };
const goods: WantedOrder = {
  lines: [
    { sku: 'MUG', qty: 3, price: '33.33', tax: '8.02', discount: '1.11' },
    { sku: 'MUG', qty: 1, price: '9.99', tax: '0.81' },
  ],
  shipping: '10',
  shippingTax: '0.77',
  method: 'provider_a',
  lastTransId: 'pay_1',
};

const isIn = (currency: 'base' | 'order') => (name: string) =>
  /^base(?!CurrencyCode|ToOrderRate|ToGlobalRate)[A-Z]/.test(name) === (currency === 'base');
const only = <Figures extends object>(figures: Figures, keeps: (name: string) => boolean) =>
  Object.fromEntries(Object.entries(figures).filter(([name, value]) => typeof value !== 'number' || keeps(name)));

/** As a register posts it that knows of one currency. */
async function postedIn(currency: 'base' | 'order', wanted: WantedOrder): Promise<PostedOrder> {
  const posted = await aPostedOrder(fork(), wanted);
  const keeps = (name: string) => isIn(currency)(name) || ['storeId', 'qtyOrdered', 'productId'].includes(name);
  return {
    ...posted,
    columns: only(posted.columns, keeps),
    lines: (posted.lines ?? []).map((line) => only(line, keeps)),
  };
}

const figuresOf = async (orderId: number) => [
  await theOrder(
    ...([orderId, 'grand_total', 'base_grand_total', 'subtotal', 'base_subtotal'] as const),
    ...(['tax_amount', 'base_tax_amount', 'discount_amount', 'base_discount_amount'] as const),
    ...(['shipping_amount', 'base_shipping_amount', 'base_total_paid'] as const),
  ),
  await linesOf(orderId, 'row_total', 'base_row_total', 'tax_amount', 'base_tax_amount', 'price', 'base_price'),
];

describe('an order that is posted in one currency only', () => {
  test.each(['order', 'base'] as const)('has the same figures in both, where both are one: %s', async (currency) => {
    const asSent = await createOrder(fork(), await aPostedOrder(fork(), goods), { now });
    const completed = await createOrder(fork(), await postedIn(currency, goods), { now });
    expect(await figuresOf(completed.orderId)).toEqual(await figuresOf(asSent.orderId));
  });

  test.each(['order', 'base'] as const)('is paid and comes back whole in both, by its rate: %s', async (currency) => {
    const posted = await postedIn(currency, { ...goods, ...canadian });
    const { orderId } = await createOrder(fork(), posted, { now });
    await createInvoice(fork(), { orderId });
    const items = await linesOf(orderId, 'item_id');
    for (const [at, qty] of [3, 1].entries()) {
      const itemId = Number(items[at]!['item_id']);
      const attemptId = await aRefundUnderWay(orm, { orderId, itemId, qty, locationId, state: 'uncertain' });
      const finding = { evidence: 'refunded', gatewayReference: `gw-${attemptId}` } as const;
      expect(await recordFinding(orm.em, { attemptId, finding, now: new Date() })).toMatchObject({ state: 'booked' });
    }
    const order = await theOrder(orderId);
    expect([order['total_paid'], order['total_refunded']]).toEqual([order['grand_total'], order['grand_total']]);
    const paid = order['base_grand_total'];
    expect([order['base_total_paid'], order['base_total_refunded']]).toEqual([paid, paid]);
    expect(Number(paid)).toBeGreaterThan(0);
  });

  test('was paid in both, whichever was said', async () => {
    const posted = await aPostedOrder(fork(), canadian);
    for (const paid of [
      { totalPaid: money('146.88') },
      { totalPaid: money('146.88'), baseTotalPaid: zero },
      { baseTotalPaid: money('108'), totalPaid: zero },
    ]) {
      const { orderId } = await createOrder(fork(), { ...posted, columns: { ...posted.columns, ...paid } }, { now });
      expect(await theOrder(orderId, 'total_paid', 'base_total_paid')).toEqual({
        total_paid: '146.8800',
        base_total_paid: '108.0000',
      });
    }
  });
});

test('a line that names no total has its price times its quantity', async () => {
  const posted = await aPostedOrder(fork());
  const lines = (posted.lines ?? []).map(({ rowTotal: _own, baseRowTotal: _base, ...line }) => line);
  const { orderId } = await createOrder(fork(), { ...posted, lines }, { now });
  expect(await linesOf(orderId, 'row_total', 'base_row_total')).toEqual([
    { row_total: '100.0000', base_row_total: '100.0000' },
  ]);
});

test('an order that could never be refunded is refused, and nothing is left of it', async () => {
  const before = await howMany('sales_order');
  const posted = await aPostedOrder(fork());
  const { lines: _none, ...withoutLines } = posted;
  await expect(createOrder(fork(), withoutLines, { now })).rejects.toMatchObject({
    status: 400,
    parameters: { fieldName: 'items' },
  });
  const nothing = { rowTotal: zero, baseRowTotal: zero, price: zero, basePrice: zero };
  const columns = { ...posted.columns, taxAmount: zero, baseTaxAmount: zero };
  const lines = (posted.lines ?? []).map((line) => ({ ...line, ...nothing }));
  await expect(createOrder(fork(), { ...posted, columns, lines }, { now })).rejects.toMatchObject({
    status: 400,
    parameters: { grandTotal: 108 },
  });
  // Money goes back for a whole set, and this one has no price.
  const [parts = {}] = posted.lines ?? [];
  const ofASet = [...lines, { ...parts, parentAt: 0 }] as PostedOrder['lines'];
  await expect(createOrder(fork(), { ...posted, columns, lines: ofASet }, { now })).rejects.toMatchObject({
    status: 400,
    parameters: { grandTotal: 108 },
  });
  expect(await howMany('sales_order')).toEqual(before);
});

test('goods that cost nothing are sold as before', async () => {
  const posted = await aPostedOrder(fork(), { lines: [{ sku: 'MUG', qty: 1, price: '5', discount: '5' }] });
  await createOrder(fork(), posted, { now });
});
