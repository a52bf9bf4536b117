import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { resolutionModes, settleMethods } from '../../domain/returns/resolution.ts';
import { openStatuses, returnStatuses } from '../../domain/returns/return-status.ts';
import { nameTailColumn } from '../installation/outside-name.ts';
import { CreditMemo } from '../platform/credit-memos/credit-memo.entity.ts';
import { OrderItem } from '../platform/orders/order-parts.entity.ts';
import { Order } from '../platform/orders/order.entity.ts';
import { amountColumn, quantityColumn, zeroQuantities } from '../support/columns.ts';
import { shopNow, timestamps } from '../support/shop-clock.ts';

/** A credit leg that the settle's memo gave back (spec 2.11 `refund_legs`). Amounts in 1/10 000. */
export interface StoredLeg {
  kind: string;
  providerCode: string;
  /** Absent: a tender. */
  appliesAs?: string;
  baseAmount: number;
  amount: number;
  points?: number;
  /** Gift card that was issued for it; null in a preview. Absent: it went to the credit that paid. */
  newCardId?: number | null;
}

const isOpen = `status in (${openStatuses.map((status) => `'${status}'`).join(',')})`;

/** A return of goods, with any provider (spec 2.11). One per register sale id, however often it is sent. */
export const Return = defineEntity({
  name: 'Return',
  tableName: 'sale_return',
  properties: {
    returnId: p.bigint('number').primary().autoincrement(),
    incrementId: p.string().length(50).unique(),
    orderId: () => p.manyToOne(Order).mapToPk().fieldName('order_id').index().deleteRule('restrict'),
    customerId: p.bigint('number').nullable(),
    locationId: p.bigint('number').index().nullable(),
    providerCode: p.string().length(64).default('builtin'),
    /** An outside provider's reference of the return; null: none needed, or not known yet. */
    providerReference: p.string().length(255).nullable(),
    status: p.enum(returnStatuses).default('pending'),
    /** What the create asked for; initialisation carries it out. */
    isAutoApproved: p.boolean().default(false),
    requestedRefundMethod: p.enum(settleMethods).nullable(),
    /** Derived by us: how the money went back or will; null when unknown. */
    refundMethod: p.enum(settleMethods).nullable(),
    posSaleId: p.string().length(64).unique().nullable(),
    /** False until approve, receive, park or settle of its creation have finished (spec 2.11 `ready`). */
    isReady: p.boolean().default(true),
    /** Its creation was refused for its money: only somebody who asks goes on with it, no sweep does. */
    waitsForCaller: p.boolean().default(false),
    creditMemoId: () =>
      p.manyToOne(CreditMemo).mapToPk().fieldName('credit_memo_id').index().deleteRule('restrict').nullable(),
    /**
     * The number of the refund's intent. It increases only after a definite refusal, so that a late call and the next
     * one stay one refund.
     */
    refundGeneration: p.integer().default(1),
    /** The suffix of the intent's name at the gateway, and of the return's at its provider. */
    nameTail: nameTailColumn(),
    refundLegs: p.json<StoredLeg[]>().defaultRaw(`'[]'::jsonb`),
    baseRefundTotal: amountColumn().nullable(),
    baseHandback: amountColumn().nullable(),
    refundDifference: p.text().nullable(),
    comment: p.text().nullable(),
    /** It has tender lines: see `ReturnTender`. */
    hasTenders: p.boolean().default(false),
    /** Since when a workflow follows it; null: none does, because it has ended, or because its workflow was lost. */
    followedAt: p.datetime(6).nullable(),
    items: () => p.oneToMany(ReturnItem).mappedBy('rma'),
    ...timestamps,
  },
  indexes: [
    { properties: ['createdAt'] },
    { properties: ['status', 'returnId'] },
    { properties: ['customerId'] },
    { name: 'sale_return_unfollowed', properties: ['returnId'], where: `followed_at is null and ${isOpen}` },
    {
      name: 'sale_return_over_but_followed',
      properties: ['returnId'],
      where: `followed_at is not null and not (${isOpen})`,
    },
    { name: 'sale_return_not_ready', properties: ['updatedAt'], where: 'is_ready = false' },
    {
      name: 'sale_return_open',
      properties: ['createdAt'],
      where: isOpen,
    },
  ],
});
export type Return = InferEntity<typeof Return>;

export const inspectedConditions = ['pristine', 'damaged', 'dispose'] as const;

export const ReturnItem = defineEntity({
  name: 'ReturnItem',
  tableName: 'sale_return_item',
  properties: {
    entityId: p.bigint('number').primary().autoincrement(),
    rma: () => p.manyToOne(Return).fieldName('return_id').index().deleteRule('cascade'),
    orderItemId: () => p.manyToOne(OrderItem).mapToPk().fieldName('order_item_id').index().deleteRule('restrict'),
    productName: p.string().length(255).nullable(),
    productSku: p.string().length(255),
    qtyRequested: quantityColumn(),
    qtyAuthorized: quantityColumn().nullable(),
    qtyApproved: quantityColumn().nullable(),
    qtyReturned: quantityColumn().nullable(),
    reason: p.string().length(255).nullable(),
    condition: p.string().length(64).nullable(),
    resolution: p.string().length(64).nullable(),
    /** The shop's decision for the line (spec 4.8 resolve); null while undecided. */
    resolutionMode: p.enum(resolutionModes).nullable(),
    /** How a resolved line's money goes back; null: this return refunds nothing for it. */
    refundMethod: p.enum(settleMethods).nullable(),
    status: p.enum(returnStatuses).default('pending'),
    inspectedCondition: p.enum(inspectedConditions).nullable(),
    returnToStock: p.boolean().default(true),
    qtyReceived: quantityColumn().nullable(),
    targetSourceCode: p.string().length(64).nullable(),
  },
  checks: [{ name: 'sale_return_item_qty_positive', expression: `qty_requested > 0 and qty_requested <> 'NaN'` }],
});
export type ReturnItem = InferEntity<typeof ReturnItem>;

/** A comment on a return: text, author and time. */
export const ReturnComment = defineEntity({
  name: 'ReturnComment',
  tableName: 'sale_return_comment',
  properties: {
    commentId: p.bigint('number').primary().autoincrement(),
    returnId: () => p.manyToOne(Return).mapToPk().fieldName('return_id').index().deleteRule('cascade'),
    comment: p.text(),
    isCustomerNotified: p.boolean().default(false),
    isVisibleOnFront: p.boolean().default(false),
    status: p.string().length(32).nullable(),
    author: p.string().length(255).nullable(),
    createdAt: p
      .datetime(6)
      .defaultRaw('now()')
      .onCreate(() => shopNow()),
  },
});
export type ReturnComment = InferEntity<typeof ReturnComment>;

export const movementKinds = ['received', 'closed'] as const;

/**
 * Where a returned line went, and what the rows of stock did; unique, so that it goes there once: one movement per line
 * and kind.
 */
export const StockMovement = defineEntity({
  name: 'StockMovement',
  tableName: 'sale_return_movement',
  properties: {
    movementId: p.bigint('number').primary().autoincrement(),
    returnItemId: () => p.manyToOne(ReturnItem).mapToPk().fieldName('return_item_id').deleteRule('restrict'),
    kind: p.enum(movementKinds),
    sku: p.string().length(255),
    /** Null: written off, not counted in any stock, or handed back without a change of stock. */
    sourceCode: p.string().length(64).nullable(),
    /** The pieces on the counter. */
    quantity: quantityColumn(),
    /**
     * `qtyNeverShipped`: the part of a received line that was never handed over: its reservation ended, and a close makes
     * it again. `stockChange`: what the row of the product at the source did; negative: it left. `originChange`: the same
     * of the row that pieces never handed over left.
     */
    ...zeroQuantities('qtyNeverShipped', 'stockChange', 'originChange'),
    originSourceCode: p.string().length(64).nullable(),
    inspectedCondition: p.enum(inspectedConditions).nullable(),
    createdAt: p
      .datetime(6)
      .defaultRaw('now()')
      .onCreate(() => shopNow()),
  },
  uniques: [{ name: 'sale_return_movement_once', properties: ['returnItemId', 'kind'] }],
});
export type StockMovement = InferEntity<typeof StockMovement>;

/** A verb of a return that was carried out for a request: a repeat of the request finds it done. */
export const ReturnOperation = defineEntity({
  name: 'ReturnOperation',
  tableName: 'sale_return_operation',
  properties: {
    operationKey: p.string().length(64).primary(),
    returnId: () => p.manyToOne(Return).mapToPk().fieldName('return_id').index().deleteRule('cascade'),
    /** The refund attempt that it opened; its state tells how the operation ended. */
    refundAttemptId: p.bigint('number').nullable(),
    /** Who asked, by the name of the token or of the person. */
    byName: p.string().length(255).nullable(),
    /** The status that it gave the return in its own transaction; null: it changed none. */
    changedTo: p.text().nullable(),
    createdAt: p
      .datetime(6)
      .defaultRaw('now()')
      .onCreate(() => shopNow()),
  },
  indexes: [{ properties: ['createdAt'] }],
});

export type ReturnOperation = InferEntity<typeof ReturnOperation>;

/** A card terminal's output about a refund, stored for its settle: such text never travels through a workflow. */
export const SettlePayload = defineEntity({
  name: 'SettlePayload',
  tableName: 'sale_return_settle_payload',
  properties: {
    requestId: p.string().length(64).primary(),
    returnId: () => p.manyToOne(Return).mapToPk().fieldName('return_id').index().deleteRule('cascade'),
    rawPayload: p.text(),
    createdAt: p
      .datetime(6)
      .defaultRaw('now()')
      .onCreate(() => shopNow()),
  },
});

export type SettlePayload = InferEntity<typeof SettlePayload>;
