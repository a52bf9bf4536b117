import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { ShownOption } from '../../../domain/platform/catalog/entered-options.ts';
import { orderStates } from '../../../domain/platform/order-state.ts';
import {
  basePrefixed,
  optionalAmounts,
  optionalIds,
  optionalIntegers,
  optionalTexts,
  quantityColumn,
  textIndex,
  zeroAmounts,
  zeroQuantities,
} from '../../support/columns.ts';
import { shopNow, timestamps } from '../../support/shop-clock.ts';
import { Order } from './order.entity.ts';

/** Money an order line keeps in both currencies. Gross of discount here, net in answers (platform facts 5.2). */
export const orderItemMoney = [
  'price',
  'originalPrice',
  'rowTotal',
  'rowInvoiced',
  'taxAmount',
  'taxInvoiced',
  'taxRefunded',
  'taxCanceled',
  'discountAmount',
  'discountInvoiced',
  'discountRefunded',
  'discountTaxCompensationAmount',
  'discountTaxCompensationInvoiced',
  'discountTaxCompensationRefunded',
  'discountTaxCompensationCanceled',
  'amountRefunded',
  'weeeTaxAppliedAmount',
  'weeeTaxRowDisposition',
  'weeeTaxDisposition',
  'weeeTaxAmountInvoiced',
  'weeeTaxAmountRefunded',
] as const;

export const OrderItem = defineEntity({
  name: 'OrderItem',
  tableName: 'sales_order_item',
  properties: {
    itemId: p.bigint('number').primary().autoincrement(),
    order: () => p.manyToOne(Order).fieldName('order_id').index().deleteRule('cascade'),
    parentItemId: () =>
      p.manyToOne(OrderItem).mapToPk().fieldName('parent_item_id').index().deleteRule('cascade').nullable(),
    storeId: p.bigint('number').nullable(),
    productId: p.bigint('number').index().nullable(),
    productType: p.string().length(32).default('simple'),
    sku: p.string().length(255).index(),
    /** Where the SKU of the line names its custom options too: the one under which its goods are stocked. */
    stockSku: p.string().length(64).nullable(),
    name: p.string().length(255).nullable(),
    qtyOrdered: quantityColumn(),
    ...zeroQuantities('qtyInvoiced', 'qtyShipped', 'qtyRefunded', 'qtyCanceled', 'qtyBackordered', 'qtyReturned'),
    ...zeroAmounts(...orderItemMoney, ...basePrefixed(...orderItemMoney)),
    ...zeroAmounts('weeeTaxAppliedRowAmount', 'baseWeeeTaxAppliedRowAmnt'),
    ...optionalAmounts(
      'priceInclTax',
      'basePriceInclTax',
      'rowTotalInclTax',
      'baseRowTotalInclTax',
      'cost',
      'baseCost',
    ),
    taxPercent: p.decimal('string').precision(12).scale(4).default('0'),
    discountPercent: p.decimal('string').precision(12).scale(4).default('0'),
    weeeTaxApplied: p.text().nullable(),
    isVirtual: p.boolean().default(false),
    isQtyDecimal: p.boolean().default(false),
    /** As the catalog had it when the line was sold: later changes of the product do not count. */
    isReturnable: p.boolean().default(true),
    ...optionalIntegers('noDiscount', 'freeShipping', 'lockedDoInvoice', 'lockedDoShip'),
    ...optionalIds('quoteItemId'),
    weight: quantityColumn().nullable(),
    ...zeroQuantities('rowWeight'),
    description: p.text().nullable(),
    appliedRuleIds: p.text().nullable(),
    additionalData: p.text().nullable(),
    productOption: p.json<Record<string, unknown>>().nullable(),
    /** What was entered for its custom options, for people: the names that they had when the line was sold. */
    enteredOptions: p.json<ShownOption[]>().defaultRaw(`'[]'::jsonb`),
    extensionAttributes: p.json<Record<string, unknown>>().defaultRaw(`'{}'::jsonb`),
    ...timestamps,
  },
  indexes: [{ properties: ['createdAt'] }],
  checks: [
    {
      name: 'sales_order_item_within_ordered',
      // When a layaway ends, its open invoice is cancelled after the refund; the refunded amount stays (spec 4.7).
      expression:
        '(qty_refunded <= qty_invoiced or (qty_invoiced = 0 and qty_refunded <= qty_ordered)) and qty_invoiced + qty_canceled <= qty_ordered and qty_shipped <= qty_ordered',
    },
  ],
});

export type OrderItem = InferEntity<typeof OrderItem>;

export const transactionTypes = ['payment', 'order', 'authorization', 'capture', 'void', 'refund'] as const;

/**
 * What a payment provider did, by its own reference (platform facts 11). A reference is booked once per order and type.
 */
export const PaymentTransaction = defineEntity({
  name: 'PaymentTransaction',
  tableName: 'sales_payment_transaction',
  properties: {
    transactionId: p.bigint('number').primary().autoincrement(),
    parentId: p.bigint('number').nullable(),
    orderId: () => p.manyToOne(Order).mapToPk().fieldName('order_id').index().deleteRule('restrict'),
    paymentId: p.bigint('number'),
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

/** A status an order can show, with its label. A merchant's own may belong to no state (platform facts 5.3). */
export const OrderStatus = defineEntity({
  name: 'OrderStatus',
  tableName: 'sales_order_status',
  properties: {
    status: p.string().length(32).primary(),
    label: p.string().length(128),
    states: () => p.oneToMany(OrderStatusState).mappedBy('status').orderBy({ state: 'asc' }),
  },
});
export type OrderStatus = InferEntity<typeof OrderStatus>;

/** The statuses a state may have; one of them is what it starts with. */
export const OrderStatusState = defineEntity({
  name: 'OrderStatusState',
  tableName: 'sales_order_status_state',
  properties: {
    status: () => p.manyToOne(OrderStatus).primary().fieldName('status').deleteRule('cascade'),
    state: p.enum(orderStates).primary(),
    isDefault: p.boolean().default(false),
    isVisibleOnFront: p.boolean().default(true),
  },
  uniques: [{ name: 'sales_order_status_state_one_default', properties: ['state'], where: `is_default` }],
});
export type OrderStatusState = InferEntity<typeof OrderStatusState>;

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
    entityId: p.bigint('number').primary().autoincrement(),
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

export const commentedDocuments = ['invoice', 'creditmemo', 'shipment'] as const;

/** A comment on an invoice, credit memo or shipment. */
export const DocumentComment = defineEntity({
  name: 'DocumentComment',
  tableName: 'sales_document_comment',
  properties: {
    entityId: p.bigint('number').primary().autoincrement(),
    document: p.enum(commentedDocuments),
    parentId: p.bigint('number'),
    comment: p.text(),
    isCustomerNotified: p.integer().default(0),
    isVisibleOnFront: p.integer().default(0),
    createdAt: p
      .datetime(6)
      .defaultRaw('now()')
      .onCreate(() => shopNow()),
  },
  indexes: [{ properties: ['document', 'parentId'] }],
});

export type DocumentComment = InferEntity<typeof DocumentComment>;

/** One line of an order's history (platform facts 5.2 `status_histories`). */
export const OrderComment = defineEntity({
  name: 'OrderComment',
  tableName: 'sales_order_status_history',
  properties: {
    entityId: p.bigint('number').primary().autoincrement(),
    parentId: () => p.manyToOne(Order).mapToPk().fieldName('parent_id').index().deleteRule('cascade'),
    comment: p.text().nullable(),
    status: p.string().length(32).nullable(),
    entityName: p.string().length(32).default('order'),
    isCustomerNotified: p.integer().default(0).nullable(),
    isVisibleOnFront: p.integer().default(0),
    createdAt: p
      .datetime(6)
      .defaultRaw('now()')
      .onCreate(() => shopNow()),
  },
});

export type OrderComment = InferEntity<typeof OrderComment>;
