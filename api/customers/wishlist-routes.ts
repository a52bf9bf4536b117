import { z } from 'zod';
import type { Insights } from '../../db/insights.ts';
import { mostInputs, readWishlist, saveInput, type Input } from '../../db/platform/wishlists.ts';
import { pieces, quantityToWire, toWire } from '../../domain/money.ts';
import { wishlistIsFull } from '../../domain/refusals/customers.ts';
import type { CreditBalance } from '../../providers/credits/credit-provider.ts';
import type { InsightSection } from '../../providers/insights.ts';
import { route, type AnyRoute } from '../http/route.ts';
import { unknownEntity } from '../wire/outcomes.ts';
import { creditBalanceAnswer, renderCreditBalance } from '../wire/register/render-credit-balance.ts';
import { renderMoment } from '../wire/register/render-terminal.ts';
import { idParam, quantityThat, text } from '../wire/schemas.ts';
import { removeWish } from '../../db/platform/wishlists/remove-wish.ts';

const wishlistAnswer = z
  .object({
    customer_id: z.int(),
    items_count: z.int(),
    items: z.array(
      z.object({
        wishlist_item_id: z.int(),
        product_id: z.int(),
        sku: z.string(),
        name: z.string(),
        qty: z.number(),
        description: z.string().nullable(),
        price: z.number(),
        type_id: z.string(),
        is_available: z.boolean(),
        added_at: z.string(),
      }),
    ),
  })
  .meta({ id: 'Wishlist' });

const enabled = 1;

const renderWishlist = (customerId: number, inputs: readonly Input[]): z.input<typeof wishlistAnswer> => ({
  customer_id: customerId,
  items_count: inputs.length,
  items: inputs.map((command) => ({
    wishlist_item_id: command.wishlistItemId,
    product_id: command.productId,
    sku: command.sku,
    name: command.name,
    qty: quantityToWire(command.qty),
    description: command.description,
    price: toWire(command.price),
    type_id: command.typeId,
    is_available: command.status === enabled,
    added_at: renderMoment(command.createdAt),
  })),
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

  async handle({ em, params }) {
    await removeWish(em, params);
    return true;
  },
});

/** Routes of a customer's wishlist (spec 4.5). */
export const wishlistRoutes: readonly AnyRoute[] = [getWishlist, addInput, deleteInput];

export const insightsAnswer = z
  .object({
    customer_id: z.int(),
    currency: z.string(),
    statistics: z.object({
      purchases: z.int(),
      visits: z.int(),
      first_purchase_at: z.string().nullable(),
      last_purchase_at: z.string().nullable(),
      total_spent: z.number(),
      total_refunded: z.number(),
      average_basket: z.number(),
      return_rate: z.number(),
    }),
    preferred_location: z.object({ location_id: z.int(), name: z.string(), purchases: z.int() }).nullable(),
    last_purchases: z.array(
      z.object({
        order_id: z.int(),
        increment_id: z.string(),
        created_at: z.string(),
        status: z.string(),
        grand_total: z.number(),
        total_refunded: z.number(),
        currency: z.string(),
        lines: z.int(),
      }),
    ),
    favourite_products: z.array(
      z.object({
        sku: z.string(),
        name: z.string().nullable(),
        qty: z.number(),
        purchases: z.int(),
        last_purchased_at: z.string(),
      }),
    ),
    favourite_categories: z.array(z.object({ category_id: z.int(), qty: z.number(), purchases: z.int() })),
    credits: z.array(creditBalanceAnswer),
    sections: z.array(
      z.object({
        provider: z.string(),
        title: z.string(),
        rows: z.array(z.object({ label: z.string(), value: z.string() })),
      }),
    ),
  })
  .meta({ id: 'CustomerInsights' });

interface Known {
  customerId: number;
  insights: Insights;
  credits: readonly CreditBalance[];
  sections: readonly (InsightSection & { provider: string })[];
}

export const renderInsights = ({ customerId, insights, credits, sections }: Known): z.input<typeof insightsAnswer> => ({
  customer_id: customerId,
  currency: insights.figures.currencyCode,
  statistics: renderFigures(insights),
  preferred_location: insights.preferredLocation && {
    location_id: insights.preferredLocation.locationId,
    name: insights.preferredLocation.name,
    purchases: insights.preferredLocation.purchases,
  },
  last_purchases: insights.lastPurchases.map((order) => ({
    order_id: order.entityId,
    increment_id: order.incrementId,
    created_at: renderMoment(order.createdAt),
    status: order.status,
    grand_total: toWire(order.grandTotal),
    total_refunded: toWire(order.totalRefunded),
    currency: order.orderCurrencyCode,
    lines: order.lines,
  })),
  favourite_products: insights.favouriteProducts.map(({ sku, name, qty, purchases, lastAt }) => ({
    sku,
    name,
    qty: quantityToWire(qty),
    purchases,
    last_purchased_at: renderMoment(lastAt),
  })),
  favourite_categories: insights.favouriteCategories.map(({ categoryId, qty, purchases }) => ({
    category_id: Number(categoryId),
    qty: quantityToWire(qty),
    purchases,
  })),
  credits: credits.map(renderCreditBalance),
  sections: sections.map(({ provider, title, rows }) => ({ provider, title, rows: [...rows] })),
});

const renderFigures = ({ figures }: Insights) => ({
  purchases: figures.purchases,
  visits: figures.visits,
  first_purchase_at: renderMoment(figures.firstAt),
  last_purchase_at: renderMoment(figures.lastAt),
  total_spent: toWire(figures.spent),
  total_refunded: toWire(figures.refunded),
  average_basket: toWire(figures.averageBasket),
  return_rate: Number(figures.returnRate),
});
