import { findPricedCart } from '../../../db/platform/carts/find-cart.ts';
import { notFound } from '../../../domain/errors.ts';
import type { Surroundings } from '../../support/route.ts';
import { renderCartItems } from './cart-item-answer.ts';
import { ownerOf } from './cart-wiring.ts';

/** A line of the calling customer's cart as it is now. Refused with: 404 when somebody took it out in the meantime. */
export async function renderCartItem(
  { em, caller, store, now }: Pick<Surroundings, 'em' | 'caller' | 'store' | 'now'>,
  itemId: number,
) {
  const priced = await findPricedCart(em, ownerOf({ caller, store }), { sources: [], now });
  const item = renderCartItems(priced).find((one) => one.item_id === itemId);
  if (!item) throw notFound("The %1 Cart doesn't contain the %2 item.", [priced.cart.quoteId, itemId]);
  return item;
}
