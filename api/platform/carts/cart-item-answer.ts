import { z } from 'zod';
import type { PricedCart } from '../../../db/platform/carts/price-cart.ts';
import { productOptionOf, soldAs } from '../../../db/platform/carts/sold-as.ts';
import type { WrittenLine } from '../../../db/platform/carts/put-in-cart.ts';
import { toWire } from '../../../domain/money/amount.ts';
import { quantityToWire } from '../../../domain/money/quantity.ts';

const productOptionAnswer = z
  .object({
    extension_attributes: z.object({
      custom_options: z.array(z.object({ option_id: z.string(), option_value: z.string() })).optional(),
      configurable_item_options: z.array(z.object({ option_id: z.string(), option_value: z.int() })).optional(),
    }),
  })
  .meta({ id: 'ProductOption' });

/** A line of a cart; the price is of one piece, without tax, in the cart's currency. The cart's id is a text here. */
export const cartItemAnswer = z
  .object({
    item_id: z.int(),
    sku: z.string(),
    qty: z.number(),
    name: z.string(),
    price: z.number(),
    product_type: z.string(),
    quote_id: z.string(),
    product_option: productOptionAnswer.optional(),
  })
  .meta({ id: 'CartItem' });

export const renderCartItems = ({ cart, own }: PricedCart): z.input<typeof cartItemAnswer>[] =>
  cart.lines.map((line, at) => {
    const { sku, name, typeId } = soldAs(line);
    const productOption = productOptionOf(line);
    return {
      item_id: line.itemId,
      sku,
      qty: quantityToWire(line.qty),
      name,
      price: toWire(own.lines[at]?.price ?? line.price),
      product_type: typeId,
      quote_id: String(cart.quoteId),
      ...(productOption ? { product_option: productOption } : {}),
    };
  });

export function renderCartItem({ itemId, priced }: WrittenLine): z.input<typeof cartItemAnswer> {
  const item = renderCartItems(priced).find((one) => one.item_id === itemId);
  if (!item) throw new Error('a line was written into a cart and is not there');
  return item;
}
