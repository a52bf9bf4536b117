import { z } from 'zod';
import { holdCart, recallCart } from '../../db/held-carts/hold-cart.ts';
import { refuseCardData } from '../../domain/card-data.ts';
import { heldCartNotFound, heldCartNotSaved, heldCartRecalled } from '../../domain/refusals/register.ts';
import { heldCartAnswer, heldCartPayload, renderHeldCart } from '../held-carts.ts';
import { route } from '../http/route.ts';
import { markReplayed } from '../http/within.ts';
import { cardNumber, invalidField } from '../wire/outcomes.ts';
import { idParam, recordId } from '../wire/schemas.ts';

/** Resumes a held cart at this register (spec 4.4): one register wins, all others are refused. */
export const recallHeldCart = route({
  method: 'POST',
  path: '/V1/pos/held-carts/:heldCartId/recall',
  acl: 'Vendor_Pos::locations',
  summary: 'Take up a held cart',
  name: 'recallHeldCart',
  description: `One register wins; all others are refused. Lost the answer? The same person with the same token may
    send it again within ten minutes and gets the cart. Delete the held cart once it is sold. Whoever has it may park
    it anew. \`terminalId\` is the terminal that takes it up; left out, it is where the person signed in last.`,
  outcomes: [heldCartNotFound.because('It was deleted, or never there.', 'Read the list again.'), heldCartRecalled],
  params: z.object({ heldCartId: idParam }),
  body: z.object({ staffId: recordId, terminalId: recordId.optional() }),
  response: heldCartAnswer,

  async handle({ em, params, body, caller, setHeader }) {
    const recall = { ...params, ...body, caller: `${caller.userType} ${caller.userId}` };
    return renderHeldCart(await recallCart(em, recall, () => markReplayed({ setHeader })));
  },
});

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
  outcomes: [heldCartNotSaved, invalidField('The UUID has other characters, or a count is negative.'), cardNumber],
  body: z.object({ heldCart: heldCartPayload }),
  response: heldCartAnswer,

  async handle({ em, body, caller }) {
    refuseCardData(body.heldCart.holdComment);
    return renderHeldCart(await holdCart(em, { ...body.heldCart, caller: `${caller.userType} ${caller.userId}` }));
  },
});
