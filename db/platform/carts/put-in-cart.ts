import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../../domain/errors.ts';
import { none, type Quantity } from '../../../domain/money/quantity.ts';
import { quantityInCart, requireSome } from '../../../domain/platform/carts/cart-quantity.ts';
import { integer, quantity, surely } from '../../support/kinds.ts';
import { of } from '../../support/rows.ts';
import { statement } from '../../support/statement.ts';
import { transact } from '../../support/transact.ts';
import { noSuchProduct } from '../catalog/read-products.ts';
import { lockCart, type CartKey } from './lock-cart.ts';
import { priceCart, type PricedCart } from './price-cart.ts';
import { readCart } from './read-cart.ts';
import { QuoteItem } from './quote.entity.ts';
import { readOffers } from './read-offers.ts';

/** A line that was just written, and its cart. */
export interface WrittenLine {
  itemId: number;
  priced: PricedCart;
}

/** The most lines of an order. */
export const maxCartLines = 1_000;

export const tooManyLines = () =>
  invalid('Maximum items of type "%type" is %max', { type: 'cartItem', max: maxCartLines });

/**
 * Adds a quantity of a product to the customer's cart (platform facts 11). Each call adds again.
 *
 * Refused with: 404 no active cart, an unknown product · 400 a quantity that is not positive, a product that cannot be
 * bought, more than is in stock, a full cart, a cart whose total is too large for an amount.
 */
export const putInCart = (
  em: EntityManager,
  key: CartKey,
  wish: { sku: string; qty: Quantity; now: Date },
): Promise<WrittenLine> =>
  transact(em, async (tx) => {
    const { quoteId, websiteId } = await lockCart(tx, key);
    const qty = requireSome(wish.qty);
    const [offer] = await readOffers(tx, { skus: [wish.sku], websiteId }, { isBinding: false });
    if (!offer) throw noSuchProduct();
    const held = await heldOf(tx, quoteId, offer.productId);
    if (held.qty === none && held.lines >= maxCartLines) throw tooManyLines();
    const line = { quoteId, productId: offer.productId, qty: quantityInCart(offer, held.qty, qty) };
    return hold(tx, line, wish.now);
  });

const readHeld = statement({
  takes: { quoteId: integer, productId: integer },
  gives: { lines: surely(integer), qty: surely(quantity) },
  text: `
    select count(*)::int as lines, coalesce(sum(qty) filter (where product_id = $productId), 0) as qty
    from quote_item where quote_id = $quoteId`,
});

const heldOf = async (em: EntityManager, quoteId: number, productId: number) =>
  (await readHeld.first(em, { quoteId, productId })) ?? { lines: 0, qty: none };

const holdSome = statement({
  takes: { quoteId: integer, productId: integer, qty: quantity },
  gives: of(QuoteItem, 'itemId'),
  text: `
    with touched as (update quote set updated_at = now() where quote_id = $quoteId)
    insert into quote_item (quote_id, product_id, qty) values ($quoteId, $productId, $qty)
    on conflict (quote_id, product_id) do update set qty = excluded.qty, updated_at = now()
    returning item_id`,
});

/**
 * Sets the quantity of a product in a locked cart. It prices the cart too, so that no cart is stored which cannot be
 * priced.
 */
export async function hold(
  em: EntityManager,
  { quoteId, productId, qty }: { quoteId: number; productId: number; qty: Quantity },
  now: Date,
): Promise<WrittenLine> {
  const row = await holdSome.first(em, { quoteId, productId, qty });
  if (!row) throw new Error('a line was put into a cart and is not there');
  const priced = await priceCart(em, await readCart(em, quoteId), { sources: [], now });
  return { itemId: row.itemId, priced };
}
