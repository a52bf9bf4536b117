import { z } from 'zod';
import { findPricedCart } from '../../../db/platform/carts/find-cart.ts';
import { invalid } from '../../../domain/errors.ts';
import { route } from '../../http/route.ts';
import { ownerOf } from './cart-wiring.ts';
import { renderShippingMethods, shippingMethodAnswer } from './shipping-method-answer.ts';
import { noActiveCart } from '../../wire/outcomes.ts';

/**
 * How the calling customer's cart can be shipped to the address it has; nothing for an empty or a virtual one
 * (platform facts 11).
 */
export const listShippingMethods = route({
  method: 'GET',
  path: '/V1/carts/mine/shipping-methods',
  acl: 'self',
  summary: "How the calling customer's cart can be shipped",
  name: 'listShippingMethods',
  description: `For the address that the cart has; empty for an empty or a virtual cart. Amounts without \`base_\`
    are in the cart’s currency.`,
  outcomes: [
    noActiveCart,
    {
      status: 400,
      message: 'The shipping address is missing. Set the address and try again.',
      when: 'The cart has no address yet.',
    },
  ],
  response: z.array(shippingMethodAnswer),

  async handle({ em, caller, store, now }) {
    const priced = await findPricedCart(em, ownerOf({ caller, store }), { sources: [], now });
    const { lines, isVirtual, shipping } = priced.cart;
    if (lines.length > 0 && !isVirtual && !shipping)
      throw invalid('The shipping address is missing. Set the address and try again.');
    return renderShippingMethods(priced);
  },
});
