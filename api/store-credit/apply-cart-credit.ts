import { applyToCart } from '../../db/store-credit/apply-to-cart.ts';
import { route } from '../http/route.ts';
import { voidAnswer } from '../wire/schemas.ts';
import { noActiveCart } from '../wire/outcomes.ts';

/** Applies the calling customer's store credit to the cart. No money moves until the order is placed (spec 4.11). */
export const applyCartCredit = route({
  method: 'POST',
  path: '/V1/carts/mine/store-credit/apply',
  acl: 'self',
  summary: "Apply store credit to the calling customer's cart",
  name: 'applyCartCredit',
  description:
    'The credit pays when the order is placed; until then no money moves. It needs no body. A repeat changes nothing.',
  outcomes: [
    noActiveCart,
    { status: 400, message: 'There is no store credit to apply.', when: 'The wallet is empty.' },
  ],
  response: voidAnswer,

  async handle({ em, caller, store }): Promise<[]> {
    await applyToCart(em, { customerId: caller.userId, websiteId: store.websiteId });
    return [];
  },
});
