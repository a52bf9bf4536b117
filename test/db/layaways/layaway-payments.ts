import { afterAll, beforeAll } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { createOrm } from '../../../db/orm.ts';
import { aShop } from '../../support/builders/shop.ts';
import { booksOf } from '../../support/books.ts';
import { testDatabaseUrl } from '../../support/database.ts';
import { twiceAtOnce } from '../../support/rivals.ts';

export let orm: MikroORM;
/** A second process of the service. */
export let other: MikroORM;

/** A shop, and two processes of the service. */
export function opensAShop(): void {
  beforeAll(async () => {
    const url = await testDatabaseUrl();
    [orm, other] = await twiceAtOnce(() => createOrm(url));
    await aShop(fork());
  });
  afterAll(() => Promise.all([orm.close(), other.close()]));
}

const { find, findOne, invoicesOf, theOrder, fork } = booksOf(() => orm);
export async function stands(orderId: number) {
  const order = await theOrder(orderId);
  const { amount_paid } = await findOne('sales_order_payment', { order_id: orderId }, 'amount_paid');
  const [invoice] = await invoicesOf(orderId, 'state');
  const { state, total_paid, base_total_paid, total_due } = order;
  return {
    ...{ state, status: order['pos_layaway_status'], total_paid, base_total_paid, total_due },
    ...{ owed: order['pos_layaway_balance_owed'], deposit: order['pos_layaway_deposit_amount'] },
    ...{ method: order['pos_layaway_initial_payment_method'], amount_paid, invoice: invoice?.state },
  };
}
export const payments = (orderId: number) =>
  find('sales_money_in', { order_id: orderId, kind: 'layaway_capture' }, 'reference', 'amount');
