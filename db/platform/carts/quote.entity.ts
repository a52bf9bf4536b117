import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { amountColumn, optionalTexts, quantityColumn } from '../../support/columns.ts';
import { timestamps } from '../../support/timestamps.ts';
import { Product } from '../catalog/product.entity.ts';
import { Customer } from '../customers/customer.entity.ts';
import { addressTexts } from '../orders/order-address.entity.ts';
import { Order } from '../orders/order.entity.ts';
import { StoreView } from '../stores/store-view.entity.ts';
import { Website } from '../stores/website.entity.ts';

/**
 * A cart of a customer or a guest, which the platform calls a quote (platform facts 11). Active until it becomes an order, and then
 * for good the one cart of that order.
 *
 * It keeps what was chosen, no figures: those are worked out whenever somebody looks.
 */
export const Quote = defineEntity({
  name: 'Quote',
  tableName: 'quote',
  properties: {
    quoteId: p.integer().primary().autoincrement(),
    /** Null: a guest's. */
    customerId: () => p.manyToOne(Customer).mapToPk().fieldName('customer_id').index().deleteRule('cascade').nullable(),
    /** The word by which a guest knows the cart: who has it, has the cart. */
    maskedId: p.string().length(32).unique().nullable(),
    websiteId: () => p.manyToOne(Website).mapToPk().fieldName('website_id').deleteRule('restrict'),
    /** Where the customer shops now: prices are shown in its currency. */
    storeId: () => p.manyToOne(StoreView).mapToPk().fieldName('store_id').deleteRule('restrict'),
    isActive: p.boolean().default(true),
    orderId: () => p.manyToOne(Order).mapToPk().fieldName('order_id').deleteRule('restrict').nullable(),
    /** `carrier_method`. */
    ...optionalTexts('customerEmail', 'couponCode', 'shippingMethod', 'paymentMethod', 'poNumber'),
    usesStoreCredit: p.boolean().default(false),
    /** What was in the wallet when the credit was applied, in the website's base currency. */
    storeCreditSeen: amountColumn().nullable(),
    ...timestamps,
  },
  uniques: [
    { name: 'quote_one_active_per_customer', properties: ['customerId', 'websiteId'], where: 'is_active' },
    { name: 'quote_order_once', properties: ['orderId'] },
  ],
  checks: [
    { name: 'quote_active_until_ordered', expression: 'is_active = (order_id is null)' },
    { name: 'quote_credit_applied_with_figure', expression: 'uses_store_credit = (store_credit_seen is not null)' },
  ],
});
export type Quote = InferEntity<typeof Quote>;

/** How many of a product a cart holds: one line for each product. */
export const QuoteItem = defineEntity({
  name: 'QuoteItem',
  tableName: 'quote_item',
  properties: {
    itemId: p.integer().primary().autoincrement(),
    quoteId: () => p.manyToOne(Quote).mapToPk().fieldName('quote_id').deleteRule('cascade'),
    productId: () => p.manyToOne(Product).mapToPk().fieldName('product_id').index().deleteRule('cascade'),
    qty: quantityColumn(),
    ...timestamps,
  },
  uniques: [{ name: 'quote_item_once_per_product', properties: ['quoteId', 'productId'] }],
  checks: [{ name: 'quote_item_holds_some', expression: `qty > 0 and qty <> 'NaN'` }],
});
export type QuoteItem = InferEntity<typeof QuoteItem>;

/** Where a cart is billed or shipped to, as far as it is known. */
export const QuoteAddress = defineEntity({
  name: 'QuoteAddress',
  tableName: 'quote_address',
  properties: {
    addressId: p.integer().primary().autoincrement(),
    quoteId: () => p.manyToOne(Quote).mapToPk().fieldName('quote_id').deleteRule('cascade'),
    addressType: p.enum(['billing', 'shipping'] as const),
    street: p.json<string[]>().defaultRaw(`'[]'::jsonb`),
    regionId: p.integer().nullable(),
    customerAddressId: p.integer().nullable(),
    sameAsBilling: p.boolean().default(false),
    /** Whether the customer's address book gets it when the order is placed. */
    saveInAddressBook: p.boolean().default(false),
    ...optionalTexts(...addressTexts),
  },
  uniques: [{ name: 'quote_address_once_per_type', properties: ['quoteId', 'addressType'] }],
});
export type QuoteAddress = InferEntity<typeof QuoteAddress>;
