import { z } from 'zod';
import { recallCart } from '../../db/held-carts/recall-cart.ts';
import { route } from '../http/route.ts';
import { idParam, integer } from '../wire/schemas.ts';
import { markReplayed } from '../http/mark-replayed.ts';
import { heldCartAnswer, renderHeldCart } from './render-held-cart.ts';

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
  outcomes: [
    {
      status: 404,
      message: 'Held cart with id %1 does not exist',
      when: 'It was deleted, or never there.',
      then: 'Read the list again.',
    },
    {
      status: 400,
      message: 'The held cart was already recalled by %1 at %2.',
      when: 'Another register has it; the parameters say who, and since when.',
      then: 'Show the sentence. Read the list again.',
    },
  ],
  params: z.object({ heldCartId: idParam }),
  body: z.object({ staffId: integer, terminalId: integer.optional() }),
  response: heldCartAnswer,

  async handle({ em, params, body, caller, setHeader }) {
    const recall = { ...params, ...body, caller: `${caller.userType} ${caller.userId}` };
    return renderHeldCart(await recallCart(em, recall, () => markReplayed({ setHeader })));
  },
});
