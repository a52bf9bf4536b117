import { z } from 'zod';
import type { Wish } from '../../db/platform/wishlists/read-wishlist.ts';
import { toWire } from '../../domain/money/amount.ts';
import { quantityToWire } from '../../domain/money/quantity.ts';
import { renderMoment } from '../wire/register/render-moment.ts';

export const wishlistAnswer = z
  .object({
    customer_id: z.int(),
    items_count: z.int(),
    items: z.array(
      z.object({
        wishlist_item_id: z.int(),
        product_id: z.int(),
        sku: z.string(),
        name: z.string(),
        qty: z.number(),
        description: z.string().nullable(),
        price: z.number(),
        type_id: z.string(),
        is_available: z.boolean(),
        added_at: z.string(),
      }),
    ),
  })
  .meta({ id: 'Wishlist' });

const enabled = 1;

export const renderWishlist = (customerId: number, wishes: readonly Wish[]): z.input<typeof wishlistAnswer> => ({
  customer_id: customerId,
  items_count: wishes.length,
  items: wishes.map((wish) => ({
    wishlist_item_id: wish.wishlistItemId,
    product_id: wish.productId,
    sku: wish.sku,
    name: wish.name,
    qty: quantityToWire(wish.qty),
    description: wish.description,
    price: toWire(wish.price),
    type_id: wish.typeId,
    is_available: wish.status === enabled,
    added_at: renderMoment(wish.createdAt),
  })),
});
