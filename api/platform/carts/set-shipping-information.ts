import { z } from 'zod';
import { findPricedCart } from '../../../db/platform/carts/find-cart.ts';
import { setShipping } from '../../../db/platform/carts/set-shipping.ts';
import { route } from '../../http/route.ts';
import { payload, text } from '../../wire/schemas.ts';
import { cartAddressPayload, toCartAddress } from './cart-address-payload.ts';
import { ownerOf, type CartWiring } from './cart-wiring.ts';
import { paymentAnswer, renderPaymentInformation } from './payment-answer.ts';
import { noActiveCart } from '../../wire/outcomes.ts';

const addressInformation = payload({
  shippingAddress: cartAddressPayload,
  billingAddress: cartAddressPayload.optional(),
  shippingMethodCode: text(120),
  shippingCarrierCode: text(120),
  extensionAttributes: z.unknown().optional(),
  customAttributes: z.unknown().optional(),
});

/**
 * Says where the calling customer's cart goes and how, and answers how it can be paid and what it comes to then
 * (platform facts 11).
 */
export const setShippingInformation = ({ sources }: CartWiring) =>
  route({
    method: 'POST',
    path: '/V1/carts/mine/shipping-information',
    acl: 'self',
    summary: "Say where the calling customer's cart goes, and how",
    name: 'setShippingInformation',
    description: `Says where the cart goes and how, and answers how it can be paid and what it comes to then. A
      repeat changes nothing.`,
    outcomes: [
      noActiveCart,
      { status: 404, message: 'Carrier with such method not found: %1, %2', when: 'The shop does not ship that way.' },
      {
        status: 404,
        message: 'Invalid customer address id %1',
        when: 'The address book of this customer has no such entry.',
      },
      {
        status: 400,
        message: "The shipping method can't be set for an empty cart. Add an item to cart and try again.",
        when: 'The cart is empty.',
      },
      {
        status: 400,
        message: 'The Cart includes virtual product(s) only, so a shipping address is not used.',
        when: 'Nothing of it is shipped.',
      },
      {
        status: 400,
        message: 'Invalid value of "%value" provided for the %fieldName field.',
        when: 'A country, a region or a postcode that cannot be.',
      },
    ],
    body: z.object({ addressInformation }),
    response: paymentAnswer,

    async handle({ em, caller, store, now, body: { addressInformation: given } }) {
      const owner = ownerOf({ caller, store });
      await setShipping(em, owner, {
        address: toCartAddress(given.shippingAddress),
        billingAddress: given.billingAddress && toCartAddress(given.billingAddress),
        carrierCode: given.shippingCarrierCode,
        methodCode: given.shippingMethodCode,
        now,
      });
      return renderPaymentInformation(await findPricedCart(em, owner, { sources, now }));
    },
  });
