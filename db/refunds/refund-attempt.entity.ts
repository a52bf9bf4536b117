import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { CreditLeg } from '../../domain/credits/applied-credit.ts';
import type { ExpectedLeg, RegisterReference } from '../../domain/refunds/quote-refund.ts';
import { refundAttemptStates } from '../../domain/refunds/refund-finding.ts';
import { nameTailColumn } from '../installation/outside-name.ts';
import { CreditMemo } from '../platform/credit-memos/credit-memo.entity.ts';
import { Order } from '../platform/orders/order.entity.ts';
import { Return } from '../returns/return.entity.ts';
import { amountColumn, zeroAmounts } from '../support/columns.ts';
import { timestamps } from '../support/shop-clock.ts';
import type { DocumentRemark } from '../platform/orders/document-remark.ts';
import type { FixedFigures } from '../platform/credit-memos/fixed-figures.ts';

/** A memo of the platform's own routes: booked as it is once the gateway gave the money back, its goods with it. */
export interface FixedMemo extends FixedFigures {
  /** The invoice it gives back. */
  invoiceId: number;
  returnToStockItemIds: readonly number[];
  comment?: DocumentRemark;
  /** Of the request that asked for it. */
  requestKey: string;
}

/** What the memo of this attempt will book, fixed before the gateway is asked. Quantities and money in 1/10 000. */
export interface RefundPlan {
  items: { orderItemId: number; qty: number }[];
  adjustmentPositive: number;
  adjustmentNegative: number;
  shippingAmount: number | null;
  notifyCustomer: boolean;
  /** Rows ex tax of the planned memo, in the base currency. */
  baseGoods?: number;
  /** Credit that the memo gives back, reserved until the attempt is decided. */
  legs?: CreditLeg[];
  /** The register's reference of the refund. */
  reported?: RegisterReference;
  /** The legs that the register expected. */
  expectedLegs?: ExpectedLeg[];
  /** Absent: the memo is worked out from what stands here. */
  memo?: FixedMemo;
}

/**
 * One try at giving money back through the original gateway (spec 2.12).
 *
 * The row is written, as `started`, before the gateway is called, so a crash leaves an open attempt and not a lost
 * refund.
 */
export const RefundAttempt = defineEntity({
  name: 'RefundAttempt',
  tableName: 'refund_attempt',
  properties: {
    attemptId: p.bigint('number').primary().autoincrement(),
    orderId: () => p.manyToOne(Order).mapToPk().fieldName('order_id').index().deleteRule('restrict'),
    returnId: () => p.manyToOne(Return).mapToPk().fieldName('return_id').index().deleteRule('restrict').nullable(),
    /** The tender line of its return that it gives back; null: the whole refund. */
    lineId: p.bigint('number').nullable(),
    /** The line's answer before the memo of all lines exists; null: it has none, or the attempt is booked. */
    lineOutcome: p.enum(['refunded'] as const).nullable(),
    /** The attempt of another line that reserves the memo of all lines; null: this one reserves its own. */
    headAttemptId: p.bigint('number').nullable(),
    paymentMethod: p.string().length(128),
    channel: p.string().length(32),
    state: p.enum(refundAttemptStates).default('started'),
    /** The amount asked of the gateway: the handback. Together with the credited amount it is the memo's total. */
    baseAmount: amountColumn(),
    amount: amountColumn(),
    /** The part that the memo gives back as credit: its tender legs. */
    ...zeroAmounts('baseCredited', 'credited'),
    currencyCode: p.string().length(3),
    /** The captured payment that the gateway is asked to refund. */
    paymentReference: p.string().length(255).nullable(),
    /** The refund's intent; a gateway that honours keys treats two calls with one key as one refund. */
    idempotencyKey: p.string().length(128),
    /** The suffix of its merchant reference, see `merchantReference`. */
    nameTail: nameTailColumn(),
    plan: p.json<RefundPlan>(),
    /**
     * Whether its end also ends the intent: a documented no. After any other end the next attempt is the same refund.
     */
    endsIntent: p.boolean().default(false),
    /** A digest of the account and address that were called: a "not found" of another account says nothing. */
    gatewayAccount: p.string().length(64).nullable(),
    callStartedAt: p.datetime(6).nullable(),
    callDeadline: p.datetime(6).nullable(),
    /** When its caller got no clear answer and gave up; null: it waits still, has its answer, or died. */
    callEndedAt: p.datetime(6).nullable(),
    /** When a look-up first found no such refund: the first no is not believed, the second may be. */
    firstNotFoundAt: p.datetime(6).nullable(),
    creditMemoId: () =>
      p.manyToOne(CreditMemo).mapToPk().fieldName('credit_memo_id').index().deleteRule('restrict').nullable(),
    gatewayOutcome: p.string().length(64).nullable(),
    gatewayReference: p.string().length(255).nullable(),
    message: p.text().nullable(),
    resolvedBy: p.string().length(255).nullable(),
    resolutionNote: p.text().nullable(),
    /** When a person decided it; null: no person did. */
    decidedAt: p.datetime(6).nullable(),
    /** When that decision takes effect: "not refunded" only after the call is over. Its state is final from then on. */
    effectiveAt: p.datetime(6).nullable(),
    /** When the gateway was last asked again about a "not refunded" of a person. */
    lookedAgainAt: p.datetime(6).nullable(),
    ...timestamps,
  },
  checks: [
    {
      name: 'refund_attempt_amount_positive',
      // A handback of a cent in the order's currency can be zero in the base currency.
      expression: `base_amount >= 0 and base_amount <> 'NaN' and amount > 0 and amount <> 'NaN'`,
    },
    {
      name: 'refund_attempt_credited_not_negative',
      expression: `base_credited >= 0 and base_credited <> 'NaN' and credited >= 0 and credited <> 'NaN'`,
    },
    {
      name: 'refund_attempt_line_outcome',
      expression: `line_outcome is null or (line_id is not null and state in ('started', 'booked'))`,
    },
    { name: 'refund_attempt_booked_has_memo', expression: `(state = 'booked') = (credit_memo_id is not null)` },
  ],
  indexes: [
    { name: 'refund_attempt_open', properties: ['createdAt'], where: `state in ('started','uncertain')` },
    {
      name: 'refund_attempt_gateway_reference',
      properties: ['gatewayReference'],
      where: 'gateway_reference is not null',
    },
    // For the operator's page: what people decided of late.
    // For housekeeping: a memo by hand may be for the money of one of these.
    {
      name: 'refund_attempt_decided_not_refunded',
      properties: ['orderId'],
      where: `state = 'failed' and resolved_by is not null and call_started_at is not null`,
    },
    { name: 'refund_attempt_decided_by_a_person', properties: ['updatedAt'], where: 'resolved_by is not null' },
  ],
  uniques: [
    {
      // At most one undecided attempt per return: meanwhile nothing else is refunded (spec 3.3).
      name: 'refund_attempt_one_open_per_return',
      properties: ['returnId'],
      // A tender line with its answer is not undecided any more.
      where: `state in ('started','uncertain') and line_outcome is null`,
    },
    {
      name: 'refund_attempt_one_open_per_order_without_return',
      properties: ['orderId'],
      where: `return_id is null and state in ('started','uncertain')`,
    },
    {
      name: 'refund_attempt_gateway_reference_once',
      properties: ['paymentMethod', 'gatewayReference'],
      where: 'gateway_reference is not null',
    },
  ],
});

export type RefundAttempt = InferEntity<typeof RefundAttempt>;
