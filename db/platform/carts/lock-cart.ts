import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchEntity, notFound } from '../../../domain/errors.ts';
import { integer } from '../../support/kinds.ts';
import { of } from '../../support/rows.ts';
import { statement } from '../../support/statement.ts';
import { Quote } from './quote.entity.ts';

/** Whose cart: there is one active at most on each website. */
export interface CartOwner {
  customerId: number;
  websiteId: number;
}

/** Said by every route of a cart's parts. */
export const noActiveCart = () => notFound('Current customer does not have an active cart.');
/** Said by the cart's own route (platform facts 11). */
export const noSuchCart = ({ customerId }: CartOwner) => noSuchEntity('customerId', customerId);

const owned = { takes: { customerId: integer, websiteId: integer }, gives: of(Quote, 'quoteId') };
const idText = `
  select quote_id from quote where customer_id = $customerId and website_id = $websiteId and is_active`;

const find = statement({ ...owned, text: idText });
const lock = statement({ ...owned, text: `${idText} for update` });

/** The id of the customer's active cart, if there is one. */
export const findCartId = async (
  em: EntityManager,
  { customerId, websiteId }: CartOwner,
): Promise<number | undefined> => (await find.first(em, { customerId, websiteId }))?.quoteId;

/**
 * Locks the customer's active cart until the transaction ends: whoever changes it or makes it an order waits. Read it
 * after. A cart comes before everything else that is locked.
 *
 * Refused with: 404 no active cart, also for whoever waited until it had become an order.
 */
export async function lockCart(em: EntityManager, { customerId, websiteId }: CartOwner): Promise<number> {
  const cart = await lock.first(em, { customerId, websiteId });
  if (!cart) throw noActiveCart();
  return cart.quoteId;
}
