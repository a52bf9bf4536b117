import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { quantityColumn } from '../../support/columns.ts';
import { timestamps } from '../../support/shop-clock.ts';
import { Product } from '../catalog/product.entity.ts';
import { Customer } from '../customers/customer.entity.ts';

/** A wish of a customer: each product once. The list is the customer's rows, newest first. */
export const WishlistItem = defineEntity({
  name: 'WishlistItem',
  tableName: 'wishlist_item',
  properties: {
    wishlistItemId: p.bigint('number').primary().autoincrement(),
    customerId: () => p.manyToOne(Customer).mapToPk().fieldName('customer_id').deleteRule('cascade'),
    productId: () => p.manyToOne(Product).mapToPk().fieldName('product_id').index().deleteRule('cascade'),
    qty: quantityColumn(),
    description: p.string().length(1_000).nullable(),
    ...timestamps,
  },
  uniques: [{ name: 'wishlist_item_once', properties: ['customerId', 'productId'] }],
  checks: [{ name: 'wishlist_item_qty_positive', expression: `qty > 0 and qty <> 'NaN'` }],
});
export type WishlistItem = InferEntity<typeof WishlistItem>;
