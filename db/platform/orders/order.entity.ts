import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { PendingMemo } from '../../../domain/platform/credit-memos/credit-memo-figures.ts';
import { orderStates } from '../../../domain/platform/order-state.ts';
import {
  amountColumn,
  basePrefixed,
  optionalAmounts,
  optionalIds,
  optionalIntegers,
  optionalTextIndex,
  optionalTexts,
  quantityColumn,
  textIndex,
  zeroAmounts,
} from '../../support/columns.ts';
import { shopNow, timestamps } from '../../support/shop-clock.ts';
import { StoreView } from '../stores/store.entity.ts';
import { orderIds, orderIntegers, orderMoney, orderTexts } from './order-columns.ts';
import { OrderItem, OrderPayment } from './order-parts.entity.ts';

export const addressTexts = [
  'firstname',
  'lastname',
  'middlename',
  'prefix',
  'suffix',
  'company',
  'city',
  'region',
  'regionCode',
  'postcode',
  'countryId',
  'telephone',
  'fax',
  'email',
  'vatId',
] as const;

/** The billing or shipping address of an order, as it was when the order was placed or last changed. */
export const OrderAddress = defineEntity({
  name: 'OrderAddress',
  tableName: 'sales_order_address',
  properties: {
    entityId: p.bigint('number').primary().autoincrement(),
    order: () => p.manyToOne(Order).fieldName('order_id').index().deleteRule('cascade'),
    addressType: p.enum(['billing', 'shipping'] as const),
    street: p.json<string[]>().defaultRaw(`'[]'::jsonb`),
    regionId: p.bigint('number').nullable(),
    customerId: p.bigint('number').nullable(),
    customerAddressId: p.bigint('number').nullable(),
    ...optionalTexts(...addressTexts),
  },
});

export type OrderAddress = InferEntity<typeof OrderAddress>;

const isoCode = () => p.string().length(3);
const rate = () => p.decimal('string').precision(24).scale(12);

/**
 * A sale, a layaway or a web order: the one order of the embedded platform (platform facts 5).
 *
 * `totalPaid` is never lowered by a refund; `totalDue` is worked out by the database from what is stored.
 */
export const Order = defineEntity({
  name: 'Order',
  tableName: 'sales_order',
  properties: {
    entityId: p.bigint('number').primary().autoincrement(),
    incrementId: p.string().length(50),
    state: p.enum(orderStates),
    status: p.string().length(32),
    storeId: () => p.manyToOne(StoreView).mapToPk().fieldName('store_id').deleteRule('restrict'),
    storeName: p.string().length(255).nullable(),
    protectCode: p.string().length(32),

    baseCurrencyCode: isoCode(),
    globalCurrencyCode: isoCode(),
    orderCurrencyCode: isoCode(),
    storeCurrencyCode: isoCode(),
    baseToGlobalRate: rate().default('1'),
    baseToOrderRate: rate().default('1'),
    storeToBaseRate: rate().default('1'),
    storeToOrderRate: rate().default('1'),

    ...zeroAmounts(...orderMoney, ...basePrefixed(...orderMoney)),
    ...zeroAmounts(
      'shippingDiscountTaxCompensationAmount',
      'baseShippingDiscountTaxCompensationAmnt',
      'baseTotalInvoicedCost',
    ),
    ...optionalAmounts('paymentAuthorizationAmount', 'basePaymentAuthorizationAmount'),
    /** Reserved for refunds under way: no other refund may give this money back. */
    ...zeroAmounts('basePendingRefund'),
    /**
     * Money that went back without a credit memo: the credit of a cancelled order, and the money of a cancelled layaway
     * that was never invoiced. No memo may give it back again.
     */
    ...zeroAmounts('returnedWithoutMemo', 'baseReturnedWithoutMemo'),
    /** Of the adjustments: what the register's memos gave more or less than their goods come to. */
    ...zeroAmounts('differenceRefunded', 'baseDifferenceRefunded'),
    /**
     * What can never be collected of the grand total: goods that came back before they were paid, and pieces that were
     * cancelled.
     */
    ...zeroAmounts('dueTakenOff', 'baseDueTakenOff'),
    /** The memos of the refunds under way; null when there are none. */
    pendingMemos: p.json<readonly PendingMemo[]>().nullable(),
    /** What can still be collected: nothing of an order that is over. */
    totalDue: amountColumn()
      .generated(
        `(case when state in ('canceled', 'closed') or pos_layaway_status = 'cancelled' then 0 else greatest(in_coins(grand_total - total_paid - due_taken_off, order_currency_code), 0) end) stored`,
      )
      .nullable(),
    baseTotalDue: amountColumn()
      .generated(
        `(case when state in ('canceled', 'closed') or pos_layaway_status = 'cancelled' then 0 else greatest(in_coins(base_grand_total - base_total_paid - base_due_taken_off, base_currency_code), 0) end) stored`,
      )
      .nullable(),

    totalQtyOrdered: quantityColumn().nullable(),
    weight: quantityColumn().nullable(),
    totalItemCount: p.integer().default(0),
    isVirtual: p.boolean().default(false),
    customerIsGuest: p.boolean().default(false),
    customerId: p.bigint('number').nullable(),
    ...optionalTexts(...orderTexts),
    customerNote: p.text().nullable(),
    ...optionalIntegers(...orderIntegers),
    ...optionalIds(...orderIds),

    /** The register's own sale id; links receipt and order (spec 4.9). */
    posSaleId: p.string().length(64).nullable(),
    /**
     * Digest of what was posted with the sale id; later changes of the order do not change it. Null: placed without a
     * sale id.
     */
    posSaleFingerprint: p.string().length(64).nullable(),
    posCreditDue: amountColumn().nullable(),
    posLayawayStatus: p.string().length(20).nullable(),
    posLayawayDepositAmount: amountColumn().nullable(),
    posLayawayBalanceOwed: amountColumn().nullable(),
    posLayawayExpiresAt: p.datetime(0).nullable(),
    posLayawayInitialPaymentMethod: p.string().length(128).nullable(),
    /** When the layaway's workflow started; null before that, and for other orders. */
    posLayawayFollowedAt: p.datetime(6).nullable(),
    /** Extension attributes that are stored and answered as posted: applied taxes and others. */
    extensionAttributes: p.json<Record<string, unknown>>().defaultRaw(`'{}'::jsonb`),

    items: () => p.oneToMany(OrderItem).mappedBy('order').orderBy({ itemId: 'asc' }),
    addresses: () => p.oneToMany(OrderAddress).mappedBy('order'),
    payment: () => p.oneToOne(OrderPayment).mappedBy('order').ref().nullable(),
    ...timestamps,
  },
  indexes: [
    { properties: ['createdAt'] },
    { properties: ['updatedAt'] },
    // The orders of each value are in the order of their ids, for pages of a filter and of a sort.
    { properties: ['state', 'entityId'] },
    { properties: ['status', 'entityId'] },
    { properties: ['storeId', 'entityId'] },
    // For the back office: the largest orders first. It costs a sale 50 microseconds.
    { properties: ['grandTotal'] },
    // Most orders have none of these, so a partial index costs a sale nothing.
    {
      // With what a list of layaways is sorted by: it is counted and sorted without reading an order.
      name: 'sales_order_pos_layaway_status',
      properties: ['posLayawayStatus', 'createdAt', 'entityId'],
      where: 'pos_layaway_status is not null',
    },
    { name: 'sales_order_quote_id', properties: ['quoteId'], where: 'quote_id is not null' },
    {
      name: 'sales_order_ext_order_id_text',
      expression:
        'create index "sales_order_ext_order_id_text" on "sales_order" (lower("ext_order_id")) where ext_order_id is not null',
    },
    {
      // For the hourly job: it finds the few layaways that are due among all open ones.
      name: 'sales_order_layaway_due',
      properties: ['posLayawayExpiresAt'],
      where: `pos_layaway_status = 'open'`,
    },
    {
      name: 'sales_order_layaway_unfollowed',
      properties: ['entityId'],
      where: `pos_layaway_status in ('open', 'stale') and pos_layaway_followed_at is null`,
    },
    optionalTextIndex('sales_order', 'customer_email'),
    // For the back office: orders of one status, newest first.
    textIndex('sales_order', 'status', '"status"', ['"created_at"']),
    {
      // All that a customer ever bought, from the index alone.
      name: 'sales_order_of_customer',
      expression:
        'create index "sales_order_of_customer" on "sales_order" (customer_id, created_at desc, entity_id desc) include (store_id, state, base_grand_total, base_total_canceled, base_total_paid, base_total_refunded, base_returned_without_memo) where customer_id is not null',
    },
    {
      // What customers owe. Only few orders are in it.
      name: 'sales_order_owed',
      properties: ['customerId'],
      where: `customer_id is not null and base_total_due > 0 and state <> 'canceled' and state <> 'closed'`,
    },
  ],
  uniques: [
    { name: 'sales_order_increment_id_once_per_store', properties: ['incrementId', 'storeId'] },
    // A sale is one order. Most orders of a web shop have no sale id.
    { name: 'sales_order_pos_sale_id_once', properties: ['posSaleId'], where: 'pos_sale_id is not null' },
  ],
  checks: [
    {
      name: 'sales_order_never_overpaid',
      expression: 'total_paid <= grand_total and base_total_paid <= base_grand_total',
    },
    {
      name: 'sales_order_paid_not_negative',
      expression: `total_paid >= 0 and total_paid <> 'NaN' and total_refunded >= 0 and base_total_paid >= 0 and base_total_paid <> 'NaN' and base_total_refunded >= 0 and base_pending_refund >= 0`,
    },
    {
      name: 'sales_order_never_over_refunded',
      // A payment can be posted in fractions of a coin, so the nearest coin counts. What is reserved for refunds under
      // way is kept in the base currency only; their memos have both. Coins are asked for last: few orders need them.
      expression:
        '(base_total_refunded + base_pending_refund <= base_total_paid or base_total_refunded + base_pending_refund <= in_coins(base_total_paid, base_currency_code)) and (total_refunded <= total_paid or total_refunded <= in_coins(total_paid, order_currency_code))',
    },
    {
      name: 'sales_order_never_given_back_twice',
      expression: `returned_without_memo >= 0 and base_returned_without_memo >= 0 and (returned_without_memo = 0 or in_coins(total_refunded + returned_without_memo, order_currency_code) <= greatest(total_paid, in_coins(total_paid, order_currency_code))) and (base_returned_without_memo = 0 or in_coins(base_total_refunded + base_pending_refund + base_returned_without_memo, base_currency_code) <= greatest(base_total_paid, in_coins(base_total_paid, base_currency_code)))`,
    },
  ],
});

export type Order = InferEntity<typeof Order>;

export const moneyInKinds = ['placement', 'invoice', 'layaway_capture', 'credit_due', 'credit'] as const;

/**
 * Every payment that raised an order's total paid. Their sum is always that total.
 *
 * A reference from a register counts once per order, for any kind of payment. The shop's own references (`invoice-…`)
 * cannot collide with these.
 */
export const MoneyIn = defineEntity({
  name: 'MoneyIn',
  tableName: 'sales_money_in',
  properties: {
    moneyInId: p.bigint('number').primary().autoincrement(),
    orderId: () => p.manyToOne(Order).mapToPk().fieldName('order_id').index().deleteRule('restrict'),
    kind: p.enum(moneyInKinds),
    reference: p.string().length(255).nullable(),
    /** The key of the step that booked it: a repeat of that step books nothing. */
    operationKey: p.string().length(64).unique().nullable(),
    amount: amountColumn(),
    baseAmount: amountColumn(),
    method: p.string().length(128).nullable(),
    createdAt: p
      .datetime(6)
      .defaultRaw('now()')
      .onCreate(() => shopNow()),
  },
  uniques: [
    {
      name: 'sales_money_in_reference_once',
      properties: ['orderId', 'reference'],
      where: `reference is not null and kind in ('layaway_capture', 'credit_due')`,
    },
  ],
});

export type MoneyIn = InferEntity<typeof MoneyIn>;
