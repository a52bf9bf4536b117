import { z } from 'zod';
import type { CartKey } from '../../../db/platform/carts/lock-cart.ts';
import type { Acl, Outcome, RouteContext } from '../../http/route.ts';
import { unknownEntity } from '../../wire/outcomes.ts';
import { idParam, text } from '../../wire/schemas.ts';

type CartId = string | number | undefined;

/** One of the three ways to a cart (platform facts 11). Their routes do the same. */
export interface CartDoor {
  path: `/V1/${string}`;
  acl: Acl;
  /** The cart's id in the path, if the path has one. */
  cartId: z.ZodType<CartId>;
  /** For the texts of a route. */
  whose: string;
  /** Ends the route's name, as in `getTotalsOfOwnCart`. */
  kind: 'OwnCart' | 'GuestCart' | 'Cart';
  missing: Outcome;
  /** The path's values in examples. */
  example: Readonly<Record<string, string | number>>;
  keyOf: (call: Pick<RouteContext, 'caller' | 'store'> & { params: { cartId: CartId } }) => CartKey;
}

/** The customer's own cart: the token and the website of the call decide which one. */
export const ownDoor: CartDoor = {
  path: '/V1/carts/mine',
  acl: 'self',
  cartId: z
    .unknown()
    .transform(() => undefined)
    .optional(),
  whose: "the calling customer's cart",
  kind: 'OwnCart',
  missing: {
    status: 404,
    message: 'Current customer does not have an active cart.',
    when: 'The customer has none on this website, or it has just become an order.',
  },
  example: {},
  keyOf: ({ caller, store }) => ({ customerId: caller.userId, websiteId: store.websiteId }),
};

const exampleMask = '8QQ5qsAV0lm5mbQKiHGnHcBzAxX0DCIG';

/** A guest's cart: its masked id is as long as a token, and a caller who knows it can use the cart. */
export const guestDoor: CartDoor = {
  path: '/V1/guest-carts/:cartId',
  acl: 'anonymous',
  cartId: text(255),
  whose: "a guest's cart",
  kind: 'GuestCart',
  missing: unknownEntity('No active cart has this word, or it has just become an order.'),
  example: { cartId: exampleMask },
  keyOf: ({ params: { cartId } }) => ({ maskedId: String(cartId) }),
};

/** Any cart, for administrators. */
export const anyDoor: CartDoor = {
  path: '/V1/carts/:cartId',
  acl: 'Platform_Cart::manage',
  cartId: idParam,
  whose: "anybody's cart",
  kind: 'Cart',
  missing: unknownEntity('There is no active cart of this id.'),
  example: { cartId: 7 },
  keyOf: ({ params: { cartId } }) => ({ quoteId: Number(cartId) }),
};
