import { z } from 'zod';
import { findPricedCart } from '../../../db/platform/carts/find-cart.ts';
import { route } from '../../http/route.ts';
import { ownerOf, type CartWiring } from './cart-wiring.ts';
import { paymentMethodAnswer, renderPaymentMethods } from './payment-answer.ts';
import { noActiveCart } from '../../wire/outcomes.ts';

/** How the calling customer's cart can be paid: `free` alone where nothing is left to pay (platform facts 11). */
export const listPaymentMethods = ({ sources }: CartWiring) =>
  route({
    method: 'GET',
    path: '/V1/carts/mine/payment-methods',
    acl: 'self',
    summary: "How the calling customer's cart can be paid",
    name: 'listPaymentMethods',
    description: `\`free\` alone where nothing is left to pay.`,
    outcomes: [noActiveCart],
    response: z.array(paymentMethodAnswer),

    handle: async ({ em, caller, store, now }) =>
      renderPaymentMethods(await findPricedCart(em, ownerOf({ caller, store }), { sources, now })),
  });
