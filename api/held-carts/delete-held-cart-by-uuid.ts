import { z } from 'zod';
import { deleteHeldCartByUuid } from '../../db/held-carts/delete-held-cart.ts';
import { route } from '../http/route.ts';
import { cartUuid } from './held-cart-payload.ts';

/**
 * Removes a held cart whose number the register does not know, because it parked it offline (spec 4.4). True whether or
 * not the cart ever came (our choice), so a repeat is as good. A UUID is the same in capitals, in braces and without dashes.
 * Refused with: 400 what can be no client's id.
 */
export const deleteHeldCartByUuidRoute = route({
  method: 'DELETE',
  path: '/V1/pos/held-carts/uuid/:cartUuid',
  acl: 'Vendor_Pos::locations',
  summary: 'Remove a held cart by its UUID',
  params: z.object({ cartUuid }),
  response: z.literal(true),

  async handle({ em, params }) {
    await deleteHeldCartByUuid(em, params.cartUuid);
    return true as const;
  },
});
