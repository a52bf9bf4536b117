import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { layawayKinds, saleTypes } from '../../domain/receipts/receipt-kinds.ts';
import { optionalAmounts, optionalIntegers, optionalTexts, quantityColumn } from '../support/columns.ts';
import { Order } from '../platform/orders/order.entity.ts';
import { timestamps } from '../support/timestamps.ts';

/**
 * Amounts of a receipt in the sale's currency, negative for what goes back. Points are among them: some shops give
 * fractions.
 */
export const receiptAmounts = [
  'subtotal',
  'taxAmount',
  'discountAmount',
  'grandTotal',
  'amountTendered',
  'changeDue',
  'shippingRefund',
  'adjustmentPositive',
  'adjustmentNegative',
  'layawayAmountCaptured',
  'layawayTotalPaid',
  'layawayBalanceOwed',
  'pointsEarned',
] as const;

/** Short texts of a receipt. */
export const receiptTexts = [
  'saleId',
  'staffName',
  'terminalName',
  'locationName',
  'orderIncrementId',
  'paymentMethod',
  'receiptNumber',
  'originalOrderIncrementId',
  'terminalProvider',
  'terminalPaymentId',
  'customerName',
  'customerEmail',
] as const;

export const receiptIntegers = [
  'terminalId',
  'locationId',
  'staffId',
  'creditMemoId',
  'rmaId',
  'pointsEarned',
] as const;

const document = () => p.text().nullable();

/**
 * A completed sale as its register printed it (spec 2.14). One per sale id.
 *
 * Frozen once stored: a trigger lets only the token, the order's number and the claim change.
 */
export const Receipt = defineEntity({
  name: 'Receipt',
  tableName: 'pos_receipt',
  properties: {
    receiptId: p.integer().primary().autoincrement(),
    posOrderId: p.string().length(64).unique(),
    ...optionalTexts(...receiptTexts),
    ...optionalIntegers(...receiptIntegers),
    ...optionalAmounts(...receiptAmounts),
    currency: p.string().length(3).nullable(),
    /** The public page finds a receipt by the digest of its token. */
    tokenDigest: p.string().length(64).unique().hidden(),
    /** The token itself, sealed: another device prints the same code. */
    sealedToken: p.text().hidden(),
    saleType: p.enum(saleTypes).nullable().index(),
    layawayKind: p.enum(layawayKinds).nullable(),
    layawayExpiresAt: p.datetime(6).nullable(),
    isReverseCharge: p.boolean().default(false),
    rawPayload: document(),
    receiptModel: document(),
    splitPayments: document(),
    shipToShipments: document(),
    backorderShipments: document(),
    appliedCredits: document(),
    terminalDashboardUrl: document(),
    terminalInfo: document(),
    terminalRawPayload: document(),
    customerId: p.integer().nullable(),
    claimedAt: p.datetime(6).nullable(),
    /** The order that the claim put into the account: two stores may have an order of one number. */
    claimedOrderId: () => p.manyToOne(Order).mapToPk().fieldName('claimed_order_id').deleteRule('restrict').nullable(),
    items: () => p.oneToMany(ReceiptItem).mappedBy('receipt'),
    ...timestamps,
  },
  indexes: [
    { properties: ['locationId', 'receiptId'] },
    { properties: ['terminalId', 'receiptId'] },
    // The newest of a location or terminal. Each costs a receipt some ten microseconds.
    { properties: ['locationId', 'createdAt'] },
    { properties: ['terminalId', 'createdAt'] },
    { properties: ['createdAt'] },
    { properties: ['orderIncrementId'] },
    { name: 'pos_receipt_receipt_number', properties: ['receiptNumber'], where: 'receipt_number is not null' },
    { name: 'pos_receipt_claimed_order', properties: ['claimedOrderId'], where: 'claimed_order_id is not null' },
    {
      name: 'pos_receipt_without_order',
      properties: ['receiptId'],
      where: `order_increment_id is null and sale_type is distinct from 'refund'`,
    },
  ],
  checks: [
    {
      name: 'pos_receipt_claimed_by_somebody',
      expression: 'num_nulls(claimed_at, customer_id, claimed_order_id) in (0, 3)',
    },
  ],
});
export type Receipt = InferEntity<typeof Receipt>;

export const ReceiptItem = defineEntity({
  name: 'ReceiptItem',
  tableName: 'pos_receipt_item',
  properties: {
    receiptItemId: p.bigint('number').primary().autoincrement(),
    receipt: () => p.manyToOne(Receipt).fieldName('receipt_id').index().deleteRule('cascade'),
    sku: p.string().length(255).nullable(),
    name: p.text().nullable(),
    qty: quantityColumn().nullable(),
    ...optionalAmounts('price', 'rowTotal', 'taxAmount', 'discountAmount', 'baseUnitPrice'),
    fulfillmentMode: p.string().length(64).nullable(),
  },
});
export type ReceiptItem = InferEntity<typeof ReceiptItem>;
