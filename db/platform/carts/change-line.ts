import type { EntityManager } from '@mikro-orm/postgresql';
import { notFound } from '../../../domain/errors.ts';
import { none, plus, type Quantity } from '../../../domain/money/quantity.ts';
import { quantityInCart, requireSome } from '../../../domain/platform/carts/cart-quantity.ts';
import type { CustomOption } from '../../../domain/platform/catalog/custom-option.ts';
import type { ChosenOption } from '../../../domain/platform/catalog/chosen-options.ts';
import {
  enteredOptions,
  type EnteredOption,
  type SentOption,
} from '../../../domain/platform/catalog/entered-options.ts';
import { integer, json, orNull, surely, text } from '../../support/kinds.ts';
import { of } from '../../support/rows.ts';
import { statement, type RowFrom } from '../../support/statement.ts';
import { transact } from '../../support/transact.ts';
import { lockCart, type CartKey } from './lock-cart.ts';
import { findVariant } from './find-variant.ts';
import { heldOf, hold, offerOf, type Goods, type WrittenLine } from './put-in-cart.ts';
import { QuoteItem } from './quote.entity.ts';

const noSuchLine = (quoteId: number, itemId: number) =>
  notFound("The %1 Cart doesn't contain the %2 item.", [quoteId, itemId]);

/**
 * Sets the quantity of a line in the customer's cart, and what is sent of its choices and its custom options (platform
 * facts 11). Safe to repeat. A line that is chosen as another line already is goes into that one: its pieces are added, and a repeat
 * finds the first line no more.
 *
 * Refused with: 404 no active cart, an unknown line or one of another cart · 400 as `putInCart`.
 */
export const changeLine = (
  em: EntityManager,
  key: CartKey,
  { itemId, qty, now, ...wish }: Changes & { itemId: number; qty: Quantity; now: Date },
): Promise<WrittenLine> =>
  transact(em, async (tx) => {
    const { quoteId, websiteId } = await lockCart(tx, key);
    const line = await readLine.first(tx, { quoteId, itemId });
    if (!line) throw noSuchLine(quoteId, itemId);
    requireSome(qty);
    const goods = await goodsOf(tx, { ...line, websiteId }, wish);
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

const readLine = statement({
  takes: { quoteId: integer, itemId: integer },
  gives: {
    ...{ sku: text, parentId: orNull(integer), parentSku: orNull(text) },
    ...of(QuoteItem, 'choices', 'customOptions'),
    options: surely(json<CustomOption[]>()),
  },
  text: `
    select p.sku, i.parent_product_id as parent_id, v.sku as parent_sku, i.choices,
      i.custom_options, coalesce(v.options, p.options) as options
    from quote_item i join product p on p.entity_id = i.product_id
      left join product v on v.entity_id = i.parent_product_id
    where i.quote_id = $quoteId and i.item_id = $itemId`,
});

/** The line keeps its id, so that a repeat finds it. */
const choose = statement({
  takes: { itemId: integer, productId: integer, customOptions: json<readonly EnteredOption[]>() },
  text: `
    update quote_item set product_id = $productId, custom_options = $customOptions::jsonb where item_id = $itemId`,
});

const remove = statement({
  takes: { quoteId: integer, itemId: integer },
  text: `
    with touched as (update quote set updated_at = now() where quote_id = $quoteId)
    delete from quote_item where quote_id = $quoteId and item_id = $itemId`,
});
