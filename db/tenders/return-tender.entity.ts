import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { settleMethods } from '../../domain/returns/resolution.ts';
import { tenderLineStates, tenderSources } from '../../domain/tenders/tender-lines.ts';
import { Order } from '../platform/orders/order.entity.ts';
import { RefundAttempt } from '../refunds/refund-attempt.entity.ts';
import { Return } from '../returns/return.entity.ts';
import { amountColumn } from '../support/columns.ts';
import { timestamps } from '../support/shop-clock.ts';

/**
 * A tender line of a return that is settled by `tenders`: how much of its handback goes back by which tender. All lines
 * of a return have one credit memo. Amounts are in the order's currency and in the base currency.
 */
export const ReturnTender = defineEntity({
  name: 'ReturnTender',
  tableName: 'sale_return_tender',
  properties: {
    tenderId: p.bigint('number').primary().autoincrement(),
    returnId: () => p.manyToOne(Return).mapToPk().fieldName('return_id').deleteRule('restrict'),
    orderId: () => p.manyToOne(Order).mapToPk().fieldName('order_id').index().deleteRule('restrict'),
    /** The number of the tender on the order; a method that no tender of the order has gets the next number. */
    lineId: p.bigint('number'),
    method: p.enum(settleMethods),
    /** The platform's code of the payment. */
    paymentMethod: p.string().length(128),
    paymentId: p.string().length(255).nullable(),
    source: p.enum([...tenderSources, 'settle'] as const),
    paid: amountColumn(),
    basePaid: amountColumn(),
    amount: amountColumn(),
    baseAmount: amountColumn(),
    /** The register's reference of money that it gave back before the settle. */
    reference: p.string().length(255).nullable(),
    state: p.enum(tenderLineStates.filter((state) => state !== 'proposed')).default('open'),
    attemptId: () =>
      p.manyToOne(RefundAttempt).mapToPk().fieldName('attempt_id').index().deleteRule('restrict').nullable(),
    /** The settle that sent the line last, and the reason of a decline. */
    requestKey: p.string().length(64),
    message: p.text().nullable(),
    ...timestamps,
  },
  checks: [
    {
      name: 'sale_return_tender_amount_positive',
      expression: `amount > 0 and amount <> 'NaN' and base_amount >= 0 and base_amount <> 'NaN'`,
    },
  ],
  uniques: [
    { name: 'sale_return_tender_once', properties: ['returnId', 'lineId'] },
    {
      // The terminal gave this money once.
      name: 'sale_return_tender_reference_once',
      properties: ['orderId', 'reference'],
      where: 'reference is not null',
    },
  ],
});

export type ReturnTender = InferEntity<typeof ReturnTender>;
