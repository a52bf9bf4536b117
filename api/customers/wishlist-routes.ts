import { z } from 'zod';
import type { Insights } from '../../db/insights.ts';
import { mostInputs, readWishlist, saveInput, type Input } from '../../db/platform/wishlists.ts';
import { pieces } from '../../domain/money.ts';
import { wishlistIsFull } from '../../domain/refusals/customers.ts';
import type { CreditBalance } from '../../providers/credits/credit-provider.ts';
import type { InsightSection } from '../../providers/insights.ts';
import { done, route, type AnyRoute } from '../http/route.ts';
import {
  amount,
  count,
  decimal,
  derived,
  fieldsOf,
  moment,
  momentOrNull,
  named,
  nested,
  nestedList,
  orNull,
  quantity,
} from '../wire/fields.ts';
import { unknownEntity } from '../wire/outcomes.ts';
import { creditBalanceAnswer, renderCreditBalance } from '../wire/register/render-credit-balance.ts';
import { idParam, quantityThat, text } from '../wire/schemas.ts';
import { removeWish } from '../../db/platform/wishlists/remove-wish.ts';

const enabled = 1;

/** A product on a customer's wishlist. */
const wish = fieldsOf({
  wishlist_item_id: z.int(),
  product_id: z.int(),
  sku: z.string(),
  name: z.string(),
  qty: quantity(),
  description: z.string().nullable(),
  price: amount(),
  type_id: z.string(),
  is_available: derived(({ status }: Input) => status === enabled, z.boolean()),
  added_at: named('createdAt', moment()),
});

const wishlistAnswer = z
  .object({ customer_id: z.int(), items_count: z.int(), items: z.array(wish.answer) })
  .meta({ id: 'Wishlist' });

const renderWishlist = (customerId: number, inputs: readonly Input[]): z.input<typeof wishlistAnswer> => ({
  customer_id: customerId,
  items_count: inputs.length,
  items: inputs.map(wish.render),
});

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
  description: `For the profile screen: newest first, ${mostInputs} at most. \`price\` is the product's own, in base
currency;
ask for the customer's price where it counts. \`is_available\`: the product is on sale at all. An empty list has no
items.`,
  outcomes: [unknown],
  examples: [{ title: 'One wish', params: { customerId: 7 }, response: list }],
  params: z.object({ customerId: idParam }),
  response: wishlistAnswer,

  handle: async ({ em, params: { customerId } }) => renderWishlist(customerId, await readWishlist(em, customerId)),
});

const someQuantity = quantityThat((qty) => qty > 0);

/** Puts a product on a customer's wishlist; one that is there gets the new quantity. A repeat leaves the same list. */
const addInput = route({
  method: 'POST',
  path: '/V1/pos/wishlist/:customerId/items',
  acl,
  name: 'addWish',
  summary: "Put a product on a customer's wishlist",
  description: `A product stands on a list once: sent again it gets this quantity and note. Answers the list as it
    is then.`,
  outcomes: [unknown, wishlistIsFull.because(`the list has ${mostInputs} other products`, 'remove one first')],
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
    await saveInput(em, { customerId, ...item });
    return renderWishlist(customerId, await readWishlist(em, customerId));
  },
});

/** Removes a product from a customer's wishlist. */
const deleteInput = route({
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

  handle: ({ em, params }) => done(removeWish(em, params)),
});

/** Routes of a customer's wishlist (spec 4.5). */
export const wishlistRoutes: readonly AnyRoute[] = [getWishlist, addInput, deleteInput];

interface Known extends Insights {
  customerId: number;
  credits: readonly CreditBalance[];
  sections: readonly (InsightSection & { provider: string })[];
}

export const { answer: insightsAnswer, render: renderInsights } = fieldsOf(
  {
    customer_id: z.int(),
    currency: derived(({ figures }: Known) => figures.currencyCode, z.string()),
    statistics: named(
      'figures',
      nested({
        purchases: z.int(),
        visits: z.int(),
        first_purchase_at: named('firstAt', momentOrNull()),
        last_purchase_at: named('lastAt', momentOrNull()),
        total_spent: named('spent', amount()),
        total_refunded: named('refunded', amount()),
        average_basket: amount(),
        return_rate: decimal(),
      }),
    ),
    preferred_location: orNull(nested({ location_id: z.int(), name: z.string(), purchases: z.int() })),
    last_purchases: nestedList({
      order_id: named('entityId', z.int()),
      increment_id: z.string(),
      created_at: moment(),
      status: z.string(),
      grand_total: amount(),
      total_refunded: amount(),
      currency: named('orderCurrencyCode', z.string()),
      lines: z.int(),
    }),
    favourite_products: nestedList({
      sku: z.string(),
      name: z.string().nullable(),
      qty: quantity(),
      purchases: z.int(),
      last_purchased_at: named('lastAt', moment()),
    }),
    favourite_categories: nestedList({ category_id: count(), qty: quantity(), purchases: z.int() }),
    credits: { answer: z.array(creditBalanceAnswer), show: (list: Known['credits']) => list.map(renderCreditBalance) },
    sections: nestedList({
      provider: z.string(),
      title: z.string(),
      rows: z.array(z.object({ label: z.string(), value: z.string() })),
    }),
  },
  'CustomerInsights',
);
