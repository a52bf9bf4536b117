import type { EntityManager } from '@mikro-orm/postgresql';
import { query } from '../support/query.ts';

export interface KnownBy {
  orderId: number;
  reference: string | null;
  operationKey: string | null;
}

/** By unique indexes, exactly as it is spelled: the history is never searched. */
const paymentText = `
select 1 as found from sales_money_in
where order_id = $1 and (operation_key = $3 or (reference = $2 and kind in ('layaway_capture', 'credit_due')))`;

/** Whether the order has this payment already, by its reference or by the step that booked it. */
export const hasPayment = async (em: EntityManager, { orderId, reference, operationKey }: KnownBy): Promise<boolean> =>
  (await query(em, paymentText, [orderId, reference, operationKey])).length > 0;
