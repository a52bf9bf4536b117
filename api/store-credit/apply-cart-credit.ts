import { applyToCart } from '../../db/store-credit/apply-to-cart.ts';
import { route } from '../http/route.ts';
import { voidAnswer } from '../wire/schemas.ts';

/**
 * Applies the calling customer's store credit to the cart: it pays when the order is placed, and until then no money
 * moves (spec 4.11). Safe to repeat; the balance of that moment is noted. Nothing is read from a body.
 *
 * Refused with: 404 no active cart · 400 nothing in the wallet.
 */
export const applyCartCredit = route({
  method: 'POST',
  path: '/V1/carts/mine/store-credit/apply',
  acl: 'self',
  summary: "Apply store credit to the calling customer's cart",
  response: voidAnswer,

  async handle({ em, caller, store }): Promise<[]> {
    await applyToCart(em, { customerId: caller.userId, websiteId: store.websiteId });
    return [];
  },
});
