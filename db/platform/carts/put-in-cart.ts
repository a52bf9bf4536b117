import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../../domain/errors.ts';
import { none, plus, type Quantity } from '../../../domain/money/quantity.ts';
import { quantityInCart, requireOffered, requireSome } from '../../../domain/platform/carts/cart-quantity.ts';
import type { ChosenOption, KeptChoice } from '../../../domain/platform/catalog/chosen-options.ts';
import {
  enteredOptions,
  type EnteredOption,
  type SentOption,
} from '../../../domain/platform/catalog/entered-options.ts';
import { integer, json, orNull, quantity, surely } from '../../support/kinds.ts';
import { of } from '../../support/rows.ts';
import { statement } from '../../support/statement.ts';
import { transact } from '../../support/transact.ts';
import { noSuchProduct } from '../catalog/read-products.ts';
import { findVariant } from './find-variant.ts';
import { lockCart, type CartKey } from './lock-cart.ts';
import { priceCart, type PricedCart } from './price-cart.ts';
import { readCart } from './read-cart.ts';
import { QuoteItem } from './quote.entity.ts';
import { readOffers, type Offer } from './read-offers.ts';

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
 * Adds a quantity of a product to the customer's cart (platform facts 11). Of a configurable product it adds the simple
 * one that was chosen. With other custom options the same product is another line. Each call adds again.
 *
 * Refused with: 404 no active cart, an unknown product · 400 a quantity that is not positive, a product that cannot be
 * bought, options that are not chosen or wrongly entered, more than is in stock, a full cart, a cart whose total is too
 * large for an amount.
 */
export const putInCart = (
  em: EntityManager,
  key: CartKey,
  wish: Wish & { qty: Quantity; now: Date },
): Promise<WrittenLine> =>
  transact(em, async (tx) => {
    const { quoteId, websiteId } = await lockCart(tx, key);
    const qty = requireSome(wish.qty);
    const goods = await findGoods(tx, { ...wish, websiteId });
    const held = await heldOf(tx, { quoteId, ...goods });
    if (held.inLine === none && held.lines >= maxCartLines) throw tooManyLines();
    quantityInCart(goods.offer, plus(held.inLine, held.elsewhere), qty);
    return hold(tx, { quoteId, ...goods, qty: plus(held.inLine, qty) }, wish.now);
  });

/** What a customer wants: a product with its choices and its custom options. */
export interface Wish {
  sku: string;
  chosen: readonly ChosenOption[];
  entered: readonly SentOption[];
}

/** What is bought: a product as itself, or as the choice of a configurable one. */
export interface Goods {
  offer: Offer;
  parentId: number | null;
  choices: readonly KeptChoice[] | null;
  customOptions: readonly EnteredOption[];
}

/**
 * The goods of a wish. Of a configurable product its own custom options count, not those of the chosen one (our choice).
 *
 * Refused with: 404 an unknown product · 400 options that are not chosen or wrongly entered.
 */
export async function findGoods(
  em: EntityManager,
  { sku, chosen, entered, websiteId }: Wish & { websiteId: number },
): Promise<Goods> {
  const offer = await offerOf(em, sku, websiteId);
  requireOffered(offer);
  const customOptions = enteredOptions(offer.options, entered);
  if (offer.typeId !== 'configurable') return { offer, parentId: null, choices: null, customOptions };
  const variant = await findVariant(em, offer, chosen);
  return { ...variant, offer: await offerOf(em, variant.sku, websiteId), customOptions };
}

export async function offerOf(em: EntityManager, sku: string, websiteId: number): Promise<Offer> {
  const [offer] = await readOffers(em, { skus: [sku], websiteId }, { isBinding: false });
  if (!offer) throw noSuchProduct();
  return offer;
}

/** What a line is known by: its cart, its goods and how they were chosen. */
const goods = {
  ...{ quoteId: integer, productId: integer, parentId: orNull(integer) },
  customOptions: json<readonly EnteredOption[]>(),
};

const readHeld = statement({
  takes: { ...goods, exceptItemId: orNull(integer) },
  gives: { lines: surely(integer), inLine: surely(quantity), elsewhere: surely(quantity) },
  text: `
    with line as (
      select qty, product_id = $productId as is_of_goods, parent_product_id is not distinct from $parentId
        and custom_options = $customOptions::jsonb as is_chosen_so
      from quote_item where quote_id = $quoteId and item_id is distinct from $exceptItemId
    )
    select count(*)::int as lines, coalesce(sum(qty) filter (where is_of_goods and is_chosen_so), 0) as in_line,
      coalesce(sum(qty) filter (where is_of_goods and not is_chosen_so), 0) as elsewhere
    from line`,
});

/** How much of some goods a cart holds: in the line that is theirs, and in others; a line that changes does not count. */
export async function heldOf(
  em: EntityManager,
  { quoteId, offer, parentId, customOptions, exceptItemId }: Goods & { quoteId: number; exceptItemId?: number },
) {
  const line = { quoteId, productId: offer.productId, parentId, customOptions };
  const held = await readHeld.first(em, { ...line, exceptItemId: exceptItemId ?? null });
  return held ?? { lines: 0, inLine: none, elsewhere: none };
}

const holdSome = statement({
  takes: {
    ...goods,
    ...{ choices: orNull(json<readonly KeptChoice[]>()), qty: quantity },
  },
  gives: of(QuoteItem, 'itemId'),
  text: `
    with touched as (update quote set updated_at = now() where quote_id = $quoteId),
    changed as (
      update quote_item set qty = $qty, choices = $choices::jsonb, updated_at = now()
      where quote_id = $quoteId and product_id = $productId and parent_product_id is not distinct from $parentId
        and custom_options = $customOptions::jsonb
      returning item_id
    ), added as (
      insert into quote_item (quote_id, product_id, parent_product_id, choices, custom_options, qty)
      select $quoteId, $productId, $parentId, $choices::jsonb, $customOptions::jsonb, $qty where not exists (select from changed)
      returning item_id
    )
    select item_id from changed union all select item_id from added`,
});

/**
 * Sets the quantity of some goods in a locked cart. It prices the cart too, so that no cart is stored which cannot be
 * priced.
 */
export async function hold(
  em: EntityManager,
  { quoteId, offer, parentId, choices, customOptions, qty }: Goods & { quoteId: number; qty: Quantity },
  now: Date,
): Promise<WrittenLine> {
  const { productId } = offer;
  const row = await holdSome.first(em, { quoteId, productId, parentId, choices, customOptions, qty });
  if (!row) throw new Error('a line was put into a cart and is not there');
  const priced = await priceCart(em, await readCart(em, quoteId), { sources: [], now });
  return { itemId: row.itemId, priced };
}
