import { z } from 'zod';
import { setBillingAddress as save } from '../../../db/platform/carts/save-cart-address.ts';
import { route } from '../../http/route.ts';
import { flag } from '../../wire/schemas.ts';
import { cartAddressPayload, toCartAddress } from './cart-address-payload.ts';
import { ownerOf } from './cart-wiring.ts';

/**
 * Says where the calling customer's cart is billed to, with `useForShipping` where it goes to as well (platform facts
 * 11); answers the address's id. Safe to repeat.
 *
 * Refused with: 404 no active cart, an entry of somebody else's address book · 400 an address the country's rules refuse.
 */
export const setBillingAddress = route({
  method: 'POST',
  path: '/V1/carts/mine/billing-address',
  acl: 'self',
  summary: "Say where the calling customer's cart is billed to",
  body: z.object({ address: cartAddressPayload, useForShipping: flag.default(false) }),
  response: z.int(),

  handle: ({ em, caller, store, body: { address, useForShipping } }) =>
    save(em, ownerOf({ caller, store }), { address: toCartAddress(address), isShippedThere: useForShipping }),
});
