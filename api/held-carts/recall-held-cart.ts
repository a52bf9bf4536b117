import { z } from 'zod';
import { recallCart } from '../../db/held-carts/recall-cart.ts';
import { route } from '../http/route.ts';
import { idParam, integer } from '../wire/schemas.ts';
import { tellReplay } from '../http/tell-replay.ts';
import { heldCartAnswer, renderHeldCart } from './render-held-cart.ts';

/**
 * Takes up a held cart at this register (spec 4.4): one register wins, all others are refused. Its own repeat, by the same
 * person with the same token within ten minutes, is answered the cart again.
 *
 * Refused with: 404 unknown id · 400 already recalled, with who has it and since when.
 */
export const recallHeldCart = route({
  method: 'POST',
  path: '/V1/pos/held-carts/:heldCartId/recall',
  acl: 'Vendor_Pos::locations',
  summary: 'Take up a held cart',
  params: z.object({ heldCartId: idParam }),
  body: z.object({ staffId: integer }),
  response: heldCartAnswer,

  async handle({ em, params, body, caller, setHeader }) {
    const recall = { ...params, ...body, caller: `${caller.userType} ${caller.userId}` };
    return renderHeldCart(await recallCart(em, recall, () => tellReplay({ setHeader })));
  },
});
