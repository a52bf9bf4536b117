import { findPricedCart } from '../../../db/platform/carts/find-cart.ts';
import { route } from '../../http/route.ts';
import { ownerOf, type CartWiring } from './cart-wiring.ts';
import { renderTotals } from './render-totals.ts';
import { totalsAnswer } from './totals-answer.ts';
import { noActiveCart } from '../../wire/outcomes.ts';

/** What the calling customer's cart comes to, worked out now (platform facts 11). */
export const getTotals = ({ sources }: CartWiring) =>
  route({
    method: 'GET',
    path: '/V1/carts/mine/totals',
    acl: 'self',
    summary: "What the calling customer's cart comes to",
    name: 'getCartTotals',
    description: `What the cart comes to. Discounts and store credit are below zero. \`grand_total\` is the full
      price; \`amount_to_pay\` is what credit leaves of it. Amounts with \`base_\` are in the base currency, all
      others in the cart’s.`,
    outcomes: [noActiveCart],
    response: totalsAnswer,

    handle: async ({ em, caller, store, now }) =>
      renderTotals(await findPricedCart(em, ownerOf({ caller, store }), { sources, now })),
  });
