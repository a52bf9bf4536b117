import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { twins } from '../../../domain/money.ts';
import { amountColumn, basePrefixed, quantityColumn, zeroAmounts } from '../../support/columns.ts';
import { timestamps } from '../../support/shop-clock.ts';
import { documentItemColumns, documentMoney } from '../orders/document-money.ts';
import { Order } from '../orders/order.entity.ts';

/** 1 open, 2 refunded, 3 canceled (platform facts 7.1). */
export const creditMemoStates = { open: 1, refunded: 2, canceled: 3 } as const;

const adjustmentMoney = ['adjustment', 'adjustmentPositive', 'adjustmentNegative', 'difference'] as const;

/**
 * Adjustments of a memo: money added to its goods, or kept back; and the part of it that evens out the sums of its
 * order.
 */
export const adjustmentFigures = twins(...adjustmentMoney);

/**
 * Where a memo's figures come from (platform facts 7.1): the platform's calculation, the caller, or `POST
 * /V1/creditmemo`. The last one only stores the document and leaves the order's totals alone.
 */
export const memoFigureSources = ['collectors', 'caller', 'save'] as const;
export type MemoFigureSource = (typeof memoFigureSources)[number];

/**
 * Money given back, as booked (platform facts 7). A memo never changes, except one that `POST /V1/creditmemo` saved.
 */
export const CreditMemo = defineEntity({
  name: 'CreditMemo',
  tableName: 'sales_creditmemo',
  properties: {
    entityId: p.bigint('number').primary().autoincrement(),
    orderId: () => p.manyToOne(Order).mapToPk().fieldName('order_id').index().deleteRule('restrict'),
    incrementId: p.string().length(50).index(),
    storeId: p.bigint('number'),
    invoiceId: p.bigint('number').nullable(),
    state: p.integer().default(creditMemoStates.refunded),
    isOnline: p.boolean().default(false),
    transactionId: p.string().length(255).nullable(),
    figuresFrom: p.enum(memoFigureSources).default('collectors'),
    emailSent: p.integer().nullable(),
    ...zeroAmounts(...documentMoney, ...basePrefixed(...documentMoney)),
    ...zeroAmounts(...adjustmentMoney, ...basePrefixed(...adjustmentMoney)),
    baseCost: amountColumn().nullable(),
    /** The refund attempt that gave the money back. An attempt has at most one memo. */
    refundAttemptId: p.bigint('number').unique().nullable(),
    /** The request that asked for it, where a worker books it without an attempt: a repeat finds it. */
    operationKey: p.string().length(64).unique().nullable(),
    items: () => p.oneToMany(CreditMemoItem).mappedBy('creditMemo'),
    ...timestamps,
  },
  indexes: [
    { properties: ['createdAt'] },
    { properties: ['updatedAt'] },
    { properties: ['state', 'entityId'] },
    { name: 'sales_creditmemo_invoice_id', properties: ['invoiceId'], where: 'invoice_id is not null' },
    { name: 'sales_creditmemo_saved', properties: ['createdAt'], where: `figures_from = 'save'` },
  ],
  uniques: [{ name: 'sales_creditmemo_increment_id_once_per_store', properties: ['incrementId', 'storeId'] }],
});
export type CreditMemo = InferEntity<typeof CreditMemo>;

export const CreditMemoItem = defineEntity({
  name: 'CreditMemoItem',
  tableName: 'sales_creditmemo_item',
  properties: {
    entityId: p.bigint('number').primary().autoincrement(),
    creditMemo: () => p.manyToOne(CreditMemo).fieldName('parent_id').index().deleteRule('cascade'),
    ...documentItemColumns(),
    baseCost: amountColumn().nullable(),
    /** How many of them had never been shipped; null when the goods did not move with the memo. */
    qtyNeverShipped: quantityColumn().nullable(),
  },
});
export type CreditMemoItem = InferEntity<typeof CreditMemoItem>;
