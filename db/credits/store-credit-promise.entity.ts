import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { Order } from '../platform/orders/order.entity.ts';
import { amountColumn } from '../support/columns.ts';

/**
 * Store credit that settled refunds of an order promised and that is not issued yet, in the order's currency. Triggers
 * write it when a memo of a return is settled with `store_credit` and when credit is issued or refused; a row whose
 * credit was issued is deleted.
 */
export const StoreCreditPromise = defineEntity({
  name: 'StoreCreditPromise',
  tableName: 'store_credit_promise',
  properties: {
    orderId: () => p.oneToOne(Order).mapToPk().primary().fieldName('order_id').deleteRule('cascade'),
    amount: amountColumn(),
    currencyCode: p.string().length(3),
    /** When the first memo was booked of which credit is still to be issued. */
    since: p.datetime(6).index(),
  },
  checks: [{ name: 'store_credit_promise_positive', expression: `amount > 0 and amount <> 'NaN'` }],
});
export type StoreCreditPromise = InferEntity<typeof StoreCreditPromise>;
