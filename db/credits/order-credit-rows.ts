import type { EntityManager } from '@mikro-orm/postgresql';
import type { RowOf } from '../support/entity-columns.ts';
import { keep, kept, saveRows } from '../support/kept-rows.ts';
import { integer } from '../support/kinds.ts';
import { rowOf } from '../support/rows.ts';
import { statement } from '../support/statement.ts';
import { OrderCredit } from './order-credit.entity.ts';

export type CreditRow = RowOf<typeof OrderCredit>;

const credit = rowOf(OrderCredit, 'c');

/**
 * The credits an order was paid with, in the order they were posted. The order's lock covers them; `saveOrderCredits`
 * writes their changes.
 */
export const readCreditRows = async (em: EntityManager, orderId: number): Promise<CreditRow[]> =>
  (await read.all(em, { orderId })).map((row) => keep(row.credit));

const read = statement({
  takes: { orderId: integer },
  gives: { credit },
  text: `select ${credit.columns} from order_credit c where c.order_id = $orderId order by c.credit_id`,
});

export const saveOrderCredits = (em: EntityManager, credits: readonly CreditRow[]): Promise<void> =>
  saveRows(em, [kept(OrderCredit, credits)]);
