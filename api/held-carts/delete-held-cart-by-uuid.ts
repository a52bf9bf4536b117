import { z } from 'zod';
import { deleteHeldCartByUuid } from '../../db/held-carts/delete-held-cart.ts';
import { route } from '../http/route.ts';
import { cartUuid } from './held-cart-payload.ts';
import { invalidField } from '../wire/outcomes.ts';

/** Removes a held cart whose number the register does not know, because it parked it offline (spec 4.4). */
export const deleteHeldCartByUuidRoute = route({
  method: 'DELETE',
  path: '/V1/pos/held-carts/uuid/:cartUuid',
  acl: 'Vendor_Pos::locations',
  summary: 'Remove a held cart by its UUID',
  name: 'deleteHeldCartByUuid',
  description: `For a cart that was parked offline, whose number the register never heard. True whether or not the
    cart ever came, so a repeat is as good. A UUID is the same in capitals, in braces and without dashes.`,
  outcomes: [invalidField('It can be no id of a cart: it has other characters, or is longer than 100.')],
  params: z.object({ cartUuid }),
  response: z.literal(true),

  async handle({ em, params }) {
    await deleteHeldCartByUuid(em, params.cartUuid);
    return true as const;
  },
});
