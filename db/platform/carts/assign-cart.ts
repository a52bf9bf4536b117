import { UniqueConstraintViolationException, type EntityManager } from '@mikro-orm/postgresql';
import { invalid, noSuchEntity } from '../../../domain/errors.ts';
import { flag, integer, surely } from '../../support/kinds.ts';
import { statement } from '../../support/statement.ts';
import { transact } from '../../support/transact.ts';
import { lockCart, type CartKey } from './lock-cart.ts';

/**
 * Gives a guest's cart to a customer (platform facts 11). The lines of the customer's own cart move into it, and it
 * becomes the customer's active cart. A repeat is refused, because the cart then belongs to a customer.
 *
 * Refused with: 404 no active cart, an unknown customer · 400 a store view of another website, a cart of a customer.
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

const lockOwn = statement({
  takes: { customerId: integer, websiteId: integer },
  gives: { quoteId: integer },
  text: `
    select quote_id from quote where customer_id = $customerId and website_id = $websiteId and is_active for update`,
});

const bringOver = statement({
  takes: { quoteId: integer, ownId: integer },
  text: `
    insert into quote_item (quote_id, product_id, qty)
    select $quoteId, product_id, qty from quote_item where quote_id = $ownId
    on conflict (quote_id, product_id) do update set qty = quote_item.qty + excluded.qty, updated_at = now()`,
});

const dropOwn = statement({ takes: { ownId: integer }, text: 'delete from quote where quote_id = $ownId' });

const give = statement({
  takes: { quoteId: integer, customerId: integer, storeId: integer },
  text: `
    update quote set customer_id = $customerId, store_id = $storeId, masked_id = null, customer_email = null,
      updated_at = now()
    where quote_id = $quoteId`,
});
