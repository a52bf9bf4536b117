import { expect, test } from 'vitest';
import type { PostedPayment } from '../../../../db/platform/orders/posted-order.ts';
import { updateOrder } from '../../../../db/platform/order-saves/update-order.ts';
import { verify } from '../../../../books/verify/verify.ts';
import { money, zero } from '../../../../domain/money/amount.ts';
import { pieces } from '../../../../domain/money/quantity.ts';
import { anOrder } from '../../../support/builders/order.ts';
import { booksOf } from '../../../support/books.ts';
import { opensAShop, orm } from './saved-orders.ts';

opensAShop();

const { fork, moneyInOf, theOrder, addressesOf, findOne } = booksOf(() => orm);

const sold = () => anOrder(orm.em, { paid: false, shipped: false });

test('a change leaves what it does not name, twice the same', async () => {
  const { orderId, incrementId, itemIds } = await sold();
  const posted = {
    columns: { status: 'my_own', customerNote: 'Left at the till', incrementId: 'OTHER' },
    lines: [{ itemId: itemIds[0], description: 'blue' }],
    payment: { poNumber: '77' },
    shippingAddress: { city: 'Utica' },
  };
  for (const _time of [1, 2]) await updateOrder(orm.em, orderId, { posted });
  expect(await theOrder(orderId, 'increment_id', 'status', 'state', 'customer_note', 'grand_total')).toEqual({
    increment_id: incrementId,
    status: 'my_own',
    state: 'new',
    customer_note: 'Left at the till',
    grand_total: '108.0000',
  });
  expect(await findOne('sales_order_item', { order_id: orderId }, 'description', 'sku')).toEqual({
    description: 'blue',
    sku: 'MUG',
  });
  expect(await findOne('sales_order_payment', { order_id: orderId }, 'po_number', 'method')).toEqual({
    po_number: '77',
    method: 'checkmo',
  });
  expect(await addressesOf(orderId, 'address_type', 'city')).toEqual([
    { address_type: 'billing', city: 'Troy' },
    { address_type: 'shipping', city: 'Utica' },
  ]);
});

test('paying more by a save is money in; paying less is refused', async () => {
  const { orderId } = await sold();
  const pay = (amount: string) => updateOrder(orm.em, orderId, { posted: { columns: { totalPaid: money(amount) } } });
  await pay('40');
  await pay('40');
  await pay('108');
  await expect(pay('107')).rejects.toMatchObject({
    status: 400,
    message: 'What an order has been paid cannot be lowered.',
  });
  await expect(pay('108.01')).rejects.toMatchObject({ status: 400 });
  expect(await moneyInOf(orderId, 'amount', 'base_amount')).toEqual([
    { amount: '40.0000', base_amount: '40.0000' },
    { amount: '68.0000', base_amount: '68.0000' },
  ]);
});

test('what is paid by a save is paid in the payment as well', async () => {
  const { orderId } = await sold();
  const paid = () => findOne('sales_order_payment', { order_id: orderId }, 'amount_paid', 'base_amount_paid');
  await updateOrder(orm.em, orderId, { posted: { columns: { totalPaid: money('40') } } });
  expect(await paid()).toEqual({ amount_paid: '40.0000', base_amount_paid: '40.0000' });
  await updateOrder(orm.em, orderId, { posted: { columns: {}, payment: { amountPaid: money('108') } } });
  expect(await paid()).toEqual({ amount_paid: '40.0000', base_amount_paid: '40.0000' });
});

test('a save cannot overwrite what the payment gave back and took in', async () => {
  const { orderId } = await anOrder(orm.em, { shipping: '5' });
  const save = (payment: PostedPayment) => updateOrder(orm.em, orderId, { posted: { columns: {}, payment } });
  await save({ amountRefunded: zero, shippingCaptured: money('5'), poNumber: 'P-7' });
  for (const name of ['amountRefunded', 'shippingRefunded', 'shippingCaptured', 'baseAmountRefunded'])
    await expect(save({ [name]: money('3') })).rejects.toMatchObject({
      status: 400,
      parameters: { fieldName: name, value: '3.0000' },
    });
});

test('of a line’s totals each is changed that is not the one an answer shows', async () => {
  const line = { sku: 'MUG', qty: 2, price: '50', tax: '8', discount: '10' };
  const { orderId, itemIds } = await anOrder(orm.em, { lines: [line], paid: false, shipped: false });
  const save = (totals: object) =>
    updateOrder(orm.em, orderId, { posted: { columns: {}, lines: [{ itemId: itemIds[0], ...totals }] } });
  const kept = () =>
    findOne(
      ...(['sales_order_item', { order_id: orderId }, 'row_total', 'base_row_total'] as const),
      ...(['row_total_incl_tax', 'base_row_total_incl_tax'] as const),
    );
  const asSold = await kept();
  const shown = { rowTotal: money('90'), baseRowTotal: money('90') };
  await save({ ...shown, rowTotalInclTax: money('98'), baseRowTotalInclTax: money('98') });
  expect(await kept()).toEqual(asSold);
  await save({ ...shown, baseRowTotal: money('96'), rowTotalInclTax: money('107') });
  expect(await kept()).toEqual({ ...asSold, base_row_total: '96.0000', row_total_incl_tax: '107.0000' });
});

test('a line without a discount takes new totals that come with its old one', async () => {
  const { orderId, itemIds } = await sold();
  const totals = { rowTotal: money('100'), baseRowTotal: money('99'), rowTotalInclTax: money('107') };
  await updateOrder(orm.em, orderId, { posted: { columns: {}, lines: [{ itemId: itemIds[0], ...totals }] } });
  expect(
    await findOne('sales_order_item', { order_id: orderId }, 'row_total', 'base_row_total', 'row_total_incl_tax'),
  ).toEqual({ row_total: '100.0000', base_row_total: '99.0000', row_total_incl_tax: '107.0000' });
});

test('a save cannot overwrite what documents booked', async () => {
  const { orderId, itemIds } = await anOrder(orm.em);
  const save = (columns: object, line: object = {}) =>
    updateOrder(orm.em, orderId, { posted: { columns, lines: [{ itemId: itemIds[0], ...line }] } });
  await save({ totalInvoiced: money('108'), totalRefunded: zero }, { qtyInvoiced: pieces(2) });
  await expect(save({ totalInvoiced: money('1') })).rejects.toMatchObject({
    status: 400,
    parameters: { fieldName: 'totalInvoiced', value: '1.0000' },
  });
  await expect(save({}, { qtyShipped: pieces(1) })).rejects.toMatchObject({ status: 400 });
});

test('a change of what is not there is refused', async () => {
  const { orderId } = await sold();
  await expect(updateOrder(orm.em, 999_999, { posted: { columns: {} } })).rejects.toMatchObject({ status: 404 });
  await expect(
    updateOrder(orm.em, orderId, { posted: { columns: {}, lines: [{ itemId: 999_999 }] } }),
  ).rejects.toMatchObject({ status: 404 });
});

test('the books are right, whatever was done so far', async () => {
  expect(await verify(fork())).toEqual([]);
});
