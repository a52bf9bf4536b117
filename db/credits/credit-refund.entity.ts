import { defineEntity, p } from '@mikro-orm/core';
import { creditKinds } from '../../domain/credits/applied-credit.ts';
import { nameTailColumn } from '../installation/outside-name.ts';
import { Order } from '../platform/orders/order.entity.ts';
import { amountColumn } from '../support/columns.ts';
import type { RowOf } from '../support/entity-columns.ts';

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
    refundId: p.integer().primary().autoincrement(),
    orderId: () => p.manyToOne(Order).mapToPk().fieldName('order_id').deleteRule('restrict'),
    nameTail: nameTailColumn(),
    kind: p.enum(creditKinds),
    providerCode: p.string().length(64),
    /** Only for a gift card. */
    code: p.string().length(255).nullable(),
    customerId: p.integer().nullable(),
    websiteId: p.integer(),
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
