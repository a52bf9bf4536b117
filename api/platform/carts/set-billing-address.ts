import { z } from 'zod';
import { setBillingAddress as save } from '../../../db/platform/carts/save-cart-address.ts';
import { route } from '../../http/route.ts';
import { flag } from '../../wire/schemas.ts';
import { cartAddressPayload, toCartAddress } from './cart-address-payload.ts';
import { ownerOf } from './cart-wiring.ts';
import { noActiveCart } from '../../wire/outcomes.ts';

/**
 * Says where the calling customer's cart is billed to, with `useForShipping` where it goes to as well (platform facts
 * 11); answers the address's id.
 */
export const setBillingAddress = route({
  method: 'POST',
  path: '/V1/carts/mine/billing-address',
  acl: 'self',
  summary: "Say where the calling customer's cart is billed to",
  name: 'setBillingAddress',
  description: `With \`useForShipping\` the goods go there as well. Answers the id of the address. A repeat changes
    nothing.`,
  outcomes: [
    noActiveCart,
    {
      status: 404,
      message: 'Invalid customer address id %1',
      when: 'The address book of this customer has no such entry.',
    },
    {
      status: 400,
      message: 'Invalid value of "%value" provided for the %fieldName field.',
      when: 'A country, a region or a postcode that cannot be.',
    },
  ],
  body: z.object({ address: cartAddressPayload, useForShipping: flag.default(false) }),
  response: z.int(),

  handle: ({ em, caller, store, body: { address, useForShipping } }) =>
    save(em, ownerOf({ caller, store }), { address: toCartAddress(address), isShippedThere: useForShipping }),
});
