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
});

export type OrderPayment = InferEntity<typeof OrderPayment>;
