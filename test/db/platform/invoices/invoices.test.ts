import { expect, test } from 'vitest';
import { createInvoice } from '../../../../db/platform/invoices/create-invoice.ts';
import { verify } from '../../../../books/verify/verify.ts';
import { money } from '../../../../domain/money/amount.ts';
import { pieces } from '../../../../domain/money/quantity.ts';
import { anOrder } from '../../../support/builders/order.ts';
import { booksOf } from '../../../support/books.ts';
import { opensAShop, orm, orderRow, moneyIn, placed, carriedOutOfEight } from './invoiced-orders.ts';

opensAShop();

const { invoicesOf, promisesOf, fork, change, theInvoice, find, findOne } = booksOf(() => orm);

test('an invoice is paid at once and written into every register', async () => {
  const { orderId } = await placed({
    lines: [{ sku: 'MUG', qty: 2, price: '50', tax: '8', discount: '5' }],
    shipping: '5',
    shippingTax: '0.40',
    lastTransId: 'T-1',
  });
  const invoiceId = await createInvoice(orm.em, { orderId, comment: { comment: 'thanks', isVisibleOnFront: true } });

  expect(await theInvoice(invoiceId)).toMatchObject({
    state: 2,
    subtotal: '100.0000',
    discount_amount: '-5.0000',
    shipping_amount: '5.0000',
    tax_amount: '8.4000',
    grand_total: '108.4000',
    base_grand_total: '108.4000',
    total_qty: '2.0000',
    transaction_id: 'T-1',
  });
  expect(await orderRow(orderId)).toMatchObject({
    state: 'processing',
    status: 'processing',
    total_invoiced: '108.4000',
    subtotal_invoiced: '100.0000',
    tax_invoiced: '8.4000',
    shipping_invoiced: '5.0000',
    discount_invoiced: '-5.0000',
    base_discount_invoiced: '-5.0000',
    total_paid: '108.4000',
    base_total_paid: '108.4000',
    total_due: '0.0000',
  });
  expect(await findOne('sales_order_item', { order_id: orderId })).toMatchObject({
    qty_invoiced: '2.0000',
    row_invoiced: '100.0000',
    tax_invoiced: '8.0000',
    discount_invoiced: '5.0000',
  });
  expect(await findOne('sales_order_payment', { order_id: orderId }, 'amount_paid', 'shipping_captured')).toEqual({
    amount_paid: '108.4000',
    shipping_captured: '5.0000',
  });
  expect(await moneyIn(orderId)).toEqual([expect.objectContaining({ kind: 'invoice', amount: '108.4000' })]);
  expect(
    await find(
      'sales_document_comment',
      { document: 'invoice', parent_id: invoiceId },
      'comment',
      'is_visible_on_front',
    ),
  ).toEqual([{ comment: 'thanks', is_visible_on_front: 1 }]);
});

test('an order in another currency keeps both sets of figures', async () => {
  const { orderId } = await placed({ storeId: 2, currency: 'CAD', rate: '1.36' });
  await createInvoice(orm.em, { orderId });
  expect(await orderRow(orderId)).toMatchObject({
    total_paid: '146.8800',
    base_total_paid: '108.0000',
    total_invoiced: '146.8800',
    base_total_invoiced: '108.0000',
  });
  expect(await findOne('sales_money_in', { order_id: orderId }, 'amount', 'base_amount')).toEqual({
    amount: '146.8800',
    base_amount: '108.0000',
  });
});

test('invoices of parts add up to the order', async () => {
  const { orderId, itemIds } = await placed({
    lines: [{ sku: 'PLATE', qty: 3, price: '33.33', tax: '10' }],
    shipping: '5',
  });
  const part = [{ orderItemId: itemIds[0]!, qty: pieces(1) }];
  await createInvoice(orm.em, { orderId, items: part });
  expect(await orderRow(orderId)).toMatchObject({ total_paid: '41.6600', total_due: '73.3300', state: 'processing' });
  await createInvoice(orm.em, { orderId, items: part });
  await createInvoice(orm.em, { orderId });
  expect(await orderRow(orderId)).toMatchObject({
    total_paid: '114.9900',
    total_due: '0.0000',
    total_invoiced: '114.9900',
  });
  expect((await moneyIn(orderId)).map((row) => Reflect.get(row, 'amount'))).toEqual(['41.6600', '36.6700', '36.6600']);
});

test('of eight invoices of one order at once, one is made', async () => {
  const { orderId } = await placed();
  expect(await carriedOutOfEight(() => createInvoice(orm.em, { orderId }))).toBe(1);
  expect(await invoicesOf(orderId)).toHaveLength(1);
  expect(await moneyIn(orderId)).toHaveLength(1);
  expect(await orderRow(orderId)).toMatchObject({ total_paid: '108.0000', total_invoiced: '108.0000' });
});

test('an order that may not be invoiced says why, line by line', async () => {
  const { orderId } = await anOrder(orm.em);
  await expect(createInvoice(orm.em, { orderId })).rejects.toMatchObject({
    status: 400,
    message: [
      'Invoice Document Validation Error(s):',
      "The invoice can't be created without products. Add products and try again.",
      'An invoice cannot be created when an order has a status of complete',
    ].join('\n'),
  });
  await expect(createInvoice(orm.em, { orderId: 999_999 })).rejects.toMatchObject({ status: 404 });
});

test('too many of a line is refused by its name', async () => {
  const { orderId, itemIds } = await placed();
  await expect(
    createInvoice(orm.em, { orderId, items: [{ orderItemId: itemIds[0]!, qty: pieces(3) }] }),
  ).rejects.toMatchObject({
    status: 400,
    message: 'We found an invalid quantity to invoice item "%1".',
    parameters: ['Mug'],
  });
});

test('an invoice never asks for more than the order is worth, whatever its lines say', async () => {
  const { orderId } = await placed({ columns: { grandTotal: money('100'), baseGrandTotal: money('100') } });
  await createInvoice(orm.em, { orderId });
  expect(await orderRow(orderId)).toMatchObject({ total_paid: '100.0000', total_invoiced: '100.0000' });
});

test('virtual goods are no longer promised once invoiced, and complete the order', async () => {
  await change('product', { sku: 'GIFTWRAP' }, { manage_stock: true });
  const { orderId } = await placed({ lines: [{ sku: 'GIFTWRAP', qty: 2, price: '5' }] });
  await createInvoice(orm.em, { orderId });
  expect(await promisesOf(orderId, 'quantity', 'event_type')).toEqual([
    { quantity: '-2.0000', event_type: 'order_placed' },
    { quantity: '2.0000', event_type: 'invoice_created' },
  ]);
  expect(await orderRow(orderId)).toMatchObject({ state: 'complete', status: 'complete', is_virtual: true });
});

test('the books are right, whatever was done so far', async () => {
  expect(await verify(fork())).toEqual([]);
});
