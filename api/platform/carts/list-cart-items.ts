import { z } from 'zod';
import { findPricedCart } from '../../../db/platform/carts/find-cart.ts';
import { route } from '../../http/route.ts';
import { cartItemAnswer, renderCartItems } from './cart-item-answer.ts';
import { ownerOf } from './cart-wiring.ts';

/** The lines of the calling customer's cart, as a plain list (platform facts 3.5, 11). Refused with: 404 no active cart. */
export const listCartItems = route({
  method: 'GET',
  path: '/V1/carts/mine/items',
  acl: 'self',
  summary: "The lines of the calling customer's cart",
  response: z.array(cartItemAnswer),

  handle: async ({ em, caller, store, now }) =>
    renderCartItems(await findPricedCart(em, ownerOf({ caller, store }), { sources: [], now })),
});
