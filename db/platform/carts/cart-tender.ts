import type { EntityManager } from '@mikro-orm/postgresql';
import type { Amount } from '../../../domain/money/amount.ts';
import type { PostedOrder } from '../orders/posted-order.ts';
import type { CartChoices } from './read-cart.ts';

/** The total of a cart, or what is left of it, in both currencies. */
export interface CartDue {
  baseAmount: Amount;
  amount: Amount;
}

/** Something that pays a part of a cart. It is a segment of the cart's totals; here its amount is positive. */
export interface CartTender extends CartDue {
  code: string;
  title: string;
}

/**
 * A source of such tenders. The platform knows only the list of them; the wiring fills it.
 *
 * `preview` only reads. `take` runs in the placement's transaction with the cart locked, and locks what it needs. It
 * refuses with 400 when it can no longer pay what `preview` answered. `carry` adds what was taken to the placed order.
 */
export interface CartTenderSource {
  preview(em: EntityManager, cart: CartChoices, due: CartDue): Promise<CartTender | undefined>;
  take(em: EntityManager, cart: CartChoices, due: CartDue): Promise<CartTender | undefined>;
  carry(posted: PostedOrder, tender: CartTender): PostedOrder;
}
