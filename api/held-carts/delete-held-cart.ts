import { z } from 'zod';
import { deleteHeldCart } from '../../db/held-carts/delete-held-cart.ts';
import { route } from '../http/route.ts';
import { idParam } from '../wire/schemas.ts';

/** Removes a held cart (spec 4.4). Refused with: 404 unknown id, hence also a repeat. */
export const deleteHeldCartRoute = route({
  method: 'DELETE',
  path: '/V1/pos/held-carts/:heldCartId',
  acl: 'Vendor_Pos::locations',
  summary: 'Remove a held cart',
  params: z.object({ heldCartId: idParam }),
  response: z.literal(true),

  async handle({ em, params }) {
    await deleteHeldCart(em, params.heldCartId);
    return true as const;
  },
});
