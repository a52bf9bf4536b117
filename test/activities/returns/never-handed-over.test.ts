import { expect, test } from '@jest/globals';
import { createInvoice } from '../../../db/platform/invoices/invoices.ts';
import { createShipment } from '../../../db/platform/shipments/shipments.ts';
import { pieces } from '../../../domain/money.ts';
import { anOrder } from '../../support/builders/order.ts';
import { booksOf } from '../../support/books.ts';
import {
  opensAShelf,
  orm,
  aSale,
  stockOf,
  aReturn,
  aReturnReceived,
  settle,
  close,
  refundByHand,
  brokenRules,
} from './goods-on-the-shelf.ts';

opensAShelf();

const { fork, change, remove } = booksOf(() => orm);

test('what is handed over between two returns comes back as handed over', async () => {
  const sale = await aSale(0);
  const { shelf } = await stockOf(sale.orderId);
  await settle(await aReturn(sale, 1, true));
  await sale.ship(2);
  expect(await stockOf(sale.orderId)).toEqual({ shelf: shelf - 2, promised: 0 });

  await settle(await aReturn(sale, 2, true));

  expect(await stockOf(sale.orderId)).toEqual({ shelf, promised: 0 });
});

test('goods without an inspection stay where they lie, promised no longer', async () => {
  const sale = await aSale(0);
  const { shelf } = await stockOf(sale.orderId);

  const returnId = await aReturnReceived(sale, 2, { qtyReceived: pieces(0) });
  expect(await stockOf(sale.orderId)).toEqual({ shelf, promised: 1 });
  await close(returnId);

  expect(await stockOf(sale.orderId)).toEqual({ shelf, promised: 3 });
});

test('of a line that was handed over in part, what lies on the counter is what was handed over', async () => {
  const sale = await aSale(1);
  const { shelf } = await stockOf(sale.orderId);

  const returnId = await aReturnReceived(sale, 2, { qtyReceived: pieces(1) });
  expect(await stockOf(sale.orderId)).toEqual({ shelf: shelf + 1, promised: 1 });
  await close(returnId);

  expect(await stockOf(sale.orderId)).toEqual({ shelf, promised: 2 });
});

test('what is written off without ever leaving the shop leaves its shelf, as far as it lies there', async () => {
  const sale = await aSale(0);
  const { shelf } = await stockOf(sale.orderId);
  const setShelf = (quantity: number) =>
    change('inventory_source_item', { sku: 'MUG', source_code: 'floor' }, { quantity });

  await aReturnReceived(sale, 1, { inspection: 'dispose' });
  expect(await stockOf(sale.orderId)).toEqual({ shelf: shelf - 1, promised: 2 });
  await setShelf(1);
  await aReturnReceived(sale, 2, { inspection: 'dispose' });
  expect(await stockOf(sale.orderId)).toEqual({ shelf: 0, promised: 0 });

  await setShelf(shelf);
});

test('a refund by hand after a return takes the pieces that the return left', async () => {
  const sale = await aSale(2);
  const { shelf } = await stockOf(sale.orderId);
  await settle(await aReturn(sale, 1, true));
  expect(await stockOf(sale.orderId)).toEqual({ shelf: shelf + 1, promised: 1 });

  await refundByHand(sale, 2);

  expect(await stockOf(sale.orderId)).toEqual({ shelf: shelf + 2, promised: 0 });
  expect(await brokenRules()).toEqual([]);
});

test('one refund by hand after the other takes what lies on the shelf once, whatever else is still promised', async () => {
  const lines = [
    { sku: 'MUG', qty: 2, price: '10' },
    { sku: 'MUG', qty: 2, price: '12' },
  ];
  const { orderId, itemIds } = await anOrder(fork(), { lines, shipped: false });
  const sale = { orderId, itemId: itemIds[0]! };
  await createShipment(fork(), { orderId, items: [{ orderItemId: sale.itemId, qty: pieces(1) }] });
  const { shelf } = await stockOf(orderId);

  await refundByHand(sale, 1);
  expect(await stockOf(orderId)).toEqual({ shelf, promised: 2 });
  await refundByHand(sale, 1);

  expect(await stockOf(orderId)).toEqual({ shelf: shelf + 1, promised: 2 });
});

test('goods that lie on the shelf already, with a return that waits, do not come back again with a refund by hand', async () => {
  const sale = await aSale(1);
  const { shelf } = await stockOf(sale.orderId);
  await aReturn(sale, 3, true);
  expect(await stockOf(sale.orderId)).toEqual({ shelf: shelf + 1, promised: 0 });

  await refundByHand(sale, 2);

  expect(await stockOf(sale.orderId)).toEqual({ shelf: shelf + 1, promised: 0 });
});

test('goods of a return that did not come in do come back with a refund by hand', async () => {
  const sale = await aSale(3);
  const { shelf } = await stockOf(sale.orderId);
  await aReturnReceived(sale, 2, { qtyReceived: pieces(0) });

  await refundByHand(sale, 1);

  expect(await stockOf(sale.orderId)).toEqual({ shelf: shelf + 1, promised: 0 });
});

test('a close after a refund by hand promises what a later refund takes back', async () => {
  const sale = await aSale(1);
  const { shelf } = await stockOf(sale.orderId);
  const returnId = await aReturnReceived(sale, 3, {});
  await refundByHand(sale, 1);

  await close(returnId);
  expect(await stockOf(sale.orderId)).toEqual({ shelf, promised: 2 });
  await refundByHand(sale, 2);

  expect(await stockOf(sale.orderId)).toEqual({ shelf, promised: 0 });
  expect(await brokenRules()).toEqual([]);
});

test('what a refund by hand took is known when more of the line is invoiced later', async () => {
  const sale = await aSale(1, { invoiced: 1 });
  const { shelf } = await stockOf(sale.orderId);
  await refundByHand(sale, 1);
  expect(await stockOf(sale.orderId)).toEqual({ shelf: shelf + 1, promised: 2 });
  await createInvoice(fork(), { orderId: sale.orderId });

  await refundByHand(sale, 2);

  expect(await stockOf(sale.orderId)).toEqual({ shelf: shelf + 1, promised: 0 });
  expect(await brokenRules()).toEqual([]);
});

test('a return knows what a refund by hand took back before', async () => {
  const sale = await aSale(1, { invoiced: 1 });
  const { shelf } = await stockOf(sale.orderId);
  await refundByHand(sale, 1);
  await createInvoice(fork(), { orderId: sale.orderId });

  await settle(await aReturn(sale, 2, true));

  expect(await stockOf(sale.orderId)).toEqual({ shelf: shelf + 1, promised: 0 });
  expect(await brokenRules()).toEqual([]);
});

test('a return that is closed promises nothing to an order that was cancelled meanwhile', async () => {
  const sale = await aSale(0);
  const returnId = await aReturnReceived(sale, 1, {});
  await change('sales_order', { entity_id: sale.orderId }, { state: 'canceled', status: 'canceled' });
  await remove('inventory_reservation', { order_id: sale.orderId });

  await close(returnId);

  expect((await stockOf(sale.orderId)).promised).toBe(0);
});

test('a return that is closed promises nothing that was handed over meanwhile', async () => {
  const sale = await aSale(0);
  const { shelf } = await stockOf(sale.orderId);
  const returnId = await aReturnReceived(sale, 1, {});
  await sale.ship(3);

  await close(returnId);

  expect(await stockOf(sale.orderId)).toEqual({ shelf: shelf - 3, promised: 0 });
  expect(await brokenRules()).toEqual([]);
});

test('two returns that are closed promise what is left to hand over, once', async () => {
  const sale = await aSale(0);
  const [one, other] = [await aReturnReceived(sale, 1, {}), await aReturnReceived(sale, 1, {})];
  await sale.ship(2);

  await close(one);
  expect((await stockOf(sale.orderId)).promised).toBe(1);
  await close(other);

  expect((await stockOf(sale.orderId)).promised).toBe(1);
  expect(await brokenRules()).toEqual([]);
});
