import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { layawayKinds, saleTypes } from '../../domain/receipts/receipt-payments.ts';
import { Order } from '../platform/orders/order.entity.ts';
import {
  optionalAmounts,
  optionalIndex,
  optionalIds,
  optionalIntegers,
  optionalOrderIndex,
  optionalTexts,
  quantityColumn,
} from '../support/columns.ts';
import { countColumns, countIndex, receiptList } from '../support/counted-list.ts';
import { timestamps } from '../support/shop-clock.ts';

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

export const receiptIntegers = ['pointsEarned'] as const;

export const receiptIds = ['terminalId', 'locationId', 'staffId', 'creditMemoId', 'rmaId'] as const;

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
    receiptId: p.bigint('number').primary().autoincrement(),
    posOrderId: p.string().length(64).unique(),
    ...optionalTexts(...receiptTexts),
    ...optionalIntegers(...receiptIntegers),
    ...optionalIds(...receiptIds),
    /** In lower case. */
    registerSessionUuid: p.text().nullable(),
    ...optionalAmounts(...receiptAmounts),
    currency: p.string().length(3).nullable(),
    /** The public page finds a receipt by the digest of its token. */
    tokenDigest: p.string().length(64).unique().hidden(),
    /** The token itself, sealed: another device prints the same code. */
    sealedToken: p.text().hidden(),
    saleType: p.enum(saleTypes).nullable(),
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
    customerId: p.bigint('number').nullable(),
    claimedAt: p.datetime(6).nullable(),
    /** The order that the claim put into the account: two stores may have an order of one number. */
    claimedOrderId: () => p.manyToOne(Order).mapToPk().fieldName('claimed_order_id').deleteRule('restrict').nullable(),
    items: () => p.oneToMany(ReceiptItem).mappedBy('receipt'),
    ...timestamps,
  },
  indexes: [
    optionalOrderIndex('pos_receipt', 'sale_type', 'receipt_id'),
    optionalOrderIndex('pos_receipt', 'location_id', 'receipt_id'),
    optionalOrderIndex('pos_receipt', 'terminal_id', 'receipt_id'),
    // The newest of a location or terminal. Each costs a receipt some ten microseconds.
    { properties: ['locationId', 'createdAt'] },
    { properties: ['terminalId', 'createdAt'] },
    { properties: ['createdAt'] },
    optionalIndex('pos_receipt', 'order_increment_id'),
    // Receipts of refunds, and those with an address: few, and found whole when a person asks for what is kept of him.
    {
      name: 'pos_receipt_original_order',
      properties: ['originalOrderIncrementId'],
      where: 'original_order_increment_id is not null',
    },
    { name: 'pos_receipt_of_return', properties: ['rmaId'], where: 'rma_id is not null' },
    {
      name: 'pos_receipt_customer_email_text',
      expression: `create index "pos_receipt_customer_email_text" on "pos_receipt" (lower("customer_email")) where customer_email is not null`,
    },
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

/** How many receipts there are of a kind in a month, a day or an hour. Kept by `countGrowing`. */
export const ReceiptCount = defineEntity({
  name: 'ReceiptCount',
  tableName: 'pos_receipt_count',
  properties: {
    ...countColumns,
    ...optionalIds('terminalId', 'locationId'),
    saleType: p.text().nullable(),
  },
  indexes: [countIndex(receiptList)],
});

export type ReceiptCount = InferEntity<typeof ReceiptCount>;

/** An order whose receipt could not be linked when it was saved. The sweep links it and deletes the row. */
export const LostLink = defineEntity({
  name: 'LostLink',
  tableName: 'pos_receipt_lost_link',
  properties: {
    orderId: () => p.manyToOne(Order).mapToPk().fieldName('order_id').primary().deleteRule('cascade'),
    createdAt: p.datetime(6).defaultRaw('now()'),
  },
});

export type LostLink = InferEntity<typeof LostLink>;

/**
 * A receipt's PDF. The worker stores it here and the API sends it, so the PDF never travels through a workflow. It is
 * made again when the receipt's data changes, and removed when it was not requested for a while.
 */
export const ReceiptPdf = defineEntity({
  name: 'ReceiptPdf',
  tableName: 'pos_receipt_pdf',
  properties: {
    receiptId: () => p.manyToOne(Receipt).mapToPk().fieldName('receipt_id').primary().deleteRule('cascade'),
    /** The digest of the document that the PDF shows. */
    digest: p.string().length(64),
    content: p.blob(),
    madeAt: p.datetime(6).defaultRaw('now()').index(),
  },
});

export type ReceiptPdf = InferEntity<typeof ReceiptPdf>;

/** An uploaded logo, drawn again by us. Its name is the digest of its bytes; a setting of the shop holds that name. */
export const ReceiptLogo = defineEntity({
  name: 'ReceiptLogo',
  tableName: 'pos_receipt_logo',
  properties: {
    digest: p.string().length(64).primary(),
    /** A PNG. */
    content: p.blob(),
    width: p.integer(),
    height: p.integer(),
    createdAt: p.datetime(6).defaultRaw('now()'),
  },
});

export type ReceiptLogo = InferEntity<typeof ReceiptLogo>;
