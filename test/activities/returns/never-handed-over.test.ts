import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { refundOrder } from '../../../db/platform/credit-memos/refund-order.ts';
import { createInvoice } from '../../../db/platform/invoices/create-invoice.ts';
import { createShipment } from '../../../db/platform/shipments/create-shipment.ts';
import { bookSettlement } from '../../../db/returns/book-settlement.ts';
import { closeReturn } from '../../../db/returns/close-return.ts';
import { createReturn } from '../../../db/returns/create-return.ts';
import { initialiseReturn } from '../../../db/returns/initialise-return.ts';
import { readReturned } from '../../../db/returns/read-returned.ts';
import { receiveReturn, type ReceivedLine } from '../../../db/returns/receive-return.ts';
import { setReturnStatus } from '../../../db/returns/set-return-status.ts';
import { verify } from '../../../books/verify/verify.ts';
import { zero } from '../../../domain/money/amount.ts';
import { pieces } from '../../../domain/money/quantity.ts';
import { anOrder } from '../../support/builders/order.ts';
import { anItem } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { testDatabase } from '../../support/database.ts';

/** Returns of goods that were sold and never left the shop, alone and beside those that did. */
let orm: MikroORM;
let locationId: number;
beforeAll(async () => {
  orm = await testDatabase();
  ({ locationId } = await aShop(orm.em.fork()));
});
afterAll(() => orm.close());

const rows = (sql: string, ...parameters: unknown[]) =>
  orm.em.fork().execute<Record<string, unknown>[]>(sql, parameters);

/** Three mugs, sold and paid; so many of them handed over. */
async function aSale(shipped: number, { invoiced = 3 } = {}) {
  const { orderId, itemIds } = await anOrder(orm.em.fork(), {
    lines: [{ sku: 'MUG', qty: 3, price: '10' }],
    paid: false,
    shipped: false,
  });
  const itemId = itemIds[0]!;
  await createInvoice(orm.em.fork(), { orderId, items: [{ orderItemId: itemId, qty: pieces(invoiced) }] });
  const ship = (count: number) =>
    createShipment(orm.em.fork(), { orderId, items: [{ orderItemId: itemId, qty: pieces(count) }] });
  if (shipped > 0) await ship(shipped);
  return { orderId, itemId, ship };
}

/** How far the shelf is from where it was, and what is promised to the order. */
async function stockOf(orderId: number) {
  const [row] = await rows(
    `select (select quantity::float8 from inventory_source_item where sku = 'MUG' and source_code = 'floor') as shelf,
       (select coalesce(-sum(quantity), 0)::float8 from inventory_reservation where order_id = ?) as promised`,
    orderId,
  );
  return { shelf: Number(row!['shelf']), promised: Number(row!['promised']) };
}

async function aReturn(
  { orderId, itemId }: { orderId: number; itemId: number },
  count: number,
  isAutoApproved: boolean,
) {
  const { returnId } = await createReturn(orm.em, {
    orderId,
    customerId: null,
    locationId,
    items: [{ ...anItem(itemId), qtyRequested: pieces(count) }],
    comment: null,
    isAutoApproved,
    refundMethod: null,
    posSaleId: null,
  });
  if (isAutoApproved) await initialiseReturn(orm.em, { returnId, canRefundThrough: () => true });
  return returnId;
}

async function aReturnReceived(sale: { orderId: number; itemId: number }, count: number, seen: Partial<ReceivedLine>) {
  const returnId = await aReturn(sale, count, false);
  await initialiseReturn(orm.em, { returnId, canRefundThrough: () => true });
  await setReturnStatus(orm.em, { returnId, status: 'approved', noteId: null });
  const [line] = await rows('select entity_id from sale_return_item where return_id = ?', returnId);
  const rmaItemId = Number(line!['entity_id']);
  const unseen = { inspection: null, condition: null, qtyReceived: null, returnToStock: null };
  await receiveReturn(orm.em, { returnId, locationId, lines: [{ rmaItemId, ...unseen, ...seen }] });
  return returnId;
}

const settle = (returnId: number) =>
  bookSettlement(orm.em, {
    returnId,
    method: 'cash',
    options: { shippingAmount: null, adjustmentPositive: zero, adjustmentNegative: zero, notifyCustomer: false },
    requestId: `settle-${returnId}`,
  });
const close = (returnId: number) => closeReturn(orm.em, { returnId, noteId: null });
const refundByHand = ({ orderId, itemId }: { orderId: number; itemId: number }, count: number) =>
  refundOrder(orm.em.fork(), {
    orderId,
    items: [{ orderItemId: itemId, qty: pieces(count) }],
    adjustmentPositive: zero,
    adjustmentNegative: zero,
    returnToStockItemIds: [itemId],
    readReturned,
  });
const brokenRules = () => verify(orm.em.fork());

test('what is handed over between two returns comes back as handed over', async () => {
  const sale = await aSale(0);
  const { shelf } = await stockOf(sale.orderId);
  await settle(await aReturn(sale, 1, true));
  await sale.ship(2);
  expect(await stockOf(sale.orderId)).toEqual({ shelf: shelf - 2, promised: 0 });

  await settle(await aReturn(sale, 2, true));

  expect(await stockOf(sale.orderId)).toEqual({ shelf, promised: 0 });
});

test('goods nobody looked at stay where they lie, promised no longer', async () => {
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
    rows(`update inventory_source_item set quantity = ? where sku = 'MUG' and source_code = 'floor'`, quantity);

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
  const { orderId, itemIds } = await anOrder(orm.em.fork(), { lines, shipped: false });
  const sale = { orderId, itemId: itemIds[0]! };
  await createShipment(orm.em.fork(), { orderId, items: [{ orderItemId: sale.itemId, qty: pieces(1) }] });
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
  await createInvoice(orm.em.fork(), { orderId: sale.orderId });

  await refundByHand(sale, 2);

  expect(await stockOf(sale.orderId)).toEqual({ shelf: shelf + 1, promised: 0 });
  expect(await brokenRules()).toEqual([]);
});

test('a return knows what a refund by hand took back before', async () => {
  const sale = await aSale(1, { invoiced: 1 });
  const { shelf } = await stockOf(sale.orderId);
  await refundByHand(sale, 1);
  await createInvoice(orm.em.fork(), { orderId: sale.orderId });

  await settle(await aReturn(sale, 2, true));

  expect(await stockOf(sale.orderId)).toEqual({ shelf: shelf + 1, promised: 0 });
  expect(await brokenRules()).toEqual([]);
});

test('a return that is closed promises nothing to an order that was cancelled meanwhile', async () => {
  const sale = await aSale(0);
  const returnId = await aReturnReceived(sale, 1, {});
  await rows(
    `update sales_order set state = 'canceled', status = 'canceled' where entity_id = ? returning 1`,
    sale.orderId,
  );
  await rows(`delete from inventory_reservation where order_id = ? returning 1`, sale.orderId);

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
