import type { EntityManager } from '@mikro-orm/postgresql';
import { none, plus, type Quantity } from '../../../domain/money.ts';
import { quantityInCart, requireOffered, requireSome } from '../../../domain/platform/carts/shop-choices.ts';
import type { CustomOption } from '../../../domain/platform/catalog/custom-options.ts';
import {
  enteredOptions,
  type ChosenOption,
  type EnteredOption,
  type StoredChoice,
  type SentOption,
} from '../../../domain/platform/catalog/entered-options.ts';
import { tooManyItems } from '../../../domain/refusals/platform.ts';
import { cartItemNotFound } from '../../../domain/refusals/sales.ts';
import { integer, json, orNull, quantity, definite } from '../../support/entity-columns.ts';
import { sql } from '../../support/sql.ts';
import type { RowFrom } from '../../support/statement.ts';
import { transact } from '../../support/transact.ts';
import { noSuchProduct } from '../catalog/read-products.ts';
import { lockCart, readCart, type CartKey } from './carts.ts';
import { priceCart, type PricedCart } from './price-cart.ts';
import { findVariant, readOffers, type Offer } from './read-offers.ts';

/** A line that was just written, and its cart. */
export interface WrittenLine {
  itemId: number;
  priced: PricedCart;
}

/** The most lines of an order. */
export const maxCartLines = 1_000;

export const tooManyLines = () => tooManyItems({ type: 'cartItem', max: maxCartLines });

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
  input: Input & { qty: Quantity; now: Date },
): Promise<WrittenLine> =>
  transact(em, async (tx) => {
    const { quoteId, websiteId } = await lockCart(tx, key);
    const qty = requireSome(input.qty);
    const goods = await findGoods(tx, { ...input, websiteId });
    const held = await heldOf(tx, { quoteId, ...goods });
    if (held.inLine === none && held.lines >= maxCartLines) throw tooManyLines();
    quantityInCart(goods.offer, plus(held.inLine, held.elsewhere), qty);
    return hold(tx, { quoteId, ...goods, qty: plus(held.inLine, qty) }, input.now);
  });

/** What a customer wants: a product with its choices and its custom options. */
export interface Input {
  sku: string;
  chosen: readonly ChosenOption[];
  entered: readonly SentOption[];
}

/** What is bought: a product as itself, or as the choice of a configurable one. */
interface Goods {
  offer: Offer;
  parentId: number | null;
  choices: readonly StoredChoice[] | null;
  customOptions: readonly EnteredOption[];
}

/**
 * The goods of a wish. Of a configurable product its own custom options count, not those of the chosen one (our
 * choice).
 *
 * Refused with: 404 an unknown product · 400 options that are not chosen or wrongly entered.
 */
export async function findGoods(
  em: EntityManager,
  { sku, chosen, entered, websiteId }: Input & { websiteId: number },
): Promise<Goods> {
  const offer = await offerOf(em, sku, websiteId);
  requireOffered(offer);
  const customOptions = enteredOptions(offer.options, entered);
  if (offer.typeId !== 'configurable') return { offer, parentId: null, choices: null, customOptions };
  const variant = await findVariant(em, offer, chosen);
  return { ...variant, offer: await offerOf(em, variant.sku, websiteId), customOptions };
}

async function offerOf(em: EntityManager, sku: string, websiteId: number): Promise<Offer> {
  const [offer] = await readOffers(em, { skus: [sku], websiteId }, { isBinding: false });
  if (!offer) throw noSuchProduct();
  return offer;
}

/** What a line is known by: its cart, its goods and how they were chosen. */
const goods = {
  ...{ quoteId: integer, productId: integer, parentId: orNull(integer) },
  customOptions: json<readonly EnteredOption[]>(),
};

const readHeld = sql('put-in-cart.readHeld', {
  takes: goods,
  gives: { inLine: definite(quantity), elsewhere: definite(quantity) },
})`
  with line as (
    select qty, product_id = $productId as is_of_goods, parent_product_id is not distinct from $parentId
      and custom_options = $customOptions::jsonb as is_chosen_so
    from quote_item where quote_id = $quoteId and item_id is distinct from $exceptItemId?
  )
  select count(*)::int as lines, coalesce(sum(qty) filter (where is_of_goods and is_chosen_so), 0) as in_line,
    coalesce(sum(qty) filter (where is_of_goods and not is_chosen_so), 0) as elsewhere
  from line`;

/**
 * How much of some goods a cart holds: in the line that is theirs, and in others; a line that changes does not count.
 */
async function heldOf(
  em: EntityManager,
  { quoteId, offer, parentId, customOptions, exceptItemId }: Goods & { quoteId: number; exceptItemId?: number },
) {
  const line = { quoteId, productId: offer.productId, parentId, customOptions };
  const held = await readHeld.first(em, { ...line, exceptItemId: exceptItemId ?? null });
  return held ?? { lines: 0, inLine: none, elsewhere: none };
}

const holdSome = sql('put-in-cart.holdSome', {
  takes: { ...goods, choices: orNull(json<readonly StoredChoice[]>()), qty: quantity },
})`
  with touched as (update quote set updated_at = now() where quote_id = $quoteId),
  changed as (
    update quote_item set qty = $qty, choices = $choices::jsonb, updated_at = now()
    where quote_id = $quoteId and product_id = $productId and parent_product_id is not distinct from $parentId
      and custom_options = $customOptions::jsonb
    returning item_id
  ), added as (
    insert into quote_item (quote_id, product_id, parent_product_id, choices, custom_options, qty)
    select $quoteId, $productId, $parentId, $choices::jsonb, $customOptions::jsonb, $qty where not exists (select
      from changed)
    returning item_id
  )
  select item_id from changed union all select item_id from added`;

/**
 * Sets the quantity of some goods in a locked cart. It prices the cart too, so that no cart is stored which cannot be
 * priced.
 */
async function hold(
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

const noSuchLine = (quoteId: number, itemId: number) => cartItemNotFound([quoteId, itemId]);

/**
 * Sets the quantity of a line in the customer's cart, and what is sent of its choices and its custom options (platform
 * facts 11). Safe to repeat. A line that is chosen as another line already is goes into that one: its pieces are added,
 * and a repeat finds the first line no more.
 *
 * Refused with: 404 no active cart, an unknown line or one of another cart · 400 as `putInCart`.
 */
export const changeLine = (
  em: EntityManager,
  key: CartKey,
  { itemId, qty, now, ...request }: Changes & { itemId: number; qty: Quantity; now: Date },
): Promise<WrittenLine> =>
  transact(em, async (tx) => {
    const { quoteId, websiteId } = await lockCart(tx, key);
    const line = await readLine.first(tx, { quoteId, itemId });
    if (!line) throw noSuchLine(quoteId, itemId);
    requireSome(qty);
    const goods = await goodsOf(tx, { ...line, websiteId }, request);
    const held = await heldOf(tx, { quoteId, ...goods, exceptItemId: itemId });
    quantityInCart(goods.offer, plus(held.inLine, held.elsewhere), qty);
    const { offer, customOptions } = goods;
    if (held.inLine === none) await choose.run(tx, { itemId, productId: offer.productId, customOptions });
    else await remove.run(tx, { quoteId, itemId });
    return hold(tx, { quoteId, ...goods, qty: plus(held.inLine, qty) }, now);
  });

/** What is sent anew of a line; absent: it stays. */
interface Changes {
  chosen?: readonly ChosenOption[] | undefined;
  entered?: readonly SentOption[] | undefined;
}

/** What stays is not checked again here: that is done when the order is placed. */
async function goodsOf(
  em: EntityManager,
  line: RowFrom<typeof readLine> & { websiteId: number },
  { chosen, entered }: Changes,
): Promise<Goods> {
  const { websiteId, options } = line;
  const offer = await offerOf(em, line.sku, websiteId);
  const customOptions = entered ? enteredOptions(options, entered) : line.customOptions;
  if (line.parentSku === null || !chosen)
    return { offer, parentId: line.parentId, choices: line.choices, customOptions };
  const parent = await offerOf(em, line.parentSku, websiteId);
  const variant = await findVariant(em, parent, chosen);
  return { ...variant, offer: await offerOf(em, variant.sku, websiteId), customOptions };
}

/**
 * Removes a line from the customer's cart. Refused with: 404 no active cart, a line that is not in it, and so a repeat.
 */
export const removeLine = (em: EntityManager, key: CartKey, itemId: number): Promise<void> =>
  transact(em, async (tx) => {
    const { quoteId } = await lockCart(tx, key);
    if ((await remove.run(tx, { quoteId, itemId })) === 0) throw noSuchLine(quoteId, itemId);
  });

const readLine = sql('put-in-cart.readLine', { gives: { options: definite(json<CustomOption[]>()) } })`
  select p.sku, i.parent_product_id as parent_id, v.sku as parent_sku, i.choices,
    i.custom_options, coalesce(v.options, p.options) as options
  from quote_item i join product p on p.entity_id = i.product_id
    left join product v on v.entity_id = i.parent_product_id
  where i.quote_id = $quoteId and i.item_id = $itemId`;

/** The line keeps its id, so that a repeat finds it. */
const choose = sql('put-in-cart.choose', { takes: { customOptions: json<readonly EnteredOption[]>() } })`
  update quote_item set product_id = $productId, custom_options = $customOptions::jsonb where item_id = $itemId`;

const remove = sql('put-in-cart.remove')`
  with touched as (update quote set updated_at = now() where quote_id = $quoteId)
  delete from quote_item where quote_id = $quoteId and item_id = $itemId`;
