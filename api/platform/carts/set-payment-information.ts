import { z } from 'zod';
import { setPayment } from '../../../db/platform/carts/set-payment.ts';
import { route } from '../../http/route.ts';
import { ownerOf } from './cart-wiring.ts';
import { paymentInformation, toPaymentInformation } from './payment-method-payload.ts';

/**
 * Keeps how the calling customer's cart will be paid, without placing an order (platform facts 11). Safe to repeat.
 *
 * Refused with: 404 no active cart, a cart without products · 400 an address the country's rules refuse.
 */
export const setPaymentInformation = route({
  method: 'POST',
  path: '/V1/carts/mine/set-payment-information',
  acl: 'self',
  summary: "Say how the calling customer's cart will be paid",
  body: z.object(paymentInformation),
  response: z.literal(true),

  async handle({ em, caller, store, body }) {
    await setPayment(em, ownerOf({ caller, store }), toPaymentInformation(body));
    return true as const;
  },
});
