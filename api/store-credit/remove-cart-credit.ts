import { removeFromCart } from '../../db/store-credit/apply-to-cart.ts';
import { route } from '../http/route.ts';
import { voidAnswer } from '../wire/schemas.ts';

/**
 * Takes store credit off the calling customer's cart; no money moves (spec 4.11). Safe to repeat. Nothing is read from a
 * body. Refused with: 404 no active cart.
 */
export const removeCartCredit = route({
  method: 'POST',
  path: '/V1/carts/mine/store-credit/remove',
  acl: 'self',
  summary: "Take store credit off the calling customer's cart",
  response: voidAnswer,

  async handle({ em, caller, store }): Promise<[]> {
    await removeFromCart(em, { customerId: caller.userId, websiteId: store.websiteId });
    return [];
  },
});
