import { z } from 'zod';
import { readWishlist } from '../../db/platform/wishlists/read-wishlist.ts';
import { mostWishes, removeWish, saveWish } from '../../db/platform/wishlists/save-wish.ts';
import { pieces } from '../../domain/money/quantity.ts';
import { route, type AnyRoute } from '../http/route.ts';
import { idParam, quantityThat, text } from '../wire/schemas.ts';
import { renderWishlist, wishlistAnswer } from './render-wishlist.ts';
import { unknownEntity } from '../wire/outcomes.ts';

const acl = 'Vendor_Pos::locations';

const unknown = unknownEntity('no customer, product or wish has this id or SKU');
const lamp = {
  wishlist_item_id: 31,
  product_id: 12,
  sku: 'LAMP',
  name: 'Reading lamp',
  qty: 1,
  description: 'For the bedroom',
  price: 59,
  type_id: 'simple',
  is_available: true,
  added_at: '2026-11-20 16:05:11',
};
const list = { customer_id: 7, items_count: 1, items: [lamp] };

/** A customer's wishlist, newest first (spec 4.5; the shape is our choice). */
const getWishlist = route({
  method: 'GET',
  path: '/V1/pos/wishlist/:customerId',
  acl,
  name: 'getWishlist',
  summary: "A customer's wishlist",
  description: `For the profile screen: newest first, ${mostWishes} at most. \`price\` is the product's own, in base currency;
ask for the customer's price where it counts. \`is_available\`: the product is on sale at all. An empty list has no items.`,
  outcomes: [unknown],
  examples: [{ title: 'One wish', params: { customerId: 7 }, response: list }],
  params: z.object({ customerId: idParam }),
  response: wishlistAnswer,

  handle: async ({ em, params: { customerId } }) => renderWishlist(customerId, await readWishlist(em, customerId)),
});

const someQuantity = quantityThat((qty) => qty > 0);

/** Puts a product on a customer's wishlist; one that is there gets the new quantity. A repeat leaves the same list. */
const addWish = route({
  method: 'POST',
  path: '/V1/pos/wishlist/:customerId/items',
  acl,
  name: 'addWish',
  summary: "Put a product on a customer's wishlist",
  description: `A product stands on a list once: sent again it gets this quantity and note. Answers the list as it
    is then.`,
  outcomes: [
    unknown,
    {
      status: 400,
      message: 'The wishlist is full: it takes %1 products.',
      when: `the list has ${mostWishes} other products`,
      then: 'remove one first',
    },
  ],
  examples: [
    {
      title: 'A lamp for later',
      params: { customerId: 7 },
      body: { item: { sku: 'LAMP', qty: 1, description: 'For the bedroom' } },
      response: list,
    },
  ],
  params: z.object({ customerId: idParam }),
  body: z.object({
    item: z.object({
      sku: text(64),
      qty: someQuantity.default(pieces(1)),
      description: text(1_000).nullable().default(null),
    }),
  }),
  response: wishlistAnswer,

  async handle({ em, params: { customerId }, body: { item } }) {
    await saveWish(em, { customerId, ...item });
    return renderWishlist(customerId, await readWishlist(em, customerId));
  },
});

/** Removes a product from a customer's wishlist. */
const deleteWish = route({
  method: 'DELETE',
  path: '/V1/pos/wishlist/:customerId/items/:wishlistItemId',
  acl,
  name: 'deleteWish',
  summary: "Take a product off a customer's wishlist",
  description: 'A repeat is refused with 404.',
  outcomes: [unknown],
  examples: [{ title: 'It was bought', params: { customerId: 7, wishlistItemId: 31 }, response: true }],
  params: z.object({ customerId: idParam, wishlistItemId: idParam }),
  response: z.boolean(),

  async handle({ em, params }) {
    await removeWish(em, params);
    return true;
  },
});

/** Routes of a customer's wishlist (spec 4.5). */
export const wishlistRoutes: readonly AnyRoute[] = [getWishlist, addWish, deleteWish];
