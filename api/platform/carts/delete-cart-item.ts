import { z } from 'zod';
import { removeLine } from '../../../db/platform/carts/change-line.ts';
import { route } from '../../http/route.ts';
import { idParam } from '../../wire/schemas.ts';
import { ownerOf } from './cart-wiring.ts';
import { noActiveCart } from '../../wire/outcomes.ts';

/** Takes a line out of the calling customer's cart (platform facts 11). */
export const deleteCartItem = route({
  method: 'DELETE',
  path: '/V1/carts/mine/items/:itemId',
  acl: 'self',
  summary: "Take a line out of the calling customer's cart",
  name: 'deleteCartItem',
  description: 'A repeat is a 404.',
  outcomes: [
    noActiveCart,
    {
      status: 404,
      message: "The %1 Cart doesn't contain the %2 item.",
      when: 'The line is not in the cart, or was taken out.',
    },
  ],
  params: z.object({ itemId: idParam }),
  response: z.literal(true),

  async handle({ em, caller, store, params: { itemId } }) {
    await removeLine(em, ownerOf({ caller, store }), itemId);
    return true as const;
  },
});
