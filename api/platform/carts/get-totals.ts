import { findPricedCart } from '../../../db/platform/carts/find-cart.ts';
import { route } from '../../http/route.ts';
import { ownerOf, type CartWiring } from './cart-wiring.ts';
import { renderTotals } from './render-totals.ts';
import { totalsAnswer } from './totals-answer.ts';

/**
 * What the calling customer's cart comes to, worked out now (platform facts 11). Refused with: 404 no active cart · 400
 * a cart worth more than can be counted.
 */
export const getTotals = ({ sources }: CartWiring) =>
  route({
    method: 'GET',
    path: '/V1/carts/mine/totals',
    acl: 'self',
    summary: "What the calling customer's cart comes to",
    response: totalsAnswer,

    handle: async ({ em, caller, store, now }) =>
      renderTotals(await findPricedCart(em, ownerOf({ caller, store }), { sources, now })),
  });
