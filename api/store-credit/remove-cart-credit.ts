import { removeFromCart } from '../../db/store-credit/apply-to-cart.ts';
import { route } from '../http/route.ts';
import { voidAnswer } from '../wire/schemas.ts';
import { noActiveCart } from '../wire/outcomes.ts';

/** Removes store credit from the calling customer's cart; no money moves (spec 4.11). */
export const removeCartCredit = route({
  method: 'POST',
  path: '/V1/carts/mine/store-credit/remove',
  acl: 'self',
  summary: "Take store credit off the calling customer's cart",
  name: 'removeCartCredit',
  description: 'No money moves. It needs no body. A repeat changes nothing.',
  outcomes: [noActiveCart],
  response: voidAnswer,

  async handle({ em, caller, store }): Promise<[]> {
    await removeFromCart(em, { customerId: caller.userId, websiteId: store.websiteId });
    return [];
  },
});
