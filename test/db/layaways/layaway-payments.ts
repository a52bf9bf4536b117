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

const { fork, rows } = booksOf(() => orm);
const one = async (sql: string, orderId: number) => (await rows(sql, orderId))[0];
export const stands = (orderId: number) =>
  one(
    `select o.state, o.pos_layaway_status as status, o.total_paid, o.base_total_paid, o.total_due,
       o.pos_layaway_balance_owed as owed, o.pos_layaway_deposit_amount as deposit,
       o.pos_layaway_initial_payment_method as method, p.amount_paid, i.state as invoice
     from sales_order o join sales_order_payment p on p.order_id = o.entity_id
       join sales_invoice i on i.order_id = o.entity_id where o.entity_id = ?`,
    orderId,
  );
export const payments = (orderId: number) =>
  rows<{ reference: string | null; amount: string }>(
    `select reference, amount from sales_money_in where order_id = ? and kind = 'layaway_capture' order by money_in_id`,
    orderId,
  );
