import { z } from 'zod';
import { changeLine } from '../../../db/platform/carts/change-line.ts';
import { putInCart } from '../../../db/platform/carts/put-in-cart.ts';
import { fieldRequired } from '../../../domain/errors.ts';
import { route } from '../../http/route.ts';
import { cartItemAnswer, renderCartItem } from './cart-item-answer.ts';
import { cartItemPayload } from './cart-item-payload.ts';
import { ownerOf } from './cart-wiring.ts';
import { noActiveCart } from '../../wire/outcomes.ts';

/** Puts a product into the calling customer's cart: what it holds of it already grows (platform facts 11). */
export const addCartItem = route({
  method: 'POST',
  path: '/V1/carts/mine/items',
  acl: 'self',
  summary: "Put a product into the calling customer's cart",
  name: 'addCartItem',
  description: `What the cart holds of the product already grows. Each call adds; with an \`item_id\` the line is
    set instead.`,
  outcomes: [
    noActiveCart,
    {
      status: 404,
      message: "The product that was requested doesn't exist. Verify the product and try again.",
      when: 'Nobody knows the SKU.',
    },
    {
      status: 404,
      message: "The %1 Cart doesn't contain the %2 item.",
      when: 'The line is not in the cart, or was taken out.',
    },
    {
      status: 400,
      message: 'Product that you are trying to add is not available.',
      when: 'It is switched off, or another website’s.',
    },
    { status: 400, message: 'The requested qty is not available', when: 'The stock cannot promise so many.' },
    {
      status: 400,
      message: 'The requested qty exceeds the maximum qty allowed in shopping cart',
      when: 'More than 10,000.',
    },
    {
      status: 400,
      message: 'You need to choose options for your item.',
      when: 'The product is sold as one of its variants.',
    },
  ],
  body: z.object({ cartItem: cartItemPayload }),
  response: cartItemAnswer,

  async handle({ em, caller, store, now, body: { cartItem } }) {
    const owner = ownerOf({ caller, store });
    const { itemId, sku, qty } = cartItem;
    if (itemId !== undefined) return renderCartItem(await changeLine(em, owner, { itemId, qty, now }));
    if (sku === undefined) throw fieldRequired('sku');
    return renderCartItem(await putInCart(em, owner, { sku, qty, now }));
  },
});
