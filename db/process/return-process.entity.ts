import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { processResolutions, processStages, processStates } from '../../domain/returns/return-status.ts';
import type { Refusal } from '../../domain/errors.ts';
import { nameTailColumn } from '../installation/outside-name.ts';
import { CreditMemo } from '../platform/credit-memos/credit-memo.entity.ts';
import { OrderItem } from '../platform/orders/order-parts.entity.ts';
import { Order } from '../platform/orders/order.entity.ts';
import { RefundAttempt } from '../refunds/refund-attempt.entity.ts';
import { Return } from '../returns/return.entity.ts';
import { quantityColumn, zeroAmounts } from '../support/columns.ts';
import { timestamps } from '../support/shop-clock.ts';

/**
 * One collapsed return: goods back and money back in one call (spec 4.8 process).
 *
 * Its row is written before any outside call, so its workflow can be rebuilt from it. While it is open without a
 * return, its lines count as coming back.
 */
export const ReturnProcess = defineEntity({
  name: 'ReturnProcess',
  tableName: 'return_process',
  properties: {
    processId: p.bigint('number').primary().autoincrement(),
    orderId: () => p.manyToOne(Order).mapToPk().fieldName('order_id').index().deleteRule('restrict'),
    /** The request's idempotency key, its `X-Request-Id`. The workflow's id is made from it. */
    requestKey: p.string().length(64).unique(),
    /** The suffix of its name at the returns provider. */
    nameTail: nameTailColumn(),
    customerId: p.bigint('number').nullable(),
    resolution: p.enum(processResolutions),
    isOnline: p.boolean(),
    /** The comment stays here: personal data never travels through a workflow. */
    comment: p.text().nullable(),
    author: p.string().length(255).nullable(),
    state: p.enum(processStates).default('open'),
    /** The returns provider that was called last; null: none was called, or none is configured. */
    providerCode: p.string().length(64).nullable(),
    /** Progress with the providers. `passed`: every provider passed, and the memo is booked without a return. */
    stage: p.enum(processStages).default('asking'),
    /** The return it finishes, or the one its provider made. */
    returnId: () => p.manyToOne(Return).mapToPk().fieldName('return_id').index().deleteRule('restrict').nullable(),
    /** True for a return that existed before. */
    isFastTrack: p.boolean().default(false),
    refundAttemptId: () =>
      p.manyToOne(RefundAttempt).mapToPk().fieldName('refund_attempt_id').index().deleteRule('restrict').nullable(),
    creditMemoId: () =>
      p.manyToOne(CreditMemo).mapToPk().fieldName('credit_memo_id').index().deleteRule('restrict').nullable(),
    ...zeroAmounts('refundTotal', 'storeCreditIssued', 'exchangeCreditAmount'),
    /** The refusal that the register got. */
    refusal: p.json<Refusal>().nullable(),
    items: () => p.oneToMany(ReturnProcessItem).mappedBy('process'),
    ...timestamps,
  },
  indexes: [{ name: 'return_process_open', properties: ['updatedAt'], where: `state = 'open'` }],
  uniques: [{ name: 'return_process_one_open_per_return', properties: ['returnId'], where: `state = 'open'` }],
  checks: [
    { name: 'return_process_done_has_memo', expression: `(state = 'done') = (credit_memo_id is not null)` },
    {
      name: 'return_process_issues_one_credit',
      expression:
        'store_credit_issued >= 0 and exchange_credit_amount >= 0 and store_credit_issued * exchange_credit_amount = 0',
    },
  ],
});
export type ReturnProcess = InferEntity<typeof ReturnProcess>;

export const ReturnProcessItem = defineEntity({
  name: 'ReturnProcessItem',
  tableName: 'return_process_item',
  properties: {
    entityId: p.bigint('number').primary().autoincrement(),
    process: () => p.manyToOne(ReturnProcess).fieldName('process_id').index().deleteRule('cascade'),
    orderItemId: () => p.manyToOne(OrderItem).mapToPk().fieldName('order_item_id').index().deleteRule('restrict'),
    qty: quantityColumn(),
    reason: p.string().length(255).nullable(),
    condition: p.string().length(64).nullable(),
    resolution: p.string().length(64).nullable(),
  },
  checks: [{ name: 'return_process_item_qty_positive', expression: `qty > 0 and qty <> 'NaN'` }],
});
export type ReturnProcessItem = InferEntity<typeof ReturnProcessItem>;
