import { findPricedCart } from '../../../db/platform/carts/find-cart.ts';
import { route } from '../../http/route.ts';
import { ownerOf, type CartWiring } from './cart-wiring.ts';
import { paymentAnswer, renderPaymentInformation } from './payment-answer.ts';
import { noActiveCart } from '../../wire/outcomes.ts';

/** How the calling customer's cart can be paid, and what it comes to (platform facts 11). */
export const getPaymentInformation = ({ sources }: CartWiring) =>
  route({
    method: 'GET',
    path: '/V1/carts/mine/payment-information',
    acl: 'self',
    summary: "Payment methods and totals of the calling customer's cart",
    name: 'getPaymentInformation',
    description: 'How the cart can be paid, and what it comes to.',
    outcomes: [noActiveCart],
    response: paymentAnswer,

    handle: async ({ em, caller, store, now }) =>
      renderPaymentInformation(await findPricedCart(em, ownerOf({ caller, store }), { sources, now })),
  });
