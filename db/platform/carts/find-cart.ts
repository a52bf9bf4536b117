import type { EntityManager } from '@mikro-orm/postgresql';
import { findCartId, noActiveCart, type CartKey } from './lock-cart.ts';
import { priceCart, type PricedCart, type Pricing } from './price-cart.ts';
import { readCart, type Cart } from './read-cart.ts';

/** An active cart as it was chosen. Refused with: 404 none. */
export async function findCart(em: EntityManager, key: CartKey): Promise<Cart> {
  const quoteId = await findCartId(em, key);
  if (quoteId === undefined) throw noActiveCart(key);
  return readCart(em, quoteId);
}

/** The same with what it comes to now; nothing is locked, nothing written. Refusals as above and as of `priceCart`. */
export const findPricedCart = async (em: EntityManager, key: CartKey, pricing: Pricing): Promise<PricedCart> =>
  priceCart(em, await findCart(em, key), pricing);
