import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { textIndex } from '../../support/search-indexes.ts';
import { Order } from './order.entity.ts';
import { shopNow } from '../../support/shop-clock.ts';

export const transactionTypes = ['payment', 'order', 'authorization', 'capture', 'void', 'refund'] as const;

/** What a payment provider did, by its own reference (platform facts 11). A reference is booked once per order and type. */
export const PaymentTransaction = defineEntity({
  name: 'PaymentTransaction',
  tableName: 'sales_payment_transaction',
  properties: {
    transactionId: p.integer().primary().autoincrement(),
    parentId: p.integer().nullable(),
    orderId: () => p.manyToOne(Order).mapToPk().fieldName('order_id').index().deleteRule('restrict'),
    paymentId: p.integer(),
    txnId: p.string().length(255),
    parentTxnId: p.string().length(255).nullable(),
    txnType: p.enum(transactionTypes),
    isClosed: p.boolean().default(true),
    additionalInformation: p.json<Record<string, unknown>>().columnType('json').defaultRaw(`'{}'::json`),
    createdAt: p
      .datetime(6)
      .defaultRaw('now()')
      .onCreate(() => shopNow()),
  },
  indexes: [{ properties: ['createdAt'] }, textIndex('sales_payment_transaction', 'txn_id')],
  uniques: [{ name: 'sales_payment_transaction_once', properties: ['orderId', 'txnType', 'txnId'] }],
});

export type PaymentTransaction = InferEntity<typeof PaymentTransaction>;
