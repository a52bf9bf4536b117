import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { MoneyIn, Order } from '../platform/orders/order.entity.ts';
import { amountColumn } from '../support/columns.ts';

/**
 * Credit due that was collected (spec 4.6), with its answer: the same reference always gets it again. Written once,
 * never changed.
 */
export const DuePayment = defineEntity({
  name: 'DuePayment',
  tableName: 'due_payment',
  properties: {
    duePaymentId: p.bigint('number').primary().autoincrement(),
    orderId: () => p.manyToOne(Order).mapToPk().fieldName('order_id').deleteRule('restrict'),
    reference: p.string().length(255),
    moneyInId: () => p.manyToOne(MoneyIn).mapToPk().fieldName('money_in_id').unique().deleteRule('restrict'),
    amount: amountColumn(),
    /** The credit due before and after it. */
    dueBefore: amountColumn(),
    dueAfter: amountColumn(),
    /** The lower of the credit due and what the order still owes. */
    remainingDue: amountColumn(),
    paidTotal: amountColumn(),
    totalDue: amountColumn(),
    isInvoicePaid: p.boolean(),
    createdAt: p.datetime(6).defaultRaw('clock_timestamp()'),
  },
  checks: [
    {
      name: 'due_payment_adds_up',
      expression: `amount > 0 and amount <> 'NaN' and due_before - amount = due_after and due_after >= 0 and remaining_due >= 0`,
    },
  ],
  uniques: [{ name: 'due_payment_reference_once', properties: ['orderId', 'reference'] }],
});
export type DuePayment = InferEntity<typeof DuePayment>;
