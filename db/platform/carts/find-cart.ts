import type { EntityManager } from '@mikro-orm/postgresql';
import { findCartId, noActiveCart, type CartOwner } from './lock-cart.ts';
import { priceCart, type PricedCart, type Pricing } from './price-cart.ts';
import { readCart, type Cart } from './read-cart.ts';

/** The customer's active cart as it was chosen. Refused with: 404 none. */
export async function findCart(em: EntityManager, owner: CartOwner): Promise<Cart> {
  const quoteId = await findCartId(em, owner);
  if (quoteId === undefined) throw noActiveCart();
  return readCart(em, quoteId);
}

/** The same with what it comes to now; nothing is locked, nothing written. Refusals as above and as of `priceCart`. */
export const findPricedCart = async (em: EntityManager, owner: CartOwner, pricing: Pricing): Promise<PricedCart> =>
  priceCart(em, await findCart(em, owner), pricing);
