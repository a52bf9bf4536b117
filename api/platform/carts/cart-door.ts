import { z } from 'zod';
import type { CartKey } from '../../../db/platform/carts/lock-cart.ts';
import type { Acl, Outcome, Surroundings } from '../../http/route.ts';
import { unknownEntity } from '../../wire/outcomes.ts';
import { idParam, text } from '../../wire/schemas.ts';

type CartId = string | number | undefined;

/** One of the three ways to a cart (platform facts 11): what is behind them is the same. */
export interface CartDoor {
  path: `/V1/${string}`;
  acl: Acl;
  /** Of the path, where it has one. */
  cartId: z.ZodType<CartId>;
  /** For the words of a route. */
  whose: string;
  /** For its name: `getTotalsOf` and this. */
  kind: 'OwnCart' | 'GuestCart' | 'Cart';
  missing: Outcome;
  /** Of an example's path. */
  example: Readonly<Record<string, string | number>>;
  keyOf: (call: Pick<Surroundings, 'caller' | 'store'> & { params: { cartId: CartId } }) => CartKey;
}

/** Whose cart is meant comes from the token alone, and from the website the call runs in. */
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

/** Whoever knows the cart's word has the cart: it is as long as a token. */
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

/** An administrator's way to every cart. */
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
