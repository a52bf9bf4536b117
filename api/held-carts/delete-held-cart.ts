import { z } from 'zod';
import { deleteHeldCart } from '../../db/held-carts/delete-held-cart.ts';
import { route } from '../http/route.ts';
import { idParam } from '../wire/schemas.ts';

/** Removes a held cart (spec 4.4). */
export const deleteHeldCartRoute = route({
  method: 'DELETE',
  path: '/V1/pos/held-carts/:heldCartId',
  acl: 'Vendor_Pos::locations',
  summary: 'Remove a held cart',
  name: 'deleteHeldCart',
  description: 'Call it when the cart is sold or given up. A repeat is a 404.',
  outcomes: [
    {
      status: 404,
      message: 'Held cart with id %1 does not exist',
      when: 'It was deleted, or never there.',
      then: 'It is as you wish; go on.',
    },
  ],
  params: z.object({ heldCartId: idParam }),
  response: z.literal(true),

  async handle({ em, params }) {
    await deleteHeldCart(em, params.heldCartId);
    return true as const;
  },
});
