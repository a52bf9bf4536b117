import type { EntityManager } from '@mikro-orm/postgresql';
import { findCartId, noActiveCart, type CartKey } from './lock-cart.ts';
import { priceCart, type PricedCart, type Pricing } from './price-cart.ts';
import { readCart, type Cart } from './read-cart.ts';

/** An active cart with what was chosen for it. Refused with: 404 no active cart. */
export async function findCart(em: EntityManager, key: CartKey): Promise<Cart> {
  const quoteId = await findCartId(em, key);
  if (quoteId === undefined) throw noActiveCart(key);
  return readCart(em, quoteId);
}

/** The same with its current figures. It locks and writes nothing. Refused as above and as `priceCart`. */
export const findPricedCart = async (em: EntityManager, key: CartKey, pricing: Pricing): Promise<PricedCart> =>
  priceCart(em, await findCart(em, key), pricing);
