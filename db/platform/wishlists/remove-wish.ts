import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchEntity } from '../../../domain/errors.ts';
import { WishlistItem } from './wishlist-item.entity.ts';

/** Removes a product from a customer's wishlist. Refused with: 404 a product not on it, hence also a repeat. */
export async function removeWish(
  em: EntityManager,
  { customerId, wishlistItemId }: { customerId: number; wishlistItemId: number },
): Promise<void> {
  const removed = await em.nativeDelete(WishlistItem, { customerId, wishlistItemId });
  if (removed === 0) throw noSuchEntity('wishlistItemId', wishlistItemId);
}
