import { expect, test } from '@jest/globals';
import { createInvoice } from '../../../../db/platform/invoices/invoices.ts';
import { cancelOrder } from '../../../../db/platform/orders/cancel-order.ts';
import { createShipment } from '../../../../db/platform/shipments/shipments.ts';
import { readSalability } from '../../../../db/platform/inventory/source-items.ts';
import { verify } from '../../../../books/verify/verify.ts';
import { pieces } from '../../../../domain/money.ts';
import { anOrder, type WantedOrder } from '../../../support/builders/order.ts';
import { booksOf } from '../../../support/books.ts';
import { outcomesAtOnce, eightAtOnce } from '../../../support/rivals.ts';
import { opensAShop, orm } from '../../../support/order-book.ts';

opensAShop();

const { theOrder, commentsOf, promisesOf, theShipment, shelf, promised, fork, findOne, insert } = booksOf(() => orm);
const placed = (wanted: WantedOrder = {}) => anOrder(orm.em, { paid: false, shipped: false, ...wanted });
const salable = async (sku: string) =>
  (await readSalability(fork(), { skus: [sku], stockId: 1 }))[0]!.quantity / 10_000;
const stateOf = async (orderId: number) => (await theOrder(orderId, 'state')).state;

test('goods that are handed over leave their source and are no longer promised', async () => {
  const [before, free] = [await shelf('MUG'), await salable('MUG')];
  const { orderId } = await placed();
  expect([await shelf('MUG'), await salable('MUG'), await promised(orderId)]).toEqual([before, free - 2, -2]);

  const shipmentId = await createShipment(orm.em, {
    orderId,
    tracks: [{ trackNumber: '1Z', title: 'Van', carrierCode: 'custom' }],
    comment: { comment: 'carried out' },
  });

  expect([await shelf('MUG'), await salable('MUG'), await promised(orderId)]).toEqual([before - 2, free - 2, 0]);
  expect(await theShipment(shipmentId, 'source_code', 'total_qty')).toEqual({
    source_code: 'floor',
    total_qty: '2.0000',
  });
  expect(
    await findOne('sales_shipment_track', { parent_id: shipmentId }, 'track_number', 'title', 'carrier_code'),
  ).toEqual({ track_number: '1Z', title: 'Van', carrier_code: 'custom' });
  expect(await findOne('sales_shipment_item', { parent_id: shipmentId }, 'sku', 'qty')).toEqual({
    sku: 'MUG',
    qty: '2.0000',
  });
  expect(await findOne('sales_document_comment', { document: 'shipment', parent_id: shipmentId }, 'comment')).toEqual({
    comment: 'carried out',
  });
});

test('handing over first is fine: the invoice completes the order', async () => {
  const { orderId } = await placed();
  await createShipment(orm.em, { orderId });
  expect(await stateOf(orderId)).toBe('processing');
  await createInvoice(orm.em, { orderId });
  expect(await stateOf(orderId)).toBe('complete');
});

test('of eight hand-overs at once, one happens', async () => {
  const before = await shelf('MUG');
  const { orderId } = await placed();
  const { done } = await outcomesAtOnce(8, () => createShipment(orm.em, { orderId }));
  expect(done).toHaveLength(1);
  expect([await shelf('MUG'), await promised(orderId)]).toEqual([before - 2, 0]);
});

test('eight orders at once never take more than lies there', async () => {
  await insert('product', { sku: 'RARE', name: 'Rare', price: 1 });
  await insert('inventory_source_item', { sku: 'RARE', source_code: 'floor', quantity: 5 });
  const orders = await eightAtOnce(() => placed({ lines: [{ sku: 'RARE', qty: 1, price: '1' }] }));
  const { done, refused } = await outcomesAtOnce(8, (at) => createShipment(orm.em, { orderId: orders[at]!.orderId }));
  expect(done).toHaveLength(5);
  expect(refused[0]).toMatchObject({
    status: 400,
    message: 'Not all of your products are available in the requested quantity.',
  });
  expect(await findOne('inventory_source_item', { sku: 'RARE' }, 'quantity', 'status')).toEqual({
    quantity: '0.0000',
    status: 0,
  });
});

test('two registers that sell the same goods in opposite order do not block one another', async () => {
  const lines = (skus: string[]) => skus.map((sku) => ({ sku, qty: 1, price: '1' }));
  const orders = await eightAtOnce((n) => placed({ lines: lines(n % 2 ? ['MUG', 'PLATE'] : ['PLATE', 'MUG']) }));
  await Promise.all(orders.map(({ orderId }) => createShipment(orm.em, { orderId })));
  for (const { orderId } of orders) expect(await promised(orderId)).toBe(0);
});

test('parts are handed over one after the other', async () => {
  const { orderId, itemIds } = await placed({ lines: [{ sku: 'PLATE', qty: 3, price: '10' }] });
  await createInvoice(orm.em, { orderId });
  await createShipment(orm.em, { orderId, items: [{ orderItemId: itemIds[0]!, qty: pieces(1) }] });
  expect([await stateOf(orderId), await promised(orderId)]).toEqual(['processing', -2]);
  await createShipment(orm.em, { orderId });
  expect([await stateOf(orderId), await promised(orderId)]).toEqual(['complete', 0]);
});

test('the source that is named is the one that gives', async () => {
  await insert('inventory_source_item', { sku: 'MUG', source_code: 'damaged', quantity: 3 });
  const { orderId } = await placed();
  await createShipment(orm.em, { orderId, sourceCode: 'damaged' });
  expect(await shelf('MUG', 'damaged')).toBe(1);
  const other = await placed();
  await expect(createShipment(orm.em, { orderId: other.orderId, sourceCode: 'damaged' })).rejects.toMatchObject({
    status: 400,
  });
  await expect(createShipment(orm.em, { orderId: other.orderId, sourceCode: 'nowhere' })).rejects.toMatchObject({
    status: 404,
    parameters: { value: 'nowhere' },
  });
  expect(await promised(other.orderId)).toBe(-2);
});

test('goods without stock management are handed over without a trace in the stock', async () => {
  await insert('product', { sku: 'SERVICE', name: 'Service', price: 1, manage_stock: false });
  const { orderId } = await placed({ lines: [{ sku: 'SERVICE', qty: 1, price: '1' }] });
  await createShipment(orm.em, { orderId });
  expect(await promisesOf(orderId)).toEqual([]);
});

test('an order that is done cannot be handed over again', async () => {
  const { orderId } = await anOrder(orm.em);
  await expect(createShipment(orm.em, { orderId })).rejects.toMatchObject({
    status: 400,
    message: [
      'Shipment Document Validation Error(s):',
      'The order does not allow a shipment to be created.',
      "You can't create a shipment without products.",
    ].join('\n'),
  });
  await expect(createShipment(orm.em, { orderId: 999_999 })).rejects.toMatchObject({ status: 404 });
});

test('a cancelled order gives its goods back, once, and says so', async () => {
  const free = await salable('MUG');
  const { orderId } = await placed();
  const answers = await eightAtOnce(() => cancelOrder(orm.em, orderId));
  expect(answers.filter(Boolean)).toHaveLength(1);
  expect(await theOrder(orderId)).toMatchObject({
    state: 'canceled',
    status: 'canceled',
    subtotal_canceled: '100.0000',
    tax_canceled: '8.0000',
    total_canceled: '108.0000',
  });
  expect(await findOne('sales_order_item', { order_id: orderId }, 'qty_canceled', 'tax_canceled')).toEqual({
    qty_canceled: '2.0000',
    tax_canceled: '8.0000',
  });
  expect((await commentsOf(orderId, 'comment', 'status')).slice(-1)).toEqual([
    { comment: 'Canceled order offline', status: 'canceled' },
  ]);
  expect([await promised(orderId), await salable('MUG')]).toEqual([0, free]);
});

test('the rest of a part-invoiced order is cancelled, what was sold stays', async () => {
  const { orderId, itemIds } = await placed({ lines: [{ sku: 'PLATE', qty: 3, price: '10', tax: '3' }] });
  const items = [{ orderItemId: itemIds[0]!, qty: pieces(1) }];
  await createInvoice(orm.em, { orderId, items });
  await createShipment(orm.em, { orderId, items });
  expect(await cancelOrder(orm.em, orderId)).toBe(true);
  expect(await theOrder(orderId, 'state', 'total_paid', 'total_canceled', 'subtotal_canceled')).toEqual({
    state: 'complete',
    total_paid: '11.0000',
    total_canceled: '22.0000',
    subtotal_canceled: '20.0000',
  });
  expect(await promised(orderId)).toBe(0);
});

test('a finished order and an unknown one are not cancelled', async () => {
  const { orderId } = await anOrder(orm.em);
  expect(await cancelOrder(orm.em, orderId)).toBe(false);
  expect(await stateOf(orderId)).toBe('complete');
  await expect(cancelOrder(orm.em, 999_999)).rejects.toMatchObject({ status: 404 });
});

test('the books are right, whatever was done so far', async () => {
  expect(await verify(fork())).toEqual([]);
});
