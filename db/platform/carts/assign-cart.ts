import { UniqueConstraintViolationException, type EntityManager } from '@mikro-orm/postgresql';
import { invalid, noSuchEntity } from '../../../domain/errors.ts';
import { none } from '../../../domain/money/quantity.ts';
import { quantityInCart } from '../../../domain/platform/carts/cart-quantity.ts';
import { flag, integer, quantity, surely, text } from '../../support/kinds.ts';
import { statement } from '../../support/statement.ts';
import { transact } from '../../support/transact.ts';
import { lockCart, type CartKey } from './lock-cart.ts';
import { maxCartLines, tooManyLines } from './put-in-cart.ts';
import { readOffers } from './read-offers.ts';

/**
 * Gives a guest's cart to a customer (platform facts 11). The lines of the customer's own cart move into it, and it
 * becomes the customer's active cart. A repeat is refused, because the cart then belongs to a customer.
 *
 * Refused with: 404 no active cart, an unknown customer · 400 a store view of another website, a cart of a customer,
 * more of a product in both carts than one may hold or the shop has, more lines than a cart may have.
 */
export async function assignCart(em: EntityManager, key: CartKey, taker: Taker): Promise<void> {
  try {
    await assignOnce(em, key, taker);
  } catch (error) {
    // The customer opened a cart of their own meanwhile: now there is one, and it is brought over.
    if (!(error instanceof UniqueConstraintViolationException)) throw error;
    await assignOnce(em, key, taker);
  }
}

interface Taker {
  customerId: number;
  storeId: number;
}

const assignOnce = (em: EntityManager, key: CartKey, { customerId, storeId }: Taker): Promise<void> =>
  transact(em, async (tx) => {
    const cart = await lockCart(tx, key);
    const customer = await findCustomer.first(tx, { customerId, storeId, websiteId: cart.websiteId });
    if (!customer) throw noSuchEntity('customerId', customerId);
    if (!customer.isOfStore)
      throw invalid("The customer can't be assigned to the cart. The cart belongs to a different store.");
    if (cart.customerId !== null)
      throw invalid("The customer can't be assigned to the cart because the cart isn't anonymous.");
    const { quoteId, websiteId } = cart;
    const own = await lockOwn.first(tx, { customerId, websiteId });
    if (own) {
      await refuseTooMuch(tx, { quoteId, ownId: own.quoteId, websiteId });
      await bringOver.run(tx, { quoteId, ownId: own.quoteId });
      await dropOwn.run(tx, { ownId: own.quoteId });
    }
    await give.run(tx, { quoteId, customerId, storeId });
  });

/** Locks the customer: of two carts that are given at once, the second finds the first as the customer's own. */
const findCustomer = statement({
  takes: { customerId: integer, storeId: integer, websiteId: integer },
  gives: { isOfStore: surely(flag) },
  text: `
    select c.website_id = $websiteId and exists (
      select from store_view v where v.store_id = $storeId and v.website_id = c.website_id) as is_of_store
    from customer c where c.id = $customerId for no key update of c`,
});

/** The same limits as where goods are put in: a cart that is merged is no way around them. */
async function refuseTooMuch(
  em: EntityManager,
  { websiteId, ...carts }: { quoteId: number; ownId: number; websiteId: number },
): Promise<void> {
  const rows = await readBoth.all(em, carts);
  if (rows.reduce((sum, { lines }) => sum + lines, 0) > maxCartLines) throw tooManyLines();
  const twice = rows.filter((row) => row.held > none && row.added > none);
  const offers = await readOffers(em, { skus: twice.map(({ sku }) => sku), websiteId }, { isBinding: false });
  for (const { sku, held, added } of twice) {
    const offer = offers.find((one) => one.sku === sku);
    if (offer) quantityInCart(offer, held, added);
  }
}

const readBoth = statement({
  takes: { quoteId: integer, ownId: integer },
  gives: { sku: text, lines: surely(integer), held: surely(quantity), added: surely(quantity) },
  text: `
    select p.sku, count(distinct (coalesce(i.parent_product_id, 0), i.custom_options))::int as lines,
      coalesce(sum(i.qty) filter (where i.quote_id = $quoteId), 0) as held,
      coalesce(sum(i.qty) filter (where i.quote_id = $ownId), 0) as added
    from quote_item i join product p on p.entity_id = i.product_id
    where i.quote_id in ($quoteId, $ownId) group by p.sku`,
});

const lockOwn = statement({
  takes: { customerId: integer, websiteId: integer },
  gives: { quoteId: integer },
  text: `
    select quote_id from quote where customer_id = $customerId and website_id = $websiteId and is_active for update`,
});

const bringOver = statement({
  takes: { quoteId: integer, ownId: integer },
  text: `
    with own as (
      select product_id, parent_product_id, choices, custom_options, qty from quote_item where quote_id = $ownId
    ), more as (
      update quote_item i set qty = i.qty + own.qty, updated_at = now()
      from own
      where i.quote_id = $quoteId and i.product_id = own.product_id
        and i.parent_product_id is not distinct from own.parent_product_id and i.custom_options = own.custom_options
      returning i.product_id, i.parent_product_id, i.custom_options
    )
    insert into quote_item (quote_id, product_id, parent_product_id, choices, custom_options, qty)
    select $quoteId, product_id, parent_product_id, choices, custom_options, qty from own
    where not exists (
      select from more
      where more.product_id = own.product_id and more.parent_product_id is not distinct from own.parent_product_id
        and more.custom_options = own.custom_options)`,
});

const dropOwn = statement({ takes: { ownId: integer }, text: 'delete from quote where quote_id = $ownId' });

const give = statement({
  takes: { quoteId: integer, customerId: integer, storeId: integer },
  text: `
    update quote set customer_id = $customerId, store_id = $storeId, masked_id = null, customer_email = null,
      updated_at = now()
    where quote_id = $quoteId`,
});
