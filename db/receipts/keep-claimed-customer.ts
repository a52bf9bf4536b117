import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../domain/errors.ts';
import type { OrderHook } from '../platform/order-saves/create-order.ts';
import { integer, text } from '../support/kinds.ts';
import { statement } from '../support/statement.ts';

/**
 * Runs when an order is saved, and refuses to give the order of a claimed receipt to another customer. Our choice:
 * receipt and order always name the same customer. A claim locks the order too, so the two take turns.
 *
 * Refused with: 400, in the platform's words for a value that cannot be changed.
 */
export const keepClaimedCustomer: OrderHook = async (em, { incrementId, customerId, isNew }, posted) => {
  if (isNew || posted.columns.customerId === undefined || customerId === null) return;
  if (!(await isClaimedByAnother(em, { incrementId, customerId }))) return;
  throw invalid('Invalid value of "%value" provided for the %fieldName field.', {
    fieldName: 'customerId',
    value: customerId,
  });
};

const isClaimedByAnother = async (em: EntityManager, order: { incrementId: string; customerId: number }) =>
  (await findClaim.first(em, order)) !== undefined;

/** When two stores have this number, the claimed receipt may belong to the other store's order. */
const findClaim = statement({
  takes: { incrementId: text, customerId: integer },
  gives: { receiptId: integer },
  text: `
    select r.receipt_id
    from (
      select receipt_id, customer_id from pos_receipt
      where order_increment_id = $incrementId and claimed_at is not null
      union all
      select receipt_id, customer_id from pos_receipt
      where original_order_increment_id = $incrementId and order_increment_id is null and sale_type = 'refund'
        and claimed_at is not null
    ) r
    where r.customer_id <> $customerId
      and not exists (select from sales_order o where o.increment_id = $incrementId and o.customer_id = r.customer_id)
    limit 1`,
});
