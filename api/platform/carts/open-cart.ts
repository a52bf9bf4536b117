import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { openCart, openGuestCart } from '../../../db/platform/carts/open-cart.ts';
import { findStoreOfCustomer } from '../../../db/platform/customers/find-store-of-customer.ts';
import { findCustomerStore } from '../../../db/platform/stores/find-customer-store.ts';
import { route, type AnyRoute } from '../../http/route.ts';
import { unknownEntity } from '../../wire/outcomes.ts';
import { idParam } from '../../wire/schemas.ts';
import { countGuestCart, tooManyCarts } from './count-guest-cart.ts';
import { anyDoor, guestDoor, ownDoor } from './cart-door.ts';

/**
 * Opens a cart for the calling customer, or answers the id of the existing one (platform facts 11). The store view of
 * the path decides the currency.
 */
const openOwn = route({
  method: 'POST',
  path: '/V1/carts/mine',
  acl: ownDoor.acl,
  name: 'openOwnCart',
  summary: 'Open a cart for the calling customer',
  description: `Answers the id of the cart. A repeat answers the one there is, which moves to the store view of the path and its currency.`,
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
  acl: guestDoor.acl,
  name: 'openGuestCart',
  summary: 'Open a cart for a guest',
  description: `Answers a secret name, not the id. It opens the cart, so keep it as you keep a token. Each call opens a cart. The store
view of the path decides the currency.`,
  outcomes: [tooManyCarts],
  examples: [{ title: 'Opened', response: guestDoor.example['cartId'] }],
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
  acl: anyDoor.acl,
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
  acl: anyDoor.acl,
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
