import { z } from 'zod';
import { changeLine } from '../../../db/platform/carts/change-line.ts';
import { putInCart } from '../../../db/platform/carts/put-in-cart.ts';
import { fieldRequired } from '../../../domain/errors.ts';
import { route } from '../../http/route.ts';
import { cartItemAnswer, renderCartItem } from './cart-item-answer.ts';
import { cartItemPayload } from './cart-item-payload.ts';
import { ownerOf } from './cart-wiring.ts';

/**
 * Puts a product into the calling customer's cart: what it holds of it already grows (platform facts 11). Each call adds;
 * with an `item_id` the line is set instead.
 *
 * Refused with: 404 no active cart, an unknown product, a line that is not in the cart · 400 a quantity that is none, a
 * product that may not be bought, more than there is, a full cart.
 */
export const addCartItem = route({
  method: 'POST',
  path: '/V1/carts/mine/items',
  acl: 'self',
  summary: "Put a product into the calling customer's cart",
  body: z.object({ cartItem: cartItemPayload }),
  response: cartItemAnswer,

  async handle({ em, caller, store, now, body: { cartItem } }) {
    const owner = ownerOf({ caller, store });
    const { itemId, sku, qty } = cartItem;
    if (itemId !== undefined) return renderCartItem(await changeLine(em, owner, { itemId, qty, now }));
    if (sku === undefined) throw fieldRequired('sku');
    return renderCartItem(await putInCart(em, owner, { sku, qty, now }));
  },
});
