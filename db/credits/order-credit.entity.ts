import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { creditKinds, creditUses } from '../../domain/credits/applied-credit.ts';
import { nameTailColumn } from '../installation/outside-name.ts';
import { CreditMemo } from '../platform/credit-memos/credit-memo.entity.ts';
import { Order } from '../platform/orders/order.entity.ts';
import { amountColumn, zeroAmounts } from '../support/columns.ts';
import { timestamps } from '../support/timestamps.ts';

/**
 * One credit spent on an order at its placement (spec 4.6). The amount applied never changes; the amount returned
 * only grows.
 *
 * `…Reserved` is promised to gateway refunds under way, as the order's `basePendingRefund` is: no other refund gives
 * it back meanwhile. Written under the order lock.
 */
export const OrderCredit = defineEntity({
  name: 'OrderCredit',
  tableName: 'order_credit',
  properties: {
    creditId: p.integer().primary().autoincrement(),
    orderId: () => p.manyToOne(Order).mapToPk().fieldName('order_id').index().deleteRule('restrict'),
    kind: p.enum(creditKinds),
    providerCode: p.string().length(64),
    appliesAs: p.enum(creditUses),
    /** Its owner and website: the credit goes back there, even when the order gets another customer. */
    customerId: p.integer().nullable(),
    websiteId: p.integer(),
    /** Only for a gift card: a secret, never shown in full. */
    code: p.string().length(255).nullable(),
    baseAmount: amountColumn(),
    amount: amountColumn(),
    points: p.integer().nullable(),
    ...zeroAmounts('baseReturned', 'amountReturned', 'baseReserved', 'amountReserved'),
    pointsReturned: p.integer().default(0),
    pointsReserved: p.integer().default(0),
    /** The store's key for the spending: one debit per key. */
    spendKey: p.string().length(128).unique(),
    ...timestamps,
  },
  checks: [
    {
      name: 'order_credit_amount_positive',
      expression: `base_amount > 0 and base_amount <> 'NaN' and amount > 0 and amount <> 'NaN' and (points is null or points > 0)`,
    },
    {
      name: 'order_credit_never_over_returned',
      expression:
        'base_returned + base_reserved <= base_amount and amount_returned + amount_reserved <= amount and points_returned + points_reserved <= coalesce(points, 0)',
    },
    {
      name: 'order_credit_returned_not_negative',
      expression:
        'least(base_returned, amount_returned, points_returned, base_reserved, amount_reserved, points_reserved) >= 0',
    },
  ],
});
export type OrderCredit = InferEntity<typeof OrderCredit>;

export const creditReturnStates = ['booked', 'pending'] as const;

/** A leg that was given back, once per key. `pending`: an outside provider must still be told, under the same key. */
export const OrderCreditReturn = defineEntity({
  name: 'OrderCreditReturn',
  tableName: 'order_credit_return',
  properties: {
    creditReturnId: p.integer().primary().autoincrement(),
    creditId: () => p.manyToOne(OrderCredit).mapToPk().fieldName('credit_id').index().deleteRule('restrict'),
    /** Null where a cancellation gave it back, without a memo. */
    creditMemoId: () =>
      p.manyToOne(CreditMemo).mapToPk().fieldName('credit_memo_id').index().deleteRule('restrict').nullable(),
    baseAmount: amountColumn(),
    amount: amountColumn(),
    points: p.integer().nullable(),
    returnKey: p.string().length(128).unique(),
    /** The part of the outside provider's key that identifies this database. */
    nameTail: nameTailColumn(),
    state: p.enum(creditReturnStates),
    ...timestamps,
  },
  checks: [
    {
      name: 'order_credit_return_not_negative',
      expression: `base_amount >= 0 and base_amount <> 'NaN' and amount >= 0 and amount <> 'NaN' and coalesce(points, 0) >= 0`,
    },
  ],
  indexes: [
    { name: 'order_credit_return_pending', properties: ['createdAt'], where: `state = 'pending'` },
    { properties: ['createdAt'] },
  ],
});
export type OrderCreditReturn = InferEntity<typeof OrderCreditReturn>;
