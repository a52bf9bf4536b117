import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchEntity, notFound } from '../../../domain/errors.ts';
import { query } from '../../support/query.ts';

/** Whose cart: there is one active at most on each website. */
export interface CartOwner {
  customerId: number;
  websiteId: number;
}

/** Said by every route of a cart's parts. */
export const noActiveCart = () => notFound('Current customer does not have an active cart.');
/** Said by the cart's own route (platform facts 11). */
export const noSuchCart = ({ customerId }: CartOwner) => noSuchEntity('customerId', customerId);

const idText = 'select quote_id from quote where customer_id = $1 and website_id = $2 and is_active';

/** The id of the customer's active cart, if there is one. */
export async function findCartId(em: EntityManager, { customerId, websiteId }: CartOwner): Promise<number | undefined> {
  const [row] = await query<{ quote_id: number }>(em, idText, [customerId, websiteId]);
  return row?.quote_id;
}

/**
 * Locks the customer's active cart until the transaction ends: whoever changes it or makes it an order waits. Read it
 * after. A cart comes before everything else that is locked.
 *
 * Refused with: 404 no active cart, also for whoever waited until it had become an order.
 */
export async function lockCart(em: EntityManager, { customerId, websiteId }: CartOwner): Promise<number> {
  const [row] = await query<{ quote_id: number }>(em, `${idText} for update`, [customerId, websiteId]);
  if (!row) throw noActiveCart();
  return row.quote_id;
}
