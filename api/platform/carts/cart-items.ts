import { z } from 'zod';
import { findPricedCart } from '../../../db/platform/carts/price-cart.ts';
import { changeLine, putInCart, removeLine } from '../../../db/platform/carts/put-in-cart.ts';
import { fieldRequired, invalid } from '../../../domain/errors.ts';
import type { ChosenOption, SentOption } from '../../../domain/platform/catalog/entered-options.ts';
import { tooManyItems } from '../../../domain/refusals/platform.ts';
import { cartItemNotFound, cartWorthTooMuch } from '../../../domain/refusals/sales.ts';
import { done, route, type AnyRoute } from '../../http/route.ts';
import { eachOf } from '../../wire/rows.ts';
import { idParam, payload, quantity, recordId, text } from '../../wire/schemas.ts';
import type { CartAccess } from './cart-access.ts';
import {
  exampleChoice,
  exampleEngraved,
  exampleEngraving,
  exampleItem,
  exampleVariant,
  notToBeHad,
  unknownSku,
} from './cart-words.ts';
import { cartItemAnswer, renderCartItem, renderCartItems } from './render-totals.ts';

/** Fields that only the server sets: ignored. The token decides whose cart it is. */
const readOver = ['name', 'price', 'productType', 'quoteId', 'extensionAttributes'] as const;

/** Options that a cart cannot keep: refused, unless they are empty. */
const otherOptions = ['bundleOptions', 'downloadableOption', 'giftcardItemOption'] as const;

const ignored = z.unknown().optional();

/** More options than a product has. */
const mostOptions = 200;

/** Of what is entered, or of the ids of chosen values. */
const longestValue = 10_000;

const chosenOption = payload({ optionId: text(60), optionValue: recordId, extensionAttributes: ignored });

const enteredOption = payload({
  optionId: text(60),
  optionValue: text(longestValue).default(''),
  extensionAttributes: ignored,
});

const productOption = payload({
  extensionAttributes: payload({
    customOptions: z.array(enteredOption).max(mostOptions).optional(),
    configurableItemOptions: z.array(chosenOption).max(mostOptions).optional(),
    ...eachOf(otherOptions, ignored),
  }).optional(),
}).meta({ id: 'ProductOption' });

/** A line that a caller sends (platform facts 11); with an item id it changes that line. */
const cartItemPayload = payload({
  sku: text(64).optional(),
  qty: quantity,
  itemId: idParam.optional(),
  productOption: productOption.optional(),
  ...eachOf(readOver, ignored),
}).meta({ id: 'CartItem' });

/** What is sent of a line's options; absent: nothing. */
interface SentOptions {
  /** Of a configurable product. */
  chosen?: ChosenOption[] | undefined;
  /** Custom ones. An empty list is nothing, as on the platform. */
  entered?: SentOption[] | undefined;
}

/**
 * What was chosen and entered for a line.
 *
 * Refused with: 400 options that a cart cannot keep, such as those of a bundle: they would be lost without a word (our
 * choice).
 */
function optionsIn({ productOption: input }: z.output<typeof cartItemPayload>): SentOptions {
  const sent = input?.extensionAttributes;
  const fieldName = otherOptions.find((name) => !isEmpty(sent?.[name]));
  if (fieldName !== undefined) throw invalid(...optionsNotStored(fieldName));
  const entered = sent?.customOptions;
  return {
    chosen: sent?.configurableItemOptions,
    entered: entered?.length ? entered : undefined,
  };
}

const optionsNotStored = (fieldName: string) =>
  ['A cart cannot keep the %fieldName of a product. Send the line without them.', { fieldName }] as const;

/** Nothing at all, also within lists and objects: clients send those for options that they do not use. */
function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return typeof value === 'object' && Object.values(value).every(isEmpty);
}

/** The lines of a cart, as a plain list (platform facts 3.5, 11). Refused with: 404 no active cart. */
const listItems = ({ path, acl, keyOf, ...access }: CartAccess) =>
  route({
    ...{ method: 'GET', acl },
    path: `${path}/items`,
    name: `listItemsOf${access.kind}`,
    summary: `The lines of ${access.whose}`,
    description: `Every line of ${access.whose}. The price is of one piece, without tax, in the cart's currency.`,
    outcomes: [access.missing, cartWorthTooMuch],
    examples: [{ title: 'Two mugs', params: access.example, response: [exampleItem] }],
    params: z.object({ cartId: access.cartId }),
    response: z.array(cartItemAnswer),

    handle: async (call) => renderCartItems(await findPricedCart(call.em, keyOf(call), { sources: [], now: call.now })),
  });

/**
 * Adds a quantity of a product to a cart (platform facts 11). Each call adds; with an `item_id` it sets the line's
 * quantity instead.
 *
 * Refused with: 404 no active cart, an unknown product, a line that is not in the cart · 400 a quantity that is not
 * positive, a product that cannot be bought, more than is in stock, a full cart.
 */
const addItem = ({ path, acl, keyOf, ...access }: CartAccess) =>
  route({
    ...{ method: 'POST', acl },
    path: `${path}/items`,
    name: `addItemTo${access.kind}`,
    summary: `Put a product into ${access.whose}`,
    description: `Adds so many to what the cart holds of the product: each call adds. With \`item_id\` the quantity of
that line is
set instead, and a repeat changes nothing. Of a configurable product \`product_option\` says what was chosen: a value of
each of its options. The line then has the SKU, the price and the stock of the simple product behind them.
\`custom_options\` says what was entered for the options of the product: their prices and SKUs are added. A cart has one
line for each product and each way in which its options were entered, 1000 at most.`,
    outcomes: [
      access.missing,
      cartItemNotFound,
      unknownSku,
      ...notToBeHad,
      tooManyItems.because('The cart has 1000 lines already.'),
    ],
    examples: [
      {
        title: 'Two mugs',
        params: access.example,
        body: { cartItem: { sku: 'MUG-BLUE', qty: 2 } },
        response: exampleItem,
      },
      {
        title: 'An engraved mug',
        params: access.example,
        body: { cartItem: { sku: 'MUG-BLUE', qty: 1, product_option: exampleEngraving } },
        response: exampleEngraved,
      },
      {
        title: 'A shirt in blue',
        params: access.example,
        body: { cartItem: { sku: 'SHIRT', qty: 1, product_option: exampleChoice } },
        response: exampleVariant,
      },
    ],
    params: z.object({ cartId: access.cartId }),
    body: z.object({ cartItem: cartItemPayload }),
    response: cartItemAnswer,

    async handle(call) {
      const { em, now } = call;
      const { itemId, sku, qty } = call.body.cartItem;
      const sent = optionsIn(call.body.cartItem);
      if (itemId !== undefined) return renderCartItem(await changeLine(em, keyOf(call), { itemId, qty, ...sent, now }));
      if (sku === undefined) throw fieldRequired('sku');
      const { chosen = [], entered = [] } = sent;
      return renderCartItem(await putInCart(em, keyOf(call), { sku, qty, chosen, entered, now }));
    },
  });

/**
 * Sets the quantity of a cart's line (platform facts 11). The path names the line; a line in the body is ignored. Safe
 * to repeat.
 *
 * Refused with: 404 no active cart, a line that is not in it · 400 as when it is added.
 */
const updateItem = ({ path, acl, keyOf, ...access }: CartAccess) =>
  route({
    ...{ method: 'PUT', acl },
    path: `${path}/items/:itemId`,
    name: `changeItemOf${access.kind}`,
    summary: `Change a line of ${access.whose}`,
    description: `Sets the quantity of the line, and what is sent of its choices and its custom options. A repeat
changes nothing. Where another
line is chosen so already, the line goes into that one, which is answered; a repeat then does not find it.`,
    outcomes: [access.missing, cartItemNotFound, ...notToBeHad],
    examples: [
      {
        title: 'Two of them',
        params: { ...access.example, itemId: 3 },
        body: { cartItem: { qty: 2 } },
        response: exampleItem,
      },
    ],
    params: z.object({ cartId: access.cartId, itemId: idParam }),
    body: z.object({ cartItem: cartItemPayload }),
    response: cartItemAnswer,

    async handle(call) {
      const { em, now, params, body } = call;
      const input = { itemId: params.itemId, qty: body.cartItem.qty, ...optionsIn(body.cartItem), now };
      return renderCartItem(await changeLine(em, keyOf(call), input));
    },
  });

/**
 * Removes a line from a cart (platform facts 11). Refused with: 404 no active cart, a line that is not in it, and so a
 * repeat.
 */
const deleteItem = ({ path, acl, keyOf, ...access }: CartAccess) =>
  route({
    ...{ method: 'DELETE', acl },
    path: `${path}/items/:itemId`,
    name: `removeItemFrom${access.kind}`,
    summary: `Take a line out of ${access.whose}`,
    description: 'A repeat does not find the line any more: then it is gone.',
    outcomes: [access.missing, cartItemNotFound],
    examples: [{ title: 'Gone', params: { ...access.example, itemId: 3 }, response: true }],
    params: z.object({ cartId: access.cartId, itemId: idParam }),
    response: z.literal(true),

    handle: (call) => done(removeLine(call.em, keyOf(call), call.params.itemId)),
  });

/** Routes of a cart's lines. */
export const cartItemRoutes = (access: CartAccess): readonly AnyRoute[] => [
  listItems(access),
  addItem(access),
  updateItem(access),
  deleteItem(access),
];
