import type { EntityManager } from '@mikro-orm/postgresql';
import { integer, orNull, text } from '../../support/kinds.ts';
import { of } from '../../support/rows.ts';
import { statement } from '../../support/statement.ts';
import { Quote } from './quote.entity.ts';

const open = statement({
  takes: { customerId: integer, websiteId: integer, storeId: integer },
  gives: of(Quote, 'quoteId'),
  text: `
    insert into quote (customer_id, website_id, store_id) values ($customerId, $websiteId, $storeId)
    on conflict (customer_id, website_id) where is_active do update set store_id = excluded.store_id, updated_at = now()
    returning quote_id`,
});

/**
 * Opens a cart for a customer in a store. An existing active cart is answered instead, and moves to that store and its
 * currency (platform facts 11). Safe to repeat, also many times at once: a customer has one active cart.
 *
 * @returns the cart's id
 */
export async function openCart(
  em: EntityManager,
  owner: { customerId: number; websiteId: number; storeId: number },
): Promise<number> {
  const row = await open.first(em, owner);
  if (!row) throw new Error('a cart was opened and is not there');
  return row.quoteId;
}

const openForGuest = statement({
  takes: { maskedId: orNull(text), websiteId: integer, storeId: integer },
  gives: of(Quote, 'quoteId'),
  text: `
    insert into quote (masked_id, website_id, store_id) values ($maskedId, $websiteId, $storeId) returning quote_id`,
});

/**
 * Opens a cart without a customer. Each call opens another one.
 *
 * @param cart `maskedId`: the secret name by which a guest finds it; null: only its id finds it
 * @returns the cart's id
 */
export async function openGuestCart(
  em: EntityManager,
  cart: { maskedId: string | null; websiteId: number; storeId: number },
): Promise<number> {
  const row = await openForGuest.first(em, cart);
  if (!row) throw new Error('a cart was opened and is not there');
  return row.quoteId;
}
