import { z } from 'zod';
import { findPricedCart } from '../../../db/platform/carts/find-cart.ts';
import { setShipping } from '../../../db/platform/carts/set-shipping.ts';
import { route } from '../../http/route.ts';
import { payload, text } from '../../wire/schemas.ts';
import { cartAddressPayload, toCartAddress } from './cart-address-payload.ts';
import { ownerOf, type CartWiring } from './cart-wiring.ts';
import { paymentAnswer, renderPaymentInformation } from './payment-answer.ts';

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
 * (platform facts 11). Safe to repeat.
 *
 * Refused with: 404 no active cart, a way of shipping the shop does not offer, an entry of somebody else's address book ·
 * 400 an empty or a virtual cart, an address the country's rules refuse.
 */
export const setShippingInformation = ({ sources }: CartWiring) =>
  route({
    method: 'POST',
    path: '/V1/carts/mine/shipping-information',
    acl: 'self',
    summary: "Say where the calling customer's cart goes, and how",
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
