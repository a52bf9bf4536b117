import type { EntityManager } from '@mikro-orm/postgresql';
import type { NewRowOf } from '../../support/entity-columns.ts';
import { integer } from '../../support/kinds.ts';
import { of } from '../../support/rows.ts';
import { statement } from '../../support/statement.ts';
import { insertRows, into } from '../../support/write-rows.ts';
import { MoneyIn } from './money-in.entity.ts';
import { shopNow } from '../../support/shop-clock.ts';

/** Writes down a payment that raised an order's total paid, in the caller's transaction. A repeat writes it again. */
export const recordMoneyIn = (em: EntityManager, paid: NewRowOf<typeof MoneyIn>): Promise<void> =>
  insertRows(em, [into(MoneyIn, [{ ...paid, createdAt: shopNow() }])]);

/** Whether a customer has paid any of an order's credit due. */
export const hasCollectedDue = async (em: EntityManager, orderId: number): Promise<boolean> =>
  (await findDue.first(em, { orderId })) !== undefined;

const findDue = statement({
  takes: { orderId: integer },
  gives: of(MoneyIn, 'moneyInId'),
  text: `select money_in_id from sales_money_in where order_id = $orderId and kind = 'credit_due' limit 1`,
});
