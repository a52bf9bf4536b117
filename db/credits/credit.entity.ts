import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { creditKinds, creditUses } from '../../domain/credits/applied-credit.ts';
import { GiftCard } from '../gift-cards/gift-card.entity.ts';
import { nameTailColumn } from '../installation/outside-name.ts';
import { CreditMemo } from '../platform/credit-memos/credit-memo.entity.ts';
import { Order } from '../platform/orders/order.entity.ts';
import { amountColumn, zeroAmounts } from '../support/columns.ts';
import type { RowOf } from '../support/entity-columns.ts';
import { timestamps } from '../support/shop-clock.ts';

export const creditSpendingStates = ['reserved', 'spent', 'failed', 'returning', 'returned'] as const;

/**
 * Credit of an outside provider that pays for an order (spec 4.6). The row is written before the provider is asked,
 * and before the order exists. The provider knows it by `credit-spending-<id>-<name tail>`.
 *
 * `reserved`: the provider may have taken it. `spent`: the provider confirmed; one saved order claims it by its id.
 * `failed`: the provider refused. `returning`: the order was not saved, and the provider is asked to undo it until it
 * is `returned`. An order, by its register's name, has at most one reserved or spent row per credit.
 */
export const CreditSpending = defineEntity({
  name: 'CreditSpending',
  tableName: 'credit_spending',
  properties: {
    spendingId: p.bigint('number').primary().autoincrement(),
    /** The caller's name for the order: the same name is the same order. */
    requestKey: p.string().length(320),
    /** Its position among the credits of the order. */
    position: p.integer(),
    nameTail: nameTailColumn(),
    kind: p.enum(creditKinds),
    providerCode: p.string().length(64),
    customerId: p.bigint('number').nullable(),
    storeId: p.bigint('number'),
    websiteId: p.bigint('number'),
    /** Only for a gift card: a secret, never shown in full. */
    code: p.string().length(255).nullable(),
    /** The amount that the provider takes, in the base currency. */
    baseAmount: amountColumn(),
    /** The same in the order's currency. */
    amount: amountColumn(),
    points: p.integer().nullable(),
    baseCurrencyCode: p.string().length(3),
    state: p.enum(creditSpendingStates).default('reserved'),
    orderId: () => p.manyToOne(Order).mapToPk().fieldName('order_id').index().deleteRule('restrict').nullable(),
    /** The provider's own id for it. */
    transactionId: p.string().length(255).nullable(),
    /** Set after a restore from a backup: a person must find out whether an order was saved with it. */
    heldAt: p.datetime(6).nullable(),
    /** Why it failed, in the provider's words. */
    message: p.string().length(1_000).nullable(),
    ...timestamps,
  },
  checks: [
    {
      name: 'credit_spending_positive',
      expression: `base_amount > 0 and base_amount <> 'NaN' and amount > 0 and amount <> 'NaN' and (points is null or points > 0)`,
    },
    { name: 'credit_spending_claimed_when_spent', expression: `order_id is null or state = 'spent'` },
    { name: 'credit_spending_numbered', expression: `state <> 'spent' or transaction_id is not null` },
  ],
  indexes: [
    {
      name: 'credit_spending_unclaimed',
      properties: ['updatedAt'],
      where: `order_id is null and state in ('reserved', 'spent', 'returning')`,
    },
  ],
  uniques: [
    {
      name: 'credit_spending_stands_once',
      properties: ['requestKey', 'position'],
      where: `state in ('reserved', 'spent')`,
    },
  ],
});
export type CreditSpending = InferEntity<typeof CreditSpending>;

export const creditRefundStates = ['reserved', 'booked', 'failed'] as const;
export type CreditRefundState = (typeof creditRefundStates)[number];

/**
 * A refund to a credit balance (spec 4.6): reserved under the order lock before the provider is asked, booked or
 * failed after its answer. A reservation counts as refunded, so a failure in between never lets money go out twice.
 *
 * The provider knows it by `credit-refund-<id>-<name tail>`: asking twice moves nothing twice.
 */
export const CreditRefund = defineEntity({
  name: 'CreditRefund',
  tableName: 'credit_refund',
  properties: {
    refundId: p.bigint('number').primary().autoincrement(),
    orderId: () => p.manyToOne(Order).mapToPk().fieldName('order_id').deleteRule('restrict'),
    nameTail: nameTailColumn(),
    kind: p.enum(creditKinds),
    providerCode: p.string().length(64),
    /** Only for a gift card. */
    code: p.string().length(255).nullable(),
    customerId: p.bigint('number').nullable(),
    websiteId: p.bigint('number'),
    /** In the order's currency, as the register asked. */
    amount: amountColumn(),
    baseAmount: amountColumn(),
    currencyCode: p.string().length(3),
    baseCurrencyCode: p.string().length(3),
    reason: p.string().length(1_000),
    state: p.enum(creditRefundStates).default('reserved'),
    /** The key of the request or workflow: the same key is the same refund. */
    requestKey: p.string().length(128).nullable(),
    transactionId: p.string().length(255).nullable(),
    /** The balance afterwards, in the credit's own units. */
    remainingBalance: amountColumn().nullable(),
    message: p.string().length(1_000).nullable(),
    createdAt: p.datetime(6).defaultRaw('now()'),
    concludedAt: p.datetime(6).nullable(),
  },
  checks: [
    { name: 'credit_refund_positive', expression: `amount > 0 and amount <> 'NaN' and base_amount >= 0` },
    { name: 'credit_refund_concluded', expression: `(state = 'reserved') = (concluded_at is null)` },
  ],
  indexes: [
    { properties: ['orderId'] },
    { name: 'credit_refund_reserved', properties: ['createdAt'], where: `state = 'reserved'` },
    { name: 'credit_refund_given', properties: ['concludedAt'], where: `state = 'booked'` },
  ],
  uniques: [
    {
      name: 'credit_refund_request_once',
      properties: ['orderId', 'requestKey'],
      where: 'request_key is not null',
    },
  ],
});
export type CreditRefundRow = RowOf<typeof CreditRefund>;

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
    creditId: p.bigint('number').primary().autoincrement(),
    orderId: () => p.manyToOne(Order).mapToPk().fieldName('order_id').index().deleteRule('restrict'),
    kind: p.enum(creditKinds),
    providerCode: p.string().length(64),
    appliesAs: p.enum(creditUses),
    /** Its owner and website: the credit goes back there, even when the order gets another customer. */
    customerId: p.bigint('number').nullable(),
    websiteId: p.bigint('number'),
    /**
     * Only for a gift card: a secret, never shown in full. Refunds go to this card: the one that paid, or the one that
     * was issued when it was found disabled.
     */
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
    creditReturnId: p.bigint('number').primary().autoincrement(),
    creditId: () => p.manyToOne(OrderCredit).mapToPk().fieldName('credit_id').index().deleteRule('restrict'),
    /** Null where a cancellation gave it back, without a memo. */
    creditMemoId: () =>
      p.manyToOne(CreditMemo).mapToPk().fieldName('credit_memo_id').index().deleteRule('restrict').nullable(),
    baseAmount: amountColumn(),
    amount: amountColumn(),
    points: p.integer().nullable(),
    returnKey: p.string().length(128).unique(),
    /** Gift card that was issued for the leg, because the credit's card is disabled. */
    issuedCardId: () => p.manyToOne(GiftCard).mapToPk().fieldName('issued_card_id').deleteRule('restrict').nullable(),
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
