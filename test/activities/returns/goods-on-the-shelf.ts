import { afterAll, beforeAll } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { refundOrder } from '../../../db/platform/credit-memos/refund-invoice.ts';
import { createInvoice } from '../../../db/platform/invoices/invoices.ts';
import { createShipment } from '../../../db/platform/shipments/shipments.ts';
import { bookSettlement } from '../../../db/returns/settle-return.ts';
import { closeReturn } from '../../../db/returns/close-return.ts';
import { createReturn, initialiseReturn } from '../../../db/returns/create-return.ts';
import { readReturned } from '../../../db/returns/read-returned.ts';
import { receiveReturn, type ReceivedLine } from '../../../db/returns/receive-return.ts';
import { setReturnStatus } from '../../../db/returns/resolve-return.ts';
import { verify } from '../../../books/verify/verify.ts';
import { zero, pieces } from '../../../domain/money.ts';
import { anOrder } from '../../support/builders/order.ts';
import { anItem } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { booksOf } from '../../support/books.ts';
import { testDatabase } from '../../support/database.ts';

/** Returns of goods that were sold and never left the shop, alone and beside those that did. */
export let orm: MikroORM;
let locationId: number;

/** A shop whose goods lie at one location. */
export function opensAShelf(): void {
  beforeAll(async () => {
    orm = await testDatabase();
    ({ locationId } = await aShop(fork()));
  });
  afterAll(() => orm.close());
}

const { itemsOf, shelf, promised, fork } = booksOf(() => orm);

/** Three mugs, sold and paid; so many of them handed over. */
export async function aSale(shipped: number, { invoiced = 3 } = {}) {
  const { orderId, itemIds } = await anOrder(fork(), {
    lines: [{ sku: 'MUG', qty: 3, price: '10' }],
    paid: false,
    shipped: false,
  });
  const itemId = itemIds[0]!;
  await createInvoice(fork(), { orderId, items: [{ orderItemId: itemId, qty: pieces(invoiced) }] });
  const ship = (count: number) =>
    createShipment(fork(), { orderId, items: [{ orderItemId: itemId, qty: pieces(count) }] });
  if (shipped > 0) await ship(shipped);
  return { orderId, itemId, ship };
}

/** How far the shelf is from where it was, and what is promised to the order. */
export const stockOf = async (orderId: number) => ({ shelf: await shelf(), promised: 0 - (await promised(orderId)) });

export async function aReturn(
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

export async function aReturnReceived(
  sale: { orderId: number; itemId: number },
  count: number,
  seen: Partial<ReceivedLine>,
) {
  const returnId = await aReturn(sale, count, false);
  await initialiseReturn(orm.em, { returnId, canRefundThrough: () => true });
  await setReturnStatus(orm.em, { returnId, status: 'approved' });
  const [line] = await itemsOf(returnId, 'entity_id');
  const rmaItemId = Number(line!['entity_id']);
  const unseen = { inspection: null, condition: null, qtyReceived: null, returnToStock: null };
  await receiveReturn(orm.em, { returnId, locationId, lines: [{ rmaItemId, ...unseen, ...seen }] });
  return returnId;
}

export const settle = (returnId: number) =>
  bookSettlement(orm.em, {
    returnId,
    method: 'cash',
    options: { shippingAmount: null, adjustmentPositive: zero, adjustmentNegative: zero, notifyCustomer: false },
    requestId: `settle-${returnId}`,
  });
export const close = (returnId: number) => closeReturn(orm.em, { returnId });
export const refundByHand = ({ orderId, itemId }: { orderId: number; itemId: number }, count: number) =>
  refundOrder(fork(), {
    orderId,
    items: [{ orderItemId: itemId, qty: pieces(count) }],
    adjustmentPositive: zero,
    adjustmentNegative: zero,
    returnToStockItemIds: [itemId],
    readReturned,
  });
export const brokenRules = () => verify(fork());
