import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../support/sql.ts';

export interface KnownBy {
  orderId: number;
  reference: string | null;
  operationKey: string | null;
}

/** Whether the order has this payment already, by its reference or by the step that booked it. */
export const hasPayment = async (em: EntityManager, known: KnownBy): Promise<boolean> =>
  (await selectPayment.first(em, { ...known, reference: known.reference?.trim() ?? null })) !== undefined;

/** Among the payments of the order; white space around a reference does not count. The history is never searched. */
const selectPayment = sql('has-payment.selectPayment')`
  select money_in_id from sales_money_in
  where order_id = $orderId
    and (operation_key = $operationKey? or (trimmed_reference(reference) = $reference? and kind in ('layaway_capture', 'credit_due')))`;
