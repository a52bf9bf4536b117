import { z } from 'zod';
import { findCart } from '../../../db/platform/carts/find-cart.ts';
import { setBillingAddress as save } from '../../../db/platform/carts/save-cart-address.ts';
import { route, type AnyRoute } from '../../http/route.ts';
import { flag } from '../../wire/schemas.ts';
import { cartAddressAnswer, renderCartAddress } from './cart-address-answer.ts';
import { cartAddressPayload, toCartAddress } from './cart-address-payload.ts';
import type { CartDoor } from './cart-door.ts';
import { badAddress, exampleCartAddress, foreignEntry, sentAddress } from './cart-words.ts';

/** A cart's billing address, as far as it is known. Refused with: 404 no active cart. */
const getBillingAddress = ({ path, acl, keyOf, ...door }: CartDoor) =>
  route({
    ...{ method: 'GET', acl },
    path: `${path}/billing-address`,
    name: `getBillingAddressOf${door.kind}`,
    summary: `Where ${door.whose} is billed to`,
    description: 'Before one is set it is an address with empty fields, as on the platform.',
    outcomes: [door.missing],
    examples: [{ title: 'In Troy', params: door.example, response: exampleCartAddress }],
    params: z.object({ cartId: door.cartId }),
    response: cartAddressAnswer,

    async handle(call) {
      const { billing, customerId, customer } = await findCart(call.em, keyOf(call));
      return renderCartAddress(billing, { customerId, email: customer.email });
    },
  });

/**
 * Sets a cart's billing address, with `useForShipping` also its shipping address (platform facts 11). Answers the
 * address's id. Safe to repeat.
 *
 * Refused with: 404 no active cart, an entry of another customer's address book · 400 an address the country's rules
 * refuse.
 */
const setBillingAddress = ({ path, acl, keyOf, ...door }: CartDoor) =>
  route({
    ...{ method: 'POST', acl },
    path: `${path}/billing-address`,
    name: `setBillingAddressOf${door.kind}`,
    summary: `Say where ${door.whose} is billed to`,
    description: `In place of the address before; with \`useForShipping\` it is shipped there, too. With \`save_in_address_book\` the
customer's address book gets it when the order is placed. A repeat changes nothing.`,
    outcomes: [door.missing, foreignEntry, badAddress],
    examples: [
      { title: 'In Troy', params: door.example, body: { address: sentAddress, useForShipping: true }, response: 5 },
    ],
    params: z.object({ cartId: door.cartId }),
    body: z.object({ address: cartAddressPayload, useForShipping: flag.default(false) }),
    response: z.int(),

    handle: (call) =>
      save(call.em, keyOf(call), {
        address: toCartAddress(call.body.address),
        isShippedThere: call.body.useForShipping,
      }),
  });

/** Routes of a cart's billing address. */
export const cartBillingRoutes = (door: CartDoor): readonly AnyRoute[] => [
  getBillingAddress(door),
  setBillingAddress(door),
];
