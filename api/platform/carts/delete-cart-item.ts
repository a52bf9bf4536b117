import { z } from 'zod';
import { removeLine } from '../../../db/platform/carts/change-line.ts';
import { route } from '../../http/route.ts';
import { idParam } from '../../wire/schemas.ts';
import { ownerOf } from './cart-wiring.ts';

/**
 * Takes a line out of the calling customer's cart (platform facts 11). Refused with: 404 no active cart, a line that is
 * not in it, as on a repeat.
 */
export const deleteCartItem = route({
  method: 'DELETE',
  path: '/V1/carts/mine/items/:itemId',
  acl: 'self',
  summary: "Take a line out of the calling customer's cart",
  params: z.object({ itemId: idParam }),
  response: z.literal(true),

  async handle({ em, caller, store, params: { itemId } }) {
    await removeLine(em, ownerOf({ caller, store }), itemId);
    return true as const;
  },
});
