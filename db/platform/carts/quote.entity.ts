import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { StoredChoice, EnteredOption } from '../../../domain/platform/catalog/entered-options.ts';
import { amountColumn, optionalTexts, quantityColumn } from '../../support/columns.ts';
import { timestamps } from '../../support/shop-clock.ts';
import { Product } from '../catalog/product.entity.ts';
import { Customer } from '../customers/customer.entity.ts';
import { addressTexts, Order } from '../orders/order.entity.ts';
import { StoreView, Website } from '../stores/store.entity.ts';

/**
 * A cart of a customer or a guest; the platform calls it a quote (platform facts 11). It is active until it becomes an
 * order. After that it stays the cart of that order.
 *
 * It keeps choices, not figures: these are calculated at each reading.
 */
export const Quote = defineEntity({
  name: 'Quote',
  tableName: 'quote',
  properties: {
    quoteId: p.bigint('number').primary().autoincrement(),
    /** Null for a guest's cart. */
    customerId: () => p.manyToOne(Customer).mapToPk().fieldName('customer_id').index().deleteRule('cascade').nullable(),
    /** The guest's name for the cart. It is a secret: a caller who knows it can use the cart. */
    maskedId: p.string().length(32).unique().nullable(),
    websiteId: () => p.manyToOne(Website).mapToPk().fieldName('website_id').deleteRule('restrict'),
    /** The store view of the customer's last visit: prices are shown in its currency. */
    storeId: () => p.manyToOne(StoreView).mapToPk().fieldName('store_id').deleteRule('restrict'),
    isActive: p.boolean().default(true),
    orderId: () => p.manyToOne(Order).mapToPk().fieldName('order_id').deleteRule('restrict').nullable(),
    /** Who buys, where it is said for this cart: a guest's e-mail; a customer's words in place of the account's. */
    ...optionalTexts('customerEmail', 'customerFirstname', 'customerMiddlename', 'customerLastname'),
    /** `carrier_method`. */
    ...optionalTexts('shippingMethod'),
    ...optionalTexts('couponCode', 'paymentMethod', 'poNumber'),
    usesStoreCredit: p.boolean().default(false),
    /** The wallet's balance when the credit was applied, in the website's base currency. */
    storeCreditSeen: amountColumn().nullable(),
    ...timestamps,
  },
  uniques: [
    { name: 'quote_one_active_per_customer', properties: ['customerId', 'websiteId'], where: 'is_active' },
    { name: 'quote_order_once', properties: ['orderId'] },
  ],
  indexes: [
    // What the purge of abandoned carts looks for.
    { name: 'quote_guest_idle', properties: ['updatedAt'], where: 'is_active and customer_id is null' },
  ],
  checks: [
    { name: 'quote_active_until_ordered', expression: 'is_active = (order_id is null)' },
    { name: 'quote_credit_applied_with_figure', expression: 'uses_store_credit = (store_credit_seen is not null)' },
  ],
});
export type Quote = InferEntity<typeof Quote>;

/** An engraving may be longer than an index takes. */
const optionsDigest = 'md5(custom_options::text)';

const onceOf = (name: string, columns: string, where: string) => ({
  name,
  expression: `create unique index "${name}" on "quote_item" (${columns}, ${optionsDigest}) where ${where}`,
});

/**
 * The quantity of a product in a cart. A product has one line for each way in which its options were entered, and for
 * each configurable product it was chosen of.
 */
export const QuoteItem = defineEntity({
  name: 'QuoteItem',
  tableName: 'quote_item',
  properties: {
    itemId: p.bigint('number').primary().autoincrement(),
    quoteId: () => p.manyToOne(Quote).mapToPk().fieldName('quote_id').deleteRule('cascade'),
    productId: () => p.manyToOne(Product).mapToPk().fieldName('product_id').index().deleteRule('cascade'),
    /** The configurable product that it was chosen of; null: it was put in as itself. */
    parentProductId: () =>
      p.manyToOne(Product).mapToPk().fieldName('parent_product_id').index().deleteRule('cascade').nullable(),
    /** What was chosen of it. */
    choices: p.json<StoredChoice[]>().nullable(),
    /** What was entered for the product's own options, or for those of the configurable one. */
    customOptions: p.json<EnteredOption[]>().defaultRaw(`'[]'::jsonb`),
    qty: quantityColumn(),
    ...timestamps,
  },
  indexes: [
    onceOf('quote_item_once_per_product', 'quote_id, product_id', 'parent_product_id is null'),
    onceOf('quote_item_once_per_variant', 'quote_id, product_id, parent_product_id', 'parent_product_id is not null'),
  ],
  checks: [
    { name: 'quote_item_holds_some', expression: `qty > 0 and qty <> 'NaN'` },
    { name: 'quote_item_chosen_of_a_parent', expression: '(parent_product_id is null) = (choices is null)' },
  ],
});
export type QuoteItem = InferEntity<typeof QuoteItem>;

/** The billing or shipping address of a cart, as far as it is known. */
export const QuoteAddress = defineEntity({
  name: 'QuoteAddress',
  tableName: 'quote_address',
  properties: {
    addressId: p.bigint('number').primary().autoincrement(),
    quoteId: () => p.manyToOne(Quote).mapToPk().fieldName('quote_id').deleteRule('cascade'),
    addressType: p.enum(['billing', 'shipping'] as const),
    street: p.json<string[]>().defaultRaw(`'[]'::jsonb`),
    regionId: p.bigint('number').nullable(),
    customerAddressId: p.bigint('number').nullable(),
    sameAsBilling: p.boolean().default(false),
    /** Whether placing the order adds it to the customer's address book. */
    saveInAddressBook: p.boolean().default(false),
    ...optionalTexts(...addressTexts),
  },
  uniques: [{ name: 'quote_address_once_per_type', properties: ['quoteId', 'addressType'] }],
});
export type QuoteAddress = InferEntity<typeof QuoteAddress>;
