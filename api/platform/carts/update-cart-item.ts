import { z } from 'zod';
import { changeLine } from '../../../db/platform/carts/change-line.ts';
import { route } from '../../http/route.ts';
import { idParam } from '../../wire/schemas.ts';
import { cartItemAnswer, renderCartItem } from './cart-item-answer.ts';
import { cartItemPayload } from './cart-item-payload.ts';
import { ownerOf } from './cart-wiring.ts';
import { noActiveCart } from '../../wire/outcomes.ts';

/**
 * Sets how many a line of the calling customer's cart holds (platform facts 11); the line of the path counts, whatever
 * the body names.
 */
export const updateCartItem = route({
  method: 'PUT',
  path: '/V1/carts/mine/items/:itemId',
  acl: 'self',
  summary: "Change a line of the calling customer's cart",
  name: 'updateCartItem',
  description: `Sets how many the line holds. The line of the path counts, whatever the body names. A repeat changes
    nothing.`,
  outcomes: [
    noActiveCart,
    {
      status: 404,
      message: "The %1 Cart doesn't contain the %2 item.",
      when: 'The line is not in the cart, or was taken out.',
    },
    { status: 400, message: 'The requested qty is not available', when: 'The stock cannot promise so many.' },
  ],
  params: z.object({ itemId: idParam }),
  body: z.object({ cartItem: cartItemPayload }),
  response: cartItemAnswer,

  async handle({ em, caller, store, now, params: { itemId }, body: { cartItem } }) {
    const owner = ownerOf({ caller, store });
    return renderCartItem(await changeLine(em, owner, { itemId, qty: cartItem.qty, now }));
  },
});
