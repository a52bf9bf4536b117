import { z } from 'zod';
import { findPricedCart } from '../../../db/platform/carts/find-cart.ts';
import { requireEntryOf } from '../../../db/platform/carts/save-cart-address.ts';
import { setShipping } from '../../../db/platform/carts/set-shipping.ts';
import { invalid } from '../../../domain/errors.ts';
import { route, type AnyRoute, type Outcome } from '../../http/route.ts';
import { integer, payload, text } from '../../wire/schemas.ts';
import { cartAddressPayload, toCartAddress } from './cart-address-payload.ts';
import type { CartDoor } from './cart-door.ts';
import type { CartWiring } from './cart-wiring.ts';
import {
  badAddress,
  exampleMethod,
  examplePayments,
  exampleTotals,
  foreignEntry,
  sentAddress,
  tooMuch,
} from './cart-words.ts';
import { paymentAnswer, renderPaymentInformation } from './payment-answer.ts';
import { renderShippingMethods, shippingMethodAnswer } from './shipping-method-answer.ts';

const noAddress: Outcome = {
  status: 400,
  message: 'The shipping address is missing. Set the address and try again.',
  when: 'The cart has no shipping address yet.',
};

/**
 * The ways to ship a cart to its address; an empty list for an empty or a virtual cart (platform facts 11). Refused
 * with: 404 no active cart · 400 no shipping address.
 */
const listShippingMethods = ({ path, acl, keyOf, ...door }: CartDoor) =>
  route({
    ...{ method: 'GET', acl },
    path: `${path}/shipping-methods`,
    name: `listShippingMethodsOf${door.kind}`,
    summary: `How ${door.whose} can be shipped`,
    description: "Amounts are without tax, `amount` in the cart's currency. Empty for what is not shipped.",
    outcomes: [door.missing, noAddress, tooMuch],
    examples: [{ title: 'One way', params: door.example, response: [exampleMethod] }],
    params: z.object({ cartId: door.cartId }),
    response: z.array(shippingMethodAnswer),

    async handle(call) {
      const priced = await findPricedCart(call.em, keyOf(call), { sources: [], now: call.now });
      const { lines, isVirtual, shipping } = priced.cart;
      if (lines.length > 0 && !isVirtual && !shipping) throw invalid(noAddress.message);
      return renderShippingMethods(priced);
    },
  });

/**
 * The ways to ship a cart to a given address, which is not stored (platform facts 11). Refused with: 404 no active
 * cart.
 */
const estimateShipping = ({ path, acl, keyOf, ...door }: CartDoor) =>
  route({
    ...{ method: 'POST', acl },
    path: `${path}/estimate-shipping-methods`,
    name: `estimateShippingOf${door.kind}`,
    summary: `How ${door.whose} could be shipped to an address`,
    description: 'Nothing is kept of the address. Amounts are as in the list of shipping methods.',
    outcomes: [door.missing, tooMuch],
    examples: [{ title: 'To Troy', params: door.example, body: { address: sentAddress }, response: [exampleMethod] }],
    params: z.object({ cartId: door.cartId }),
    body: z.object({ address: cartAddressPayload }),
    response: z.array(shippingMethodAnswer),

    handle: async (call) =>
      renderShippingMethods(await findPricedCart(call.em, keyOf(call), { sources: [], now: call.now })),
  });

/**
 * The same for an address of the customer's book. Refused with: 404 no active cart, an unknown entry of this customer.
 */
const estimateByAddressId = ({ path, acl, keyOf, ...door }: CartDoor) =>
  route({
    ...{ method: 'POST', acl },
    path: `${path}/estimate-shipping-methods-by-address-id`,
    name: `estimateShippingToEntryOf${door.kind}`,
    summary: `How ${door.whose} could be shipped to an entry of the address book`,
    description: 'The entry is one of the customer whose cart it is. Nothing is kept of it.',
    outcomes: [door.missing, foreignEntry, tooMuch],
    examples: [{ title: 'Home', params: door.example, body: { addressId: 1 }, response: [exampleMethod] }],
    params: z.object({ cartId: door.cartId }),
    body: z.object({ addressId: integer }),
    response: z.array(shippingMethodAnswer),

    async handle(call) {
      const priced = await findPricedCart(call.em, keyOf(call), { sources: [], now: call.now });
      await requireEntryOf(call.em, priced.cart.customerId, call.body.addressId);
      return renderShippingMethods(priced);
    },
  });

const addressInformation = payload({
  shippingAddress: cartAddressPayload,
  billingAddress: cartAddressPayload.optional(),
  shippingMethodCode: text(120),
  shippingCarrierCode: text(120),
  extensionAttributes: z.unknown().optional(),
  customAttributes: z.unknown().optional(),
});

/**
 * Sets a cart's shipping address and its way to ship. Answers the payment methods and the totals (platform facts 11).
 * Safe to repeat.
 *
 * Refused with: 404 no active cart, a way to ship that is not offered, an entry of another customer's address book ·
 * 400 an empty or a virtual cart, an address the country's rules refuse.
 */
const setShippingInformation = ({ path, acl, keyOf, ...door }: CartDoor, { sources }: CartWiring) =>
  route({
    ...{ method: 'POST', acl },
    path: `${path}/shipping-information`,
    name: `setShippingInformationOf${door.kind}`,
    summary: `Say where ${door.whose} goes, and how`,
    description: 'Answers the payment methods and the totals of the cart. A repeat changes nothing.',
    outcomes: [
      door.missing,
      { status: 404, message: 'Carrier with such method not found: %1, %2', when: 'The shop does not offer this way.' },
      foreignEntry,
      badAddress,
      noAddress,
      {
        status: 400,
        message: 'The Cart includes virtual product(s) only, so a shipping address is not used.',
        when: 'Nothing in the cart is shipped.',
      },
      {
        status: 400,
        message: "The shipping method can't be set for an empty cart. Add an item to cart and try again.",
        when: 'Nothing is in the cart.',
      },
    ],
    examples: [
      {
        title: 'To Troy, at a flat rate',
        params: door.example,
        body: {
          addressInformation: {
            ...{ shipping_address: sentAddress, billing_address: sentAddress },
            ...{ shipping_carrier_code: 'flatrate', shipping_method_code: 'flatrate' },
          },
        },
        response: { payment_methods: examplePayments, totals: exampleTotals },
      },
    ],
    params: z.object({ cartId: door.cartId }),
    body: z.object({ addressInformation }),
    response: paymentAnswer,

    async handle(call) {
      const { em, now } = call;
      const given = call.body.addressInformation;
      await setShipping(em, keyOf(call), {
        address: toCartAddress(given.shippingAddress),
        billingAddress: given.billingAddress && toCartAddress(given.billingAddress),
        carrierCode: given.shippingCarrierCode,
        methodCode: given.shippingMethodCode,
        now,
      });
      return renderPaymentInformation(await findPricedCart(em, keyOf(call), { sources, now }));
    },
  });

/** Routes of a cart's shipping. */
export const cartShippingRoutes = (door: CartDoor, wiring: CartWiring): readonly AnyRoute[] => [
  listShippingMethods(door),
  estimateShipping(door),
  ...(door.kind === 'GuestCart' ? [] : [estimateByAddressId(door)]),
  setShippingInformation(door, wiring),
];
