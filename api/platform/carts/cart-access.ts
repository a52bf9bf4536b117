import { randomBytes } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { z } from 'zod';
import { openCart, openGuestCart, type CartKey } from '../../../db/platform/carts/carts.ts';
import type { PaymentInformation } from '../../../db/platform/carts/place-cart.ts';
import { assignCart } from '../../../db/platform/carts/save-cart-address.ts';
import { findStoreOfCustomer } from '../../../db/platform/customers/find-store-of-customer.ts';
import { findCustomerStore } from '../../../db/platform/stores/find-customer-store.ts';
import { countAttempt } from '../../../db/support/rate-limit.ts';
import { isEmailAddress } from '../../../domain/platform/customers.ts';
import { refusal } from '../../../domain/refusals/refusal.ts';
import {
  cartNotAnonymous,
  cartOfOtherStore,
  customerHasNoCart,
  emailFormatWrong,
  requestedQtyNotAvailable,
} from '../../../domain/refusals/sales.ts';
import { done, route, type Acl, type AnyRoute, type Outcome, type RouteContext } from '../../http/route.ts';
import { eachOf } from '../../wire/rows.ts';
import { unknownEntity } from '../../wire/outcomes.ts';
import { idParam, payload, text } from '../../wire/schemas.ts';
import { againstRules } from './cart-words.ts';
import { cartAddressPayload, toCartAddress } from './cart-address.ts';

type CartId = string | number | undefined;

/** One of the three ways to a cart (platform facts 11). Their routes do the same. */
export interface CartAccess {
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
export const ownAccess: CartAccess = {
  path: '/V1/carts/mine',
  acl: 'self',
  cartId: z
    .unknown()
    .transform(() => undefined)
    .optional(),
  whose: "the calling customer's cart",
  kind: 'OwnCart',
  missing: customerHasNoCart.because('The customer has none on this website, or it has just become an order.'),
  example: {},
  keyOf: ({ caller, store }) => ({ customerId: caller.userId, websiteId: store.websiteId }),
};

const exampleMask = '8QQ5qsAV0lm5mbQKiHGnHcBzAxX0DCIG';

/** A guest's cart: its masked id is as long as a token, and a caller who knows it can use the cart. */
export const guestAccess: CartAccess = {
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
export const anyAccess: CartAccess = {
  path: '/V1/carts/:cartId',
  acl: 'Platform_Cart::manage',
  cartId: idParam,
  whose: "anybody's cart",
  kind: 'Cart',
  missing: unknownEntity('There is no active cart of this id.'),
  example: { cartId: 7 },
  keyOf: ({ params: { cartId } }) => ({ quoteId: Number(cartId) }),
};

/** The payment method of a cart; fields that offline methods do not use are ignored and never stored. */
export const paymentMethodPayload = payload({
  method: text(128),
  poNumber: text(255).optional(),
  ...eachOf(['additionalData', 'extensionAttributes'], z.unknown().optional()),
}).meta({ id: 'CartPayment' });

/** What the routes that pay a cart take. A guest says an e-mail; a customer's is the account's, whatever is sent. */
export const paymentInformationOf = ({ kind }: Pick<CartAccess, 'kind'>) =>
  z.object({
    email: kind === 'GuestCart' ? text(255) : text(255).optional(),
    paymentMethod: paymentMethodPayload,
    billingAddress: cartAddressPayload.optional(),
  });

interface PostedPayment {
  email?: string | undefined;
  paymentMethod?: z.output<typeof paymentMethodPayload> | undefined;
  billingAddress?: z.output<typeof cartAddressPayload> | undefined;
}

/** Refused with 400: an e-mail that is no address. */
export function toPaymentInformation({ email, paymentMethod, billingAddress }: PostedPayment): PaymentInformation {
  if (email !== undefined && !isEmailAddress(email)) throw emailFormatWrong();
  return {
    email,
    payment: paymentMethod && { method: paymentMethod.method, poNumber: paymentMethod.poNumber },
    billingAddress: billingAddress && toCartAddress(billingAddress),
  };
}

/** A product that both carts hold is put together. */
const mergedQuantity: readonly Outcome[] = [
  requestedQtyNotAvailable.because('Both carts together hold more of a product than the shop has.'),
  ...againstRules,
];

const description = `What the customer's own cart holds comes into this one, which is the customer's active cart from
then on. A guest's word
does not lead to it any more.`;

const notAllowed = refusal(400, "You don't have the correct permissions to assign the customer to the cart.", {
  when: 'The caller is no customer, or `customerId` is another one. It is checked before the cart is looked for.',
  then: 'Sign in as the customer.',
});

/** Gives a guest's cart to the calling customer (platform facts 11). */
const takeGuestCart = route({
  method: 'PUT',
  path: guestAccess.path,
  acl: guestAccess.acl,
  name: 'takeGuestCart',
  summary: "Make a guest's cart the calling customer's",
  description,
  outcomes: [notAllowed, guestAccess.missing, cartOfOtherStore, ...mergedQuantity],
  examples: [{ title: 'Signed in', params: guestAccess.example, body: { customerId: 1, storeId: 1 }, response: true }],
  params: z.object({ cartId: guestAccess.cartId }),
  body: z.object({ storeId: idParam, customerId: idParam.optional() }),
  response: z.literal(true),

  async handle(call) {
    const { em, caller, body } = call;
    const customerId = body.customerId ?? caller.userId;
    if (!caller.can('self') || customerId !== caller.userId) throw notAllowed();
    await assignCart(em, guestAccess.keyOf(call), { customerId, storeId: body.storeId });
    return true as const;
  },
});

/** Gives a guest's cart to a customer, for an administrator (platform facts 11). */
const giveCart = route({
  method: 'PUT',
  path: anyAccess.path,
  acl: anyAccess.acl,
  name: 'giveCartToCustomer',
  summary: 'Give a cart to a customer',
  description,
  outcomes: [
    anyAccess.missing,
    unknownEntity('There is no customer of this id.'),
    cartOfOtherStore,
    cartNotAnonymous,
    ...mergedQuantity,
  ],
  examples: [{ title: 'Given', params: anyAccess.example, body: { customerId: 1, storeId: 1 }, response: true }],
  params: z.object({ cartId: anyAccess.cartId }),
  body: z.object({ customerId: idParam, storeId: idParam }),
  response: z.literal(true),

  handle: (call) => done(assignCart(call.em, anyAccess.keyOf(call), call.body)),
});

export const assignCartRoutes: readonly AnyRoute[] = [takeGuestCart, giveCart];

const windowSeconds = 600;
/** A shop whose pages are made by a server calls from one address; fewer than would fill a disk (our choice). */
const mostCarts = 1_000;

const tooManyCarts = refusal(429, 'Too many requests. Please wait some minutes and try again.', {
  when: `${mostCarts} carts were opened from this address without a token within ten minutes.`,
  then: 'Wait ten minutes, or call with a token.',
});

/** Counts a cart that somebody without a token opens. Refused with 429: too many from one address. */
async function countGuestCart(em: EntityManager, address: string): Promise<void> {
  const bucket = { name: `guest carts of address ${address}`, limit: mostCarts, windowSeconds };
  if (await countAttempt(em, [bucket])) return;
  throw tooManyCarts();
}

/**
 * Opens a cart for the calling customer, or answers the id of the existing one (platform facts 11). The store view of
 * the path decides the currency.
 */
const openOwn = route({
  method: 'POST',
  path: '/V1/carts/mine',
  acl: ownAccess.acl,
  name: 'openOwnCart',
  summary: 'Open a cart for the calling customer',
  description: `Answers the id of the cart. A repeat answers the one there is, which moves to the store view of the path
and its currency.`,
  outcomes: [],
  examples: [{ title: 'Opened, or there already', response: 7 }],
  response: z.int(),

  handle: ({ em, caller, store }) =>
    openCart(em, { customerId: caller.userId, websiteId: store.websiteId, storeId: store.storeId }),
});

/** Opens a cart for a guest (platform facts 11). Each call opens one. Refused with 429: too many from one address. */
const openForGuest = route({
  method: 'POST',
  path: '/V1/guest-carts',
  acl: guestAccess.acl,
  name: 'openGuestCart',
  summary: 'Open a cart for a guest',
  description: `Answers a secret name, not the id. It opens the cart, so keep it as you keep a token. Each call opens a
cart. The store
view of the path decides the currency.`,
  outcomes: [tooManyCarts],
  examples: [{ title: 'Opened', response: guestAccess.example['cartId'] }],
  response: z.string(),

  async handle(call) {
    const { em, store, caller } = call;
    // An administrator's call may have waited, and has no address then.
    if (caller.userType === 'guest') await countGuestCart(em, call.clientAddress);
    const maskedId = randomBytes(16).toString('hex');
    const { storeId, websiteId } = await findCustomerStore(em, { currentStoreId: store.storeId });
    await openGuestCart(em, { maskedId, storeId, websiteId });
    return maskedId;
  },
});

/** Opens a guest's cart for an administrator who fills it (platform facts 11). Each call opens one. */
const openForNobody = route({
  method: 'POST',
  path: '/V1/carts',
  acl: anyAccess.acl,
  name: 'openCart',
  summary: 'Open a cart without a customer',
  description: 'Answers its id. Each call opens a cart. `PUT /V1/carts/:cartId` gives it to a customer.',
  outcomes: [],
  examples: [{ title: 'Opened', response: 7 }],
  response: z.int(),

  async handle({ em, store }) {
    const { storeId, websiteId } = await findCustomerStore(em, { currentStoreId: store.storeId });
    return openGuestCart(em, { maskedId: null, storeId, websiteId });
  },
});

/**
 * Opens a cart for a customer, or answers the id of the existing one (platform facts 11). Refused with 404: unknown
 * customer.
 */
const openForCustomer = route({
  method: 'POST',
  path: '/V1/customers/:customerId/carts',
  acl: anyAccess.acl,
  name: 'openCartOfCustomer',
  summary: 'Open a cart for a customer',
  description: 'Answers the id of the cart; a repeat answers the same one. It is on the website of the customer.',
  outcomes: [unknownEntity('There is no customer of this id.')],
  examples: [{ title: 'Opened, or there already', params: { customerId: 1 }, response: 7 }],
  params: z.object({ customerId: idParam }),
  response: z.int(),

  async handle({ em, store, params: { customerId } }) {
    return openCart(em, { customerId, ...(await findStoreOfCustomer(em, { customerId, ...store })) });
  },
});

/** Routes that open carts. */
export const openCartRoutes: readonly AnyRoute[] = [openOwn, openForGuest, openForNobody, openForCustomer];
