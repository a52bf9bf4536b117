import { z } from 'zod';
import { holdCart } from '../../db/held-carts/hold-cart.ts';
import { refuseCardData } from '../wire/refuse-card-data.ts';
import { route } from '../http/route.ts';
import { heldCartPayload } from './held-cart-payload.ts';
import { heldCartAnswer, renderHeldCart } from './render-held-cart.ts';

/**
 * Parks a cart for every register of a location (spec 4.4). The UUID is the cart: posted again it is the same row with
 * the new data, and whoever had recalled it still has it (our choice). It is answered as it was sent, and may be any id
 * that a client makes: 1 to 100 letters, digits and `. _ : ~ { } -`.
 *
 * Refused with: 400 no location, UUID or data, a negative count, data longer than 524 288 characters, card data in the
 * comment · 400 not saved.
 */
export const holdCartRoute = route({
  method: 'POST',
  path: '/V1/pos/held-carts',
  acl: 'Vendor_Pos::locations',
  summary: 'Park a cart',
  body: z.object({ heldCart: heldCartPayload }),
  response: heldCartAnswer,

  async handle({ em, body }) {
    refuseCardData(body.heldCart.holdComment);
    return renderHeldCart(await holdCart(em, body.heldCart));
  },
});
