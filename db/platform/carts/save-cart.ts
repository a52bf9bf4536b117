import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../../domain/errors.ts';
import { flag, integer, orNull, surely, text } from '../../support/kinds.ts';
import { statement } from '../../support/statement.ts';
import { transact } from '../../support/transact.ts';
import { lockCart, noActiveCart, type CartKey } from './lock-cart.ts';

/** What a customer says about the own cart. What is absent or empty stays as it is. */
export interface CartWords {
  quoteId: number | undefined;
  storeId: number | undefined;
  email: string | undefined;
  firstname: string | undefined;
  middlename: string | undefined;
  lastname: string | undefined;
}

/**
 * Saves who buys, for this cart and its order only: the account keeps its own name and e-mail. Safe to repeat.
 *
 * Refused with: 404 no active cart, the id of another cart · 400 a store view of another website.
 */
export const saveCart = (em: EntityManager, key: CartKey, { quoteId, ...words }: CartWords): Promise<void> =>
  transact(em, async (tx) => {
    const cart = await lockCart(tx, key);
    if (quoteId !== undefined && quoteId !== cart.quoteId) throw noActiveCart({ quoteId });
    const { storeId = null, email = null, firstname = null, middlename = null, lastname = null } = words;
    if (storeId !== null && !(await findView.first(tx, { storeId, websiteId: cart.websiteId }))?.isThere)
      throw invalid("The customer can't be assigned to the cart. The cart belongs to a different store.");
    await save.run(tx, { quoteId: cart.quoteId, storeId, email, firstname, middlename, lastname });
  });

const findView = statement({
  takes: { storeId: integer, websiteId: integer },
  gives: { isThere: surely(flag) },
  text: `
    select exists (select from store_view where store_id = $storeId and website_id = $websiteId) as is_there`,
});

const save = statement({
  takes: {
    ...{ quoteId: integer, storeId: orNull(integer), email: orNull(text) },
    ...{ firstname: orNull(text), middlename: orNull(text), lastname: orNull(text) },
  },
  text: `
    update quote set store_id = coalesce($storeId, store_id), customer_email = coalesce(nullif($email, ''), customer_email),
      customer_firstname = coalesce(nullif($firstname, ''), customer_firstname),
      customer_middlename = coalesce(nullif($middlename, ''), customer_middlename),
      customer_lastname = coalesce(nullif($lastname, ''), customer_lastname), updated_at = now()
    where quote_id = $quoteId`,
});
