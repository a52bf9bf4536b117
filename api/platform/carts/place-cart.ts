import { z } from 'zod';
import { placeCart } from '../../../db/platform/carts/place-cart.ts';
import type { PaymentInformation } from '../../../db/platform/carts/set-payment.ts';
import { route, type Surroundings } from '../../http/route.ts';
import { ownerOf, type CartWiring } from './cart-wiring.ts';
import { paymentInformation, paymentMethodPayload, toPaymentInformation } from './payment-method-payload.ts';

/**
 * The two routes that make the calling customer's cart an order (platform facts 11, 12.2): one takes the payment along,
 * the other may rely on what was said before. Both answer the order's id.
 *
 * Once: a repeat finds no active cart and is refused. Refused with: 404 no active cart, a cart without products, a coupon
 * that is not good any more · 400 what is missing or not to be had, store credit that is not there any more.
 */
export function placeCartRoutes({ sources, hooksFor }: CartWiring) {
  const place = ({ em, caller, store, now, log }: Surroundings, payment: PaymentInformation) =>
    placeCart(em, { owner: ownerOf({ caller, store }), ...payment, hooks: hooksFor(log, caller), sources, now });
  return [
    route({
      method: 'POST',
      path: '/V1/carts/mine/payment-information',
      acl: 'self',
      summary: "Pay the calling customer's cart and place the order",
      body: z.object(paymentInformation),
      response: z.int(),

      handle: (call) => place(call, toPaymentInformation(call.body)),
    }),
    route({
      method: 'PUT',
      path: '/V1/carts/mine/order',
      acl: 'self',
      summary: "Place the order of the calling customer's cart",
      body: z.object({ paymentMethod: paymentMethodPayload.optional() }),
      response: z.int(),

      handle: (call) => place(call, toPaymentInformation(call.body)),
    }),
  ];
}
