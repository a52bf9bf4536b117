import { z } from 'zod';
import { setPayment } from '../../../db/platform/carts/set-payment.ts';
import { route } from '../../http/route.ts';
import { ownerOf } from './cart-wiring.ts';
import { paymentInformation, toPaymentInformation } from './payment-method-payload.ts';
import { noActiveCart } from '../../wire/outcomes.ts';

/** Keeps how the calling customer's cart will be paid, without placing an order (platform facts 11). */
export const setPaymentInformation = route({
  method: 'POST',
  path: '/V1/carts/mine/set-payment-information',
  acl: 'self',
  summary: "Say how the calling customer's cart will be paid",
  name: 'setPaymentInformation',
  description: 'Keeps the method without placing the order. A repeat changes nothing.',
  outcomes: [
    noActiveCart,
    { status: 404, message: `The "%1" Cart doesn't contain products.`, when: 'The cart is empty.' },
    {
      status: 400,
      message: 'Invalid value of "%value" provided for the %fieldName field.',
      when: 'A country, a region or a postcode that cannot be.',
    },
  ],
  body: z.object(paymentInformation),
  response: z.literal(true),

  async handle({ em, caller, store, body }) {
    await setPayment(em, ownerOf({ caller, store }), toPaymentInformation(body));
    return true as const;
  },
});
