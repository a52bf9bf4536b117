import { z } from 'zod';
import { recallCart } from '../../db/held-carts/recall-cart.ts';
import { route } from '../support/route.ts';
import { idParam, integer } from '../support/schemas.ts';
import { heldCartAnswer, renderHeldCart } from './render-held-cart.ts';

/**
 * Takes up a held cart at this register (spec 4.4): one register wins, every later call is refused, its own repeat too.
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

  handle: async ({ em, params, body }) => renderHeldCart(await recallCart(em, { ...params, ...body })),
});
