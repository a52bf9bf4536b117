import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchEntity, notFound, type PosError } from '../../../domain/errors.ts';
import { integer, text } from '../../support/kinds.ts';
import { of } from '../../support/rows.ts';
import { statement } from '../../support/statement.ts';
import { Quote } from './quote.entity.ts';

/** Names an active cart: a customer's by customer and website, a guest's by its masked id, any cart by its own id. */
export type CartKey = { customerId: number; websiteId: number } | { maskedId: string } | { quoteId: number };

/** A locked cart with its owner; a guest's cart has no customer. */
export interface LockedCart {
  quoteId: number;
  customerId: number | null;
  websiteId: number;
}

/** The platform's message for routes of a cart's parts. It never repeats a masked id, because that opens the cart. */
export function noActiveCart(key: CartKey): PosError {
  if ('customerId' in key) return notFound('Current customer does not have an active cart.');
  return noSuchEntity('cartId', 'quoteId' in key ? key.quoteId : null);
}

/** The message of the cart's own route (platform facts 11). */
export const noSuchCart = (key: CartKey) =>
  'customerId' in key ? noSuchEntity('customerId', key.customerId) : noActiveCart(key);

const gives = of(Quote, 'quoteId', 'customerId', 'websiteId');
const columns = 'select quote_id, customer_id, website_id from quote';
const ownText = `${columns} where customer_id = $customerId and website_id = $websiteId and is_active`;
const maskedText = `${columns} where masked_id = $maskedId and is_active`;
const anyText = `${columns} where quote_id = $quoteId and is_active`;

const own = { takes: { customerId: integer, websiteId: integer }, gives };
const masked = { takes: { maskedId: text }, gives };
const any = { takes: { quoteId: integer }, gives };

const findOwn = statement({ ...own, text: ownText });
const findMasked = statement({ ...masked, text: maskedText });
const findAny = statement({ ...any, text: anyText });
const lockOwn = statement({ ...own, text: `${ownText} for update` });
const lockMasked = statement({ ...masked, text: `${maskedText} for update` });
const lockAny = statement({ ...any, text: `${anyText} for update` });

/** The id of an active cart, if there is one. */
export async function findCartId(em: EntityManager, key: CartKey): Promise<number | undefined> {
  if ('customerId' in key) return (await findOwn.first(em, key))?.quoteId;
  return (await ('maskedId' in key ? findMasked.first(em, key) : findAny.first(em, key)))?.quoteId;
}

/**
 * Locks an active cart until the transaction ends; other changes and placements wait. Read the cart after this. A cart
 * is locked before everything else.
 *
 * Refused with: 404 no active cart, also when another call made it an order meanwhile.
 */
export async function lockCart(em: EntityManager, key: CartKey): Promise<LockedCart> {
  const cart = await lockRow(em, key);
  if (!cart) throw noActiveCart(key);
  return cart;
}

function lockRow(em: EntityManager, key: CartKey): Promise<LockedCart | undefined> {
  if ('customerId' in key) return lockOwn.first(em, key);
  return 'maskedId' in key ? lockMasked.first(em, key) : lockAny.first(em, key);
}
