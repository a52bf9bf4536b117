import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { CreditMemo } from '../platform/credit-memos/credit-memo.entity.ts';
import { Order } from '../platform/orders/order.entity.ts';
import { amountColumn } from '../support/columns.ts';

/** How a layaway was cancelled (spec 4.7): written once, never changed. Amounts are in both currencies. */
export const LayawayCancellation = defineEntity({
  name: 'LayawayCancellation',
  tableName: 'layaway_cancellation',
  properties: {
    orderId: () => p.manyToOne(Order).mapToPk().fieldName('order_id').primary().deleteRule('restrict'),
    /** The key of the request: a repeat gets this answer. */
    operationKey: p.string().length(64),
    /** In percent of the gross deposit. */
    feePercent: p.decimal('string').precision(7).scale(4),
    fee: amountColumn(),
    baseFee: amountColumn(),
    /** What the cashier hands back, without the part that goes back to credits. */
    refund: amountColumn(),
    baseRefund: amountColumn(),
    /** How the deposit was taken, and therefore how it is handed back. */
    refundMethod: p.string().length(128).nullable(),
    /** A person's comment; never travels through a workflow. */
    reason: p.text().nullable(),
    /** Null where nothing was invoiced or nothing was paid. */
    creditMemoId: () =>
      p.manyToOne(CreditMemo).mapToPk().fieldName('credit_memo_id').deleteRule('restrict').unique().nullable(),
    /** Written under the order lock, so every earlier payment has an earlier time. */
    createdAt: p.datetime(6).defaultRaw('clock_timestamp()'),
  },
  checks: [
    {
      name: 'layaway_cancellation_within_deposit',
      // Without `in` and `between`: PostgreSQL stores those in another spelling, and the entity would differ.
      expression: `fee >= 0 and base_fee >= 0 and refund >= 0 and base_refund >= 0 and fee <> 'NaN' and base_fee <> 'NaN' and refund <> 'NaN' and base_refund <> 'NaN' and fee_percent >= 0 and fee_percent <= 100`,
    },
  ],
});
export type LayawayCancellation = InferEntity<typeof LayawayCancellation>;
