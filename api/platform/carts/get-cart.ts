import { findCartId, noSuchCart } from '../../../db/platform/carts/lock-cart.ts';
import { priceCart } from '../../../db/platform/carts/price-cart.ts';
import { readCart } from '../../../db/platform/carts/read-cart.ts';
import { route } from '../../http/route.ts';
import { cartAnswer } from './cart-answer.ts';
import { ownerOf } from './cart-wiring.ts';
import { renderCart } from './render-cart.ts';

/** The calling customer's cart (platform facts 11). */
export const getCart = route({
  method: 'GET',
  path: '/V1/carts/mine',
  acl: 'self',
  summary: "The calling customer's cart",
  name: 'getCart',
  description: 'The cart with its lines and addresses. What it comes to is in the totals.',
  outcomes: [
    {
      status: 404,
      message: 'No such entity with %fieldName = %fieldValue',
      when: 'The customer has no active cart.',
      then: 'Open one.',
    },
  ],
  response: cartAnswer,

  async handle({ em, caller, store, now }) {
    const owner = ownerOf({ caller, store });
    const quoteId = await findCartId(em, owner);
    if (quoteId === undefined) throw noSuchCart(owner);
    return renderCart(await priceCart(em, await readCart(em, quoteId), { sources: [], now }));
  },
});
