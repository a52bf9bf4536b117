import { z } from 'zod';
import { findPricedCart } from '../../../db/platform/carts/find-cart.ts';
import { route } from '../../http/route.ts';
import { cartAddressPayload } from './cart-address-payload.ts';
import { ownerOf } from './cart-wiring.ts';
import { renderShippingMethods, shippingMethodAnswer } from './shipping-method-answer.ts';
import { noActiveCart } from '../../wire/outcomes.ts';

/** How the calling customer's cart could be shipped to an address, which is not kept (platform facts 11). */
export const estimateShippingMethods = route({
  method: 'POST',
  path: '/V1/carts/mine/estimate-shipping-methods',
  acl: 'self',
  summary: "How the calling customer's cart could be shipped to an address",
  name: 'estimateShippingMethods',
  description: 'For an address that is not kept.',
  outcomes: [noActiveCart],
  body: z.object({ address: cartAddressPayload }),
  response: z.array(shippingMethodAnswer),

  handle: async ({ em, caller, store, now }) =>
    renderShippingMethods(await findPricedCart(em, ownerOf({ caller, store }), { sources: [], now })),
});
