import { z } from 'zod';
import { findPricedCart } from '../../../db/platform/carts/find-cart.ts';
import { route } from '../../http/route.ts';
import { cartItemAnswer, renderCartItems } from './cart-item-answer.ts';
import { ownerOf } from './cart-wiring.ts';
import { noActiveCart } from '../../wire/outcomes.ts';

/** The lines of the calling customer's cart, as a plain list (platform facts 3.5, 11). */
export const listCartItems = route({
  method: 'GET',
  path: '/V1/carts/mine/items',
  acl: 'self',
  summary: "The lines of the calling customer's cart",
  name: 'listCartItems',
  description: 'A plain list. Prices are of one piece, without tax, in the cart’s currency.',
  outcomes: [noActiveCart],
  response: z.array(cartItemAnswer),

  handle: async ({ em, caller, store, now }) =>
    renderCartItems(await findPricedCart(em, ownerOf({ caller, store }), { sources: [], now })),
});
