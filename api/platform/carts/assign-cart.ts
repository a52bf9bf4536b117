import { z } from 'zod';
import { assignCart } from '../../../db/platform/carts/assign-cart.ts';
import { invalid } from '../../../domain/errors.ts';
import { route, type AnyRoute, type Outcome } from '../../http/route.ts';
import { unknownEntity } from '../../wire/outcomes.ts';
import { idParam } from '../../wire/schemas.ts';
import { anyDoor, guestDoor } from './cart-door.ts';
import { againstRules } from './cart-words.ts';

export const ofAnotherStore: Outcome = {
  status: 400,
  message: "The customer can't be assigned to the cart. The cart belongs to a different store.",
  when: "The store view is not of the customer's website.",
};

/** Only by its id: a guest's word does not lead to a cart that is a customer's. */
const notAnonymous: Outcome = {
  status: 400,
  message: "The customer can't be assigned to the cart because the cart isn't anonymous.",
  when: 'The cart is a customer’s already, also after a repeat.',
};

/** A product that both carts hold is put together. */
const mergedQuantity: readonly Outcome[] = [
  {
    status: 400,
    message: 'The requested qty is not available',
    when: 'Both carts together hold more of a product than the shop has.',
  },
  ...againstRules,
];

const description = `What the customer's own cart holds comes into this one, which is the customer's active cart from then on. A guest's word
does not lead to it any more.`;

const notAllowed: Outcome = {
  status: 400,
  message: "You don't have the correct permissions to assign the customer to the cart.",
  when: 'The caller is no customer, or `customerId` is another one. It is checked before the cart is looked for.',
  then: 'Sign in as the customer.',
};

/** Gives a guest's cart to the calling customer (platform facts 11). */
const takeGuestCart = route({
  method: 'PUT',
  path: guestDoor.path,
  acl: guestDoor.acl,
  name: 'takeGuestCart',
  summary: "Make a guest's cart the calling customer's",
  description,
  outcomes: [notAllowed, guestDoor.missing, ofAnotherStore, ...mergedQuantity],
  examples: [{ title: 'Signed in', params: guestDoor.example, body: { customerId: 1, storeId: 1 }, response: true }],
  params: z.object({ cartId: guestDoor.cartId }),
  body: z.object({ storeId: idParam, customerId: idParam.optional() }),
  response: z.literal(true),

  async handle(call) {
    const { em, caller, body } = call;
    const customerId = body.customerId ?? caller.userId;
    if (!caller.can('self') || customerId !== caller.userId) throw invalid(notAllowed.message);
    await assignCart(em, guestDoor.keyOf(call), { customerId, storeId: body.storeId });
    return true as const;
  },
});

/** Gives a guest's cart to a customer, for an administrator (platform facts 11). */
const giveCart = route({
  method: 'PUT',
  path: anyDoor.path,
  acl: anyDoor.acl,
  name: 'giveCartToCustomer',
  summary: 'Give a cart to a customer',
  description,
  outcomes: [
    anyDoor.missing,
    unknownEntity('There is no customer of this id.'),
    ofAnotherStore,
    notAnonymous,
    ...mergedQuantity,
  ],
  examples: [{ title: 'Given', params: anyDoor.example, body: { customerId: 1, storeId: 1 }, response: true }],
  params: z.object({ cartId: anyDoor.cartId }),
  body: z.object({ customerId: idParam, storeId: idParam }),
  response: z.literal(true),

  async handle(call) {
    await assignCart(call.em, anyDoor.keyOf(call), call.body);
    return true as const;
  },
});

export const assignCartRoutes: readonly AnyRoute[] = [takeGuestCart, giveCart];
