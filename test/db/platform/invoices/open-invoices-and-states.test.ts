import { expect, test } from 'vitest';
import { refundOrder } from '../../../../db/platform/credit-memos/refund-order.ts';
import { createInvoice } from '../../../../db/platform/invoices/create-invoice.ts';
import { payInvoice } from '../../../../db/platform/invoices/pay-invoice.ts';
import { saveInvoice } from '../../../../db/platform/invoices/save-invoice.ts';
import { createShipment } from '../../../../db/platform/shipments/create-shipment.ts';
import { zero } from '../../../../domain/money/amount.ts';
import { pieces } from '../../../../domain/money/quantity.ts';
import { booksOf } from '../../../support/books.ts';
import { opensAShop, orm, orderRow, placed } from './invoiced-orders.ts';

opensAShop();

const { promised, change } = booksOf(() => orm);
const onePiece = (items: readonly { itemId: number }[]) =>
  items.map(({ itemId }) => ({ orderItemId: itemId, qty: pieces(1) }));
/** Gives a piece of each line back. */
const giveBack = (orderId: number, items: readonly { itemId: number }[]) =>
  refundOrder(orm.em, {
    orderId,
    items: onePiece(items),
    adjustmentPositive: zero,
    adjustmentNegative: zero,
    returnToStockItemIds: [],
  });

test('an order whose paid part was given back still takes the money of its open invoice', async () => {
  const { orderId, items } = await placed();
  await createInvoice(orm.em, { orderId, items: onePiece(items) });
  await createShipment(orm.em, { orderId });
  const openId = await saveInvoice(orm.em, { orderId });
  await giveBack(orderId, items);
  expect(await orderRow(orderId)).toMatchObject({
    state: 'processing',
    total_paid: '54.0000',
    total_refunded: '54.0000',
  });

  await payInvoice(orm.em, openId);

  expect(await orderRow(orderId)).toMatchObject({ state: 'complete', total_paid: '108.0000', total_due: '0.0000' });
});

test('virtual goods of an open invoice stay promised when the paid part is given back, and until it is paid', async () => {
  await change('product', { sku: 'GIFTWRAP' }, { manage_stock: true });
  const { orderId, items } = await placed({ lines: [{ sku: 'GIFTWRAP', qty: 4, price: '5', isVirtual: true }] });
  await createInvoice(orm.em, { orderId, items: onePiece(items) });
  const openId = await saveInvoice(orm.em, { orderId });
  await giveBack(orderId, items);
  expect([(await orderRow(orderId))['state'], await promised(orderId)]).toEqual(['processing', -3]);

  await payInvoice(orm.em, openId);

  expect([(await orderRow(orderId))['state'], await promised(orderId)]).toEqual(['complete', 0]);
});

test('an order that costs nothing and was handed over is complete with its invoice, open as it is', async () => {
  const { orderId } = await placed({ lines: [{ sku: 'MUG', qty: 1, price: '0' }] });
  await createShipment(orm.em, { orderId });
  expect(await orderRow(orderId)).toMatchObject({ state: 'processing' });
  await saveInvoice(orm.em, { orderId });
  expect(await orderRow(orderId)).toMatchObject({ state: 'complete' });
});
