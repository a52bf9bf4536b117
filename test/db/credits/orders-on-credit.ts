import { afterAll, beforeAll, expect } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { bookSettlement } from '../../../db/returns/settle-return.ts';
import { createReturn, initialiseReturn } from '../../../db/returns/create-return.ts';
import { verify } from '../../../books/verify/verify.ts';
import { money } from '../../../domain/money.ts';
import { plainSettlement, type RefundLeg } from '../../../domain/refunds/quote-refund.ts';
import type { SettleMethod } from '../../../domain/returns/resolution.ts';
import { aCustomerWithCredit } from '../../support/builders/credit.ts';
import { type WantedOrder } from '../../support/builders/order.ts';
import { anItem, aReturn } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { booksOf } from '../../support/books.ts';
import { testDatabase } from '../../support/database.ts';

export let orm: MikroORM;
export let locationId: number;

/** A shop whose books of credit hold at the end. */
export function opensAShopWithCredit(): void {
  beforeAll(async () => {
    orm = await testDatabase();
    ({ locationId } = await aShop(fork()));
  });
  afterAll(async () => {
    expect(await verify(fork())).toEqual([]);
    await orm.close();
  });
}

const { fork } = booksOf(() => orm);
export const storeCredit = (amount: number) => ({ credit_type: 'store_credit', amount });
export const reachable = () => true;

/** Two mugs for 108, paid with so much store credit and the rest otherwise. */
export async function anOrderOnCredit(credit: number, more: WantedOrder = {}) {
  const customerId = await aCustomerWithCredit(orm, credit.toFixed(2));
  return { customerId, order: { customerId, credits: [storeCredit(credit)], ...more } };
}

/** A parked return of one mug of such an order. */
export async function aParkedReturn(order: WantedOrder, refundMethod: SettleMethod = 'cash') {
  const rma = await aReturn(orm, { locationId, refundMethod, order });
  await initialiseReturn(orm.em, { returnId: rma.returnId, canRefundThrough: reachable });
  return rma;
}

/** A second return of the other mug. */
export async function andTheOther(
  { orderId, orderItemId }: { orderId: number; orderItemId: number },
  refundMethod: SettleMethod,
) {
  const { returnId } = await createReturn(orm.em, {
    orderId,
    customerId: null,
    locationId,
    items: [anItem(orderItemId)],
    comment: null,
    isAutoApproved: true,
    refundMethod,
    posSaleId: null,
  });
  await initialiseReturn(orm.em, { returnId, canRefundThrough: reachable });
  return returnId;
}

export const settle = (returnId: number, expectedLegs?: RefundLeg[]) =>
  bookSettlement(orm.em, {
    returnId,
    method: 'cash',
    options: plainSettlement,
    requestId: `r-${returnId}`,
    ...(expectedLegs === undefined ? {} : { expectedLegs }),
  });

export const leg = (value: string, over: Partial<RefundLeg> = {}): RefundLeg => ({
  kind: 'store_credit',
  providerCode: 'store_credit',
  baseAmount: money(value),
  amount: money(value),
  ...over,
});
