import { z } from 'zod';
import { placeCart } from '../../../db/platform/carts/place-cart.ts';
import type { CartKey } from '../../../db/platform/carts/lock-cart.ts';
import type { PaymentInformation } from '../../../db/platform/carts/set-payment.ts';
import { route, type AnyRoute, type Outcome, type RouteContext } from '../../http/route.ts';
import type { CartDoor } from './cart-door.ts';
import type { CartWiring } from './cart-wiring.ts';
import { changedOptions } from './cart-option-words.ts';
import { badAddress, empty, foreignEntry, notForSale, sentAddress } from './cart-words.ts';
import { paymentInformationOf, paymentMethodPayload, toPaymentInformation } from './payment-method-payload.ts';

const refused = (message: string, when: string): Outcome => ({ status: 400, message, when });

const refusals: readonly Outcome[] = [
  empty,
  {
    status: 404,
    message: "The coupon code isn't valid. Verify the code and try again.",
    when: 'The coupon of the cart is not good any more.',
    then: 'Take it out, or enter another.',
  },
  refused(
    'The shipping address is missing. Set the address and try again.',
    'The cart has goods to ship, but no shipping address.',
  ),
  refused('The billing address is missing. Set the address and try again.', 'The cart has no billing address.'),
  refused(
    'The shipping method is missing. Select the shipping method and try again.',
    'None was chosen, or the shop does not offer it any more.',
  ),
  refused('Enter a valid payment method and try again.', 'None was chosen.'),
  refused('The requested Payment Method is not available.', 'The shop does not offer it for this cart.'),
  refused('Purchase order number is a required field.', 'The method is `purchaseorder`, without `po_number`.'),
  ...notForSale,
  ...changedOptions,
];

const wrongEmail = (when: string) => refused('Email has a wrong format', when);

const description = `The cart becomes an order in one step: prices are worked out again, goods are promised, store credit is spent, the coupon
counts as used. Answers the order's id. Once: a repeat finds no active cart. A refusal leaves all as it was.`;

/**
 * The two routes that make a cart an order (platform facts 11, 12.2). One takes the payment method with it; the other can
 * use the one chosen before. Both answer the order's id.
 *
 * A repeat finds no active cart and is refused. Refused with: 404 no active cart, a cart without products, a coupon that
 * is no longer valid · 400 missing data, goods that cannot be bought, store credit that was spent meanwhile.
 */
export function placeCartRoutes(door: CartDoor, { sources, hooksFor }: CartWiring): readonly AnyRoute[] {
  const place = ({ em, caller, now, log }: RouteContext, key: CartKey, payment: PaymentInformation) =>
    placeCart(em, { key, ...payment, hooks: hooksFor(log, caller), sources, now });
  const params = z.object({ cartId: door.cartId });
  const paymentMethod = { method: 'checkmo' };
  return [
    route({
      method: 'POST',
      path: `${door.path}/payment-information`,
      acl: door.acl,
      name: `pay${door.kind}`,
      summary: `Pay ${door.whose} and place the order`,
      description,
      outcomes: [
        door.missing,
        ...refusals,
        foreignEntry,
        badAddress,
        wrongEmail('The e-mail is no address; a guest has to give one.'),
      ],
      examples: [
        {
          title: 'By cheque',
          params: door.example,
          body: {
            ...(door.kind === 'GuestCart' ? { email: 'ann@example.com' } : {}),
            ...{ paymentMethod, billingAddress: sentAddress },
          },
          response: 12,
        },
      ],
      params,
      body: paymentInformationOf(door),
      response: z.int(),

      handle: (call) => place(call, door.keyOf(call), toPaymentInformation(call.body)),
    }),
    route({
      method: 'PUT',
      path: `${door.path}/order`,
      acl: door.acl,
      name: `placeOrderOf${door.kind}`,
      summary: `Place the order of ${door.whose}`,
      description,
      outcomes: [
        door.missing,
        ...refusals,
        // A customer's e-mail is the account's.
        ...(door.kind === 'OwnCart' ? [] : [wrongEmail('The cart is a guest’s, and has no e-mail yet.')]),
      ],
      examples: [{ title: 'By cheque', params: door.example, body: { paymentMethod }, response: 12 }],
      params,
      body: z.object({ paymentMethod: paymentMethodPayload.optional() }),
      response: z.int(),

      handle: (call) => place(call, door.keyOf(call), toPaymentInformation(call.body)),
    }),
  ];
}
