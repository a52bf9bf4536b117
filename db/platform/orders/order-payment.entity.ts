import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { basePrefixed, optionalTexts, zeroAmounts } from '../../support/columns.ts';
import { Order } from './order.entity.ts';

/** Amounts a payment keeps in both currencies. */
export const paymentMoney = [
  'amountOrdered',
  'amountPaid',
  'amountRefunded',
  'amountAuthorized',
  'amountCanceled',
  'shippingAmount',
  'shippingCaptured',
  'shippingRefunded',
] as const;

export const paymentTexts = [
  'lastTransId',
  'poNumber',
  'accountStatus',
  'ccLast4',
  'ccType',
  'ccOwner',
  'ccTransId',
] as const;

/** How an order is paid (platform facts 5.2). `lastTransId` is the card terminal's reference. */
export const OrderPayment = defineEntity({
  name: 'OrderPayment',
  tableName: 'sales_order_payment',
  properties: {
    entityId: p.integer().primary().autoincrement(),
    order: () => p.oneToOne(Order).fieldName('order_id').unique().owner().deleteRule('cascade'),
    method: p.string().length(128).index(),
    ...zeroAmounts(...paymentMoney, ...basePrefixed(...paymentMoney)),
    ...optionalTexts(...paymentTexts),
    /** `json`, not `jsonb`: answers show the values in the order in which they were posted. */
    additionalInformation: p.json<Record<string, unknown>>().columnType('json').defaultRaw(`'{}'::json`),
  },
  // For whoever has only the processor's reference, or the last digits of a card, in hand.
  indexes: [
    {
      name: 'sales_order_payment_last_trans_id_text',
      expression:
        'create index "sales_order_payment_last_trans_id_text" on "sales_order_payment" (lower("last_trans_id")) where last_trans_id is not null',
    },
    { name: 'sales_order_payment_cc_last4', properties: ['ccLast4'], where: 'cc_last4 is not null' },
  ],
});

export type OrderPayment = InferEntity<typeof OrderPayment>;
