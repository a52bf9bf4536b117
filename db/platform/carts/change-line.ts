import type { EntityManager } from '@mikro-orm/postgresql';
import { notFound } from '../../../domain/errors.ts';
import { none, plus, type Quantity } from '../../../domain/money/quantity.ts';
import { quantityInCart, requireSome } from '../../../domain/platform/carts/cart-quantity.ts';
import type { ChosenOption } from '../../../domain/platform/catalog/chosen-options.ts';
import { integer, orNull, text } from '../../support/kinds.ts';
import { of } from '../../support/rows.ts';
import { statement } from '../../support/statement.ts';
import { transact } from '../../support/transact.ts';
import { lockCart, type CartKey } from './lock-cart.ts';
import { findGoods, heldOf, hold, offerOf, type WrittenLine } from './put-in-cart.ts';
import { QuoteItem } from './quote.entity.ts';

const noSuchLine = (quoteId: number, itemId: number) =>
  notFound("The %1 Cart doesn't contain the %2 item.", [quoteId, itemId]);

/**
 * Sets the quantity of a line in the customer's cart, and of a configurable product also the choices (platform facts 11).
 * Safe to repeat. A line that is chosen as another line already is goes into that one: its pieces are added, and a repeat
 * finds the first line no more.
 *
 * Refused with: 404 no active cart, an unknown line or one of another cart · 400 as `putInCart`.
 */
export const changeLine = (
  em: EntityManager,
  key: CartKey,
  {
    itemId,
    qty,
    chosen,
    now,
  }: { itemId: number; qty: Quantity; chosen?: readonly ChosenOption[] | undefined; now: Date },
): Promise<WrittenLine> =>
  transact(em, async (tx) => {
    const { quoteId, websiteId } = await lockCart(tx, key);
    const line = await readLine.first(tx, { quoteId, itemId });
    if (!line) throw noSuchLine(quoteId, itemId);
    requireSome(qty);
    const kept = { offer: await offerOf(tx, line.sku, websiteId), parentId: line.parentId, choices: line.choices };
    const { parentSku } = line;
    const goods = parentSku !== null && chosen ? await findGoods(tx, { sku: parentSku, chosen, websiteId }) : kept;
    const held = await heldOf(tx, { quoteId, ...goods });
    if (goods.offer.productId === kept.offer.productId) {
      quantityInCart(goods.offer, held.elsewhere, qty);
      return hold(tx, { quoteId, ...goods, qty }, now);
    }
    quantityInCart(goods.offer, plus(held.inLine, held.elsewhere), qty);
    if (held.inLine === none) await choose.run(tx, { itemId, productId: goods.offer.productId });
    else await remove.run(tx, { quoteId, itemId });
    return hold(tx, { quoteId, ...goods, qty: plus(held.inLine, qty) }, now);
  });

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
  gives: { sku: text, parentId: orNull(integer), parentSku: orNull(text), ...of(QuoteItem, 'choices') },
  text: `
    select p.sku, i.parent_product_id as parent_id, v.sku as parent_sku, i.choices
    from quote_item i join product p on p.entity_id = i.product_id
      left join product v on v.entity_id = i.parent_product_id
    where i.quote_id = $quoteId and i.item_id = $itemId`,
});

/** The line keeps its id, so that a repeat finds it. */
const choose = statement({
  takes: { itemId: integer, productId: integer },
  text: 'update quote_item set product_id = $productId where item_id = $itemId',
});

const remove = statement({
  takes: { quoteId: integer, itemId: integer },
  text: `
    with touched as (update quote set updated_at = now() where quote_id = $quoteId)
    delete from quote_item where quote_id = $quoteId and item_id = $itemId`,
});
