import { z } from 'zod';
import { holdCart } from '../../db/held-carts/hold-cart.ts';
import { refuseCardData } from '../../domain/refuse-card-data.ts';
import { route } from '../http/route.ts';
import { heldCartPayload } from './held-cart-payload.ts';
import { heldCartAnswer, renderHeldCart } from './render-held-cart.ts';
import { cardNumber, invalidField } from '../wire/outcomes.ts';

/** Parks a cart for every register of a location (spec 4.4). */
export const holdCartRoute = route({
  method: 'POST',
  path: '/V1/pos/held-carts',
  acl: 'Vendor_Pos::locations',
  summary: 'Park a cart',
  name: 'holdCart',
  description: `The \`cart_uuid\` is the cart: posted again it is the same row with the new data. Posted by who took it
    up, it is parked anew and free: the same \`staff_id\`, or the terminal; where neither is named, the token. Posted by
    anybody else, the claim stays, and the answer shows it. The id is 1 to 100 letters, digits and
    \`. _ : ~ { } -\`. \`cart_data\` is the register’s own text of at most 524,288 characters; the server does not read
    it.`,
  outcomes: [
    {
      status: 400,
      message: 'Could not save the held cart: %1',
      when: 'The location, or what else the cart names, does not exist.',
    },
    invalidField('The UUID has other characters, or a count is negative.'),
    cardNumber,
  ],
  body: z.object({ heldCart: heldCartPayload }),
  response: heldCartAnswer,

  async handle({ em, body, caller }) {
    refuseCardData(body.heldCart.holdComment);
    return renderHeldCart(await holdCart(em, { ...body.heldCart, caller: `${caller.userType} ${caller.userId}` }));
  },
});
