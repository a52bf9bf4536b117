import { z } from 'zod';
import type { PricedCart } from '../../../db/platform/carts/price-cart.ts';
import type { WrittenLine } from '../../../db/platform/carts/put-in-cart.ts';
import { toWire } from '../../../domain/money/amount.ts';
import { quantityToWire } from '../../../domain/money/quantity.ts';

/** A line of a cart; the price is per piece, without tax, in the cart's currency. The cart's id is text here. */
export const cartItemAnswer = z.object({
  item_id: z.int(),
  sku: z.string(),
  qty: z.number(),
  name: z.string(),
  price: z.number(),
  product_type: z.string(),
  quote_id: z.string(),
});

export const renderCartItems = ({ cart, own }: PricedCart): z.input<typeof cartItemAnswer>[] =>
  cart.lines.map((line, at) => ({
    item_id: line.itemId,
    sku: line.sku,
    qty: quantityToWire(line.qty),
    name: line.name,
    price: toWire(own.lines[at]?.price ?? line.price),
    product_type: line.typeId,
    quote_id: String(cart.quoteId),
  }));

export function renderCartItem({ itemId, priced }: WrittenLine): z.input<typeof cartItemAnswer> {
  const item = renderCartItems(priced).find((one) => one.item_id === itemId);
  if (!item) throw new Error('a line was written into a cart and is not there');
  return item;
}
