import { invalid } from '../../domain/errors.ts';
import type { OrderHook } from '../platform/order-saves/create-order.ts';
import { integer } from '../support/kinds.ts';
import { statement } from '../support/statement.ts';

/**
 * Runs when an order is saved, and refuses to give the order of a claimed receipt to another customer. Our choice:
 * receipt and order always name the same customer. A claim locks the order too, so the two take turns.
 *
 * Refused with: 400, in the platform's words for a value that cannot be changed.
 */
export const keepClaimedCustomer: OrderHook = async (em, { orderId, customerId, isNew }, posted) => {
  if (isNew || posted.columns.customerId === undefined || customerId === null) return;
  if ((await findClaim.first(em, { orderId, customerId })) === undefined) return;
  throw invalid('Invalid value of "%value" provided for the %fieldName field.', {
    fieldName: 'customerId',
    value: customerId,
  });
};

const findClaim = statement({
  takes: { orderId: integer, customerId: integer },
  gives: { receiptId: integer },
  text: `
    select receipt_id from pos_receipt
    where claimed_order_id = $orderId and customer_id <> $customerId limit 1`,
});
