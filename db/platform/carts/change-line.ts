import type { EntityManager } from '@mikro-orm/postgresql';
import { notFound } from '../../../domain/errors.ts';
import { none, type Quantity } from '../../../domain/money/quantity.ts';
import { quantityInCart, requireSome } from '../../../domain/platform/carts/cart-quantity.ts';
import { integer, text } from '../../support/kinds.ts';
import { statement } from '../../support/statement.ts';
import { transact } from '../../support/transact.ts';
import { noSuchProduct } from '../catalog/read-products.ts';
import { lockCart, type CartKey } from './lock-cart.ts';
import { hold, type WrittenLine } from './put-in-cart.ts';
import { readOffers } from './read-offers.ts';

const noSuchLine = (quoteId: number, itemId: number) =>
  notFound("The %1 Cart doesn't contain the %2 item.", [quoteId, itemId]);

/**
 * Sets the quantity of a line in the customer's cart (platform facts 11). Safe to repeat.
 *
 * Refused with: 404 no active cart, an unknown line or one of another cart · 400 as `putInCart`.
 */
export const changeLine = (
  em: EntityManager,
  key: CartKey,
  { itemId, qty, now }: { itemId: number; qty: Quantity; now: Date },
): Promise<WrittenLine> =>
  transact(em, async (tx) => {
    const { quoteId, websiteId } = await lockCart(tx, key);
    const line = await readLine.first(tx, { quoteId, itemId });
    if (!line) throw noSuchLine(quoteId, itemId);
    requireSome(qty);
    const [offer] = await readOffers(tx, { skus: [line.sku], websiteId }, { isBinding: false });
    if (!offer) throw noSuchProduct();
    return hold(tx, { quoteId, productId: offer.productId, qty: quantityInCart(offer, none, qty) }, now);
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
  gives: { sku: text },
  text: `
    select p.sku from quote_item i join product p on p.entity_id = i.product_id
    where i.quote_id = $quoteId and i.item_id = $itemId`,
});

const remove = statement({
  takes: { quoteId: integer, itemId: integer },
  text: `
    with touched as (update quote set updated_at = now() where quote_id = $quoteId)
    delete from quote_item where quote_id = $quoteId and item_id = $itemId`,
});
