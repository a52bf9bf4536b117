import { z } from 'zod';
import { placeCart } from '../../../db/platform/carts/place-cart.ts';
import type { PaymentInformation } from '../../../db/platform/carts/set-payment.ts';
import { noActiveCart } from '../../wire/outcomes.ts';
import { route, type Outcome, type Surroundings } from '../../http/route.ts';
import { ownerOf, type CartWiring } from './cart-wiring.ts';
import { paymentInformation, paymentMethodPayload, toPaymentInformation } from './payment-method-payload.ts';

/** What both are refused with. */
const outcomes: readonly Outcome[] = [
  noActiveCart,
  { status: 404, message: 'The "%1" Cart doesn\'t contain products.', when: 'The cart is empty.' },
  {
    status: 404,
    message: "The coupon code isn't valid. Verify the code and try again.",
    when: 'The coupon is not good any more.',
    then: 'Take it out, and show the new total.',
  },
  { status: 400, message: 'The requested qty is not available', when: 'The stock cannot promise so many any more.' },
  {
    status: 400,
    message: 'The shipping address is missing. Set the address and try again.',
    when: 'An address, a way of shipping or a payment method is missing; the sentence says which.',
  },
  {
    status: 400,
    message: 'The requested Payment Method is not available.',
    when: 'The shop does not take it for this cart.',
    then: 'Read the payment methods again.',
  },
  {
    status: 400,
    message: 'Your store credit has changed: it was %1 and is %2. Apply it to the cart again.',
    when: 'Store credit that the cart counts on is not there any more.',
  },
];

/**
 * The two routes that make the calling customer's cart an order (platform facts 11, 12.2): one takes the payment
 * along, the other may rely on what was said before.
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
      name: 'payCart',
      description:
        'Answers the id of the order. Once: a repeat finds no active cart and is refused. Send an `Idempotency-Key`.',
      outcomes,
      body: z.object(paymentInformation),
      response: z.int(),

      handle: (call) => place(call, toPaymentInformation(call.body)),
    }),
    route({
      method: 'PUT',
      path: '/V1/carts/mine/order',
      acl: 'self',
      summary: "Place the order of the calling customer's cart",
      name: 'placeCart',
      description: `As \`POST …/payment-information\`, but the payment method may have been said before. Answers the
        id of the order.`,
      outcomes,
      body: z.object({ paymentMethod: paymentMethodPayload.optional() }),
      response: z.int(),

      handle: (call) => place(call, toPaymentInformation(call.body)),
    }),
  ];
}
