import { z } from 'zod';
import { changeLine } from '../../../db/platform/carts/change-line.ts';
import { route } from '../../http/route.ts';
import { idParam } from '../../wire/schemas.ts';
import { cartItemAnswer, renderCartItem } from './cart-item-answer.ts';
import { cartItemPayload } from './cart-item-payload.ts';
import { ownerOf } from './cart-wiring.ts';

/**
 * Sets how many a line of the calling customer's cart holds (platform facts 11); the line of the path counts, whatever
 * the body names. Safe to repeat.
 *
 * Refused with: 404 no active cart, a line that is not in it · 400 as when it is put in.
 */
export const updateCartItem = route({
  method: 'PUT',
  path: '/V1/carts/mine/items/:itemId',
  acl: 'self',
  summary: "Change a line of the calling customer's cart",
  params: z.object({ itemId: idParam }),
  body: z.object({ cartItem: cartItemPayload }),
  response: cartItemAnswer,

  async handle({ em, caller, store, now, params: { itemId }, body: { cartItem } }) {
    const owner = ownerOf({ caller, store });
    return renderCartItem(await changeLine(em, owner, { itemId, qty: cartItem.qty, now }));
  },
});
